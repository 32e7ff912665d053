import {
  type CelDuration,
  type CelList,
  type CelMap,
  type CelTimestamp,
  type CelTypeValue,
  type CelUint,
  type CelValue,
  celError,
  elementsOf,
  formatDouble,
  formatDuration,
  formatTimestamp,
  kindOf,
  typeNameOf,
} from '../values/index.js';

/** A place in a format string where an argument goes. */
export interface FormatClause {
  readonly verb: 's' | 'd' | 'f' | 'e' | 'b' | 'x' | 'X' | 'o';
  readonly precision: number;
}

const VERBS = 'sdfebxXo';
const DEFAULT_PRECISION = 6;

/** Literal pieces and clauses of a format string; a string result is what is wrong. Stops at the first clause without an argument. */
export function parseFormat(
  format: string,
  argumentCount: number,
): readonly (string | FormatClause)[] | { readonly problem: string; readonly after: number } {
  const parts: (string | FormatClause)[] = [];
  let used = 0;
  let rest = format;
  while (rest !== '') {
    const percent = rest.indexOf('%');
    if (percent !== 0) {
      const end = percent === -1 ? rest.length : percent;
      parts.push(rest.slice(0, end));
      rest = rest.slice(end);
      continue;
    }
    if (rest.startsWith('%%')) {
      parts.push('%');
      rest = rest.slice(2);
      continue;
    }
    if (used >= argumentCount)
      return { problem: rest.length === 1 ? 'unexpected end of string' : `index ${used} out of range`, after: used };
    if (rest.length === 1) return { problem: 'unexpected end of string', after: used };
    const clause = /^%(?:\.([0-9]*))?([\s\S])?/.exec(rest);
    const [text = '%', precision, verb] = clause ?? [];
    if (verb === undefined)
      return {
        problem: 'could not parse formatting clause: error while parsing precision: could not find end of precision specifier',
        after: used,
      };
    if (precision === '')
      return {
        problem:
          'could not parse formatting clause: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax',
        after: used,
      };
    if (!VERBS.includes(verb))
      return { problem: `could not parse formatting clause: unrecognized formatting clause "${verb}"`, after: used };
    parts.push({ verb: verb as FormatClause['verb'], precision: precision === undefined ? DEFAULT_PRECISION : Number(precision) });
    used++;
    rest = rest.slice(text.length);
  }
  return parts;
}

export function formatString(format: string, args: readonly CelValue[]): CelValue {
  const parts = parseFormat(format, args.length);
  if ('problem' in parts) return celError(parts.problem);
  let next = 0;
  let text = '';
  for (const part of parts) {
    const piece = typeof part === 'string' ? part : formatArgument(part, args[next++] as CelValue);
    if (typeof piece !== 'string') return celError(`error during formatting: ${piece.problem}`);
    text += piece;
  }
  return text;
}

type Formatted = string | { readonly problem: string };

function formatArgument({ verb, precision }: FormatClause, value: CelValue): Formatted {
  switch (verb) {
    case 's':
      return formatAny(value);
    case 'd':
      return formatInteger(value, 10) ?? refusal(verb, typeNameOf(value));
    case 'o':
      return formatInteger(value, 8) ?? refusal(verb, typeNameOf(value));
    case 'b':
      return typeof value === 'boolean' ? (value ? '1' : '0') : (formatInteger(value, 2) ?? refusal(verb, typeNameOf(value)));
    case 'x':
    case 'X': {
      const hex = formatHex(value);
      return hex === undefined ? refusal(verb, typeNameOf(value)) : verb === 'X' ? hex.toUpperCase() : hex;
    }
    default:
      return formatFraction(verb, value, precision);
  }
}

/** The error of a clause for a type that it cannot show. */
export function refusal(verb: FormatClause['verb'], typeName: string): { readonly problem: string } {
  const clauses: Readonly<Record<FormatClause['verb'], string>> = {
    s: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
    d: 'decimal clause can only be used on integers',
    f: 'fixed-point clause can only be used on doubles',
    e: 'scientific clause can only be used on doubles',
    b: 'only integers and bools can be formatted as binary',
    x: 'only integers, byte buffers, and strings can be formatted as hex',
    X: 'only integers, byte buffers, and strings can be formatted as hex',
    o: 'octal clause can only be used on integers',
  };
  return { problem: `${clauses[verb]}, was given ${typeName}` };
}

function formatInteger(value: CelValue, base: number): string | undefined {
  if (typeof value === 'bigint') return value.toString(base);
  return kindOf(value) === 'uint' ? (value as CelUint).value.toString(base) : undefined;
}

function formatHex(value: CelValue): string | undefined {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : kindOf(value) === 'bytes' ? (value as Uint8Array) : undefined;
  return bytes === undefined ? formatInteger(value, 16) : [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

const SPECIAL: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
};

/** `%f` and `%e` in the locale en-US, as the API server shows them. */
function formatFraction(verb: 'f' | 'e', value: CelValue, precision: number): Formatted {
  const number = typeof value === 'number' ? value : typeof value === 'string' ? SPECIAL[value] : undefined;
  if (number === undefined) return refusal(verb, typeNameOf(value));
  if (Number.isNaN(number)) return 'NaN';
  if (!Number.isFinite(number)) return number > 0 ? '∞' : '-∞';
  if (precision > 100) return { problem: `precision ${precision} is beyond 100` };
  if (verb === 'f')
    return number.toLocaleString('en-US', {
      minimumFractionDigits: precision,
      maximumFractionDigits: precision,
      roundingMode: 'halfEven',
    } as Intl.NumberFormatOptions);
  // The API server takes the precision of `%e` for a width, so six digits are always shown.
  const [mantissa = '', exponent = '0'] = number.toExponential(DEFAULT_PRECISION).split('e');
  const superscript = [...String(Math.abs(Number(exponent))).padStart(2, '0')].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('');
  return `${mantissa}×10${exponent.startsWith('-') ? '⁻' : ''}${superscript}`;
}

/** `%s` of any value. */
function formatAny(value: CelValue): Formatted {
  switch (kindOf(value)) {
    case 'string':
      return value as string;
    case 'null':
    case 'bool':
    case 'int':
      return String(value);
    case 'uint':
      return String((value as CelUint).value);
    case 'double':
      return formatDouble(value as number);
    case 'bytes':
      return new TextDecoder().decode(value as Uint8Array);
    case 'timestamp':
      return formatTimestamp((value as CelTimestamp).nanoseconds);
    case 'duration':
      return formatDuration((value as CelDuration).nanoseconds);
    case 'type':
      return (value as CelTypeValue).name;
    case 'list':
      return joined(elementsOf(value as CelList).map(formatNested), ['[', ']']);
    case 'map':
      return formatMap(value as CelMap);
    default:
      return refusal('s', typeNameOf(value));
  }
}

function joined(parts: readonly Formatted[], [open, close]: readonly [string, string]): Formatted {
  const problem = parts.find((part) => typeof part !== 'string');
  return problem ?? `${open}${parts.join(', ')}${close}`;
}

/** Inside lists and maps strings are quoted and times are calls. */
function formatNested(value: CelValue): Formatted {
  const text = formatAny(value);
  if (typeof text !== 'string') return text;
  switch (kindOf(value)) {
    case 'string':
      return JSON.stringify(value);
    case 'bytes':
      return `b${JSON.stringify(text)}`;
    case 'timestamp':
      return `timestamp(${JSON.stringify(text)})`;
    case 'duration':
      return `duration(${JSON.stringify(text)})`;
    default:
      return text;
  }
}

function formatMap(map: CelMap): Formatted {
  const entries = [...map.keys()].map((key) => {
    const name = formatNested(key);
    const value = formatNested(map.get(key) as CelValue);
    if (typeof name !== 'string') return name;
    return typeof value === 'string' ? `${name}:${value}` : value;
  });
  return joined(
    entries.toSorted((left, right) => (String(left) < String(right) ? -1 : 1)),
    ['{', '}'],
  );
}
