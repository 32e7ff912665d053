/** How a text stands in YAML. */
export type ScalarStyle = 'double' | 'literal' | 'plain' | 'single';

/**
 * The style in which Go writes a text that had none of its own.
 * Source: `go.yaml.in/yaml/v3` 3.0.4, `encode.go` (node) and `emitterc.go` (analysis and choice of a style).
 */
export function scalarStyle(text: string): ScalarStyle {
  if (text.includes('\n')) return isBlockAllowed(text) ? 'literal' : 'double';
  if (isOtherScalar(text)) return 'double';
  if (isPlainAllowed(text)) return 'plain';
  return isSingleAllowed(text) ? 'single' : 'double';
}

const BREAK = '\\r\\n\\u0085\\u2028\\u2029';
const HAS_BREAK = new RegExp(`[${BREAK}]`);
const SPACE_BEFORE_BREAK = new RegExp(` [${BREAK}]`);
const SPACE_AFTER_BREAK = new RegExp(`[${BREAK}] `);
const BREAK_AT_AN_END = new RegExp(`^[${BREAK}]|[${BREAK}]$`);
/** Characters that are written with a backslash, those beyond the basic plane included. A tab has a rule of its own. */
const UNPRINTABLE = /[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;
/** A dash, a question mark and a colon count with what follows them; a number sign with what stands before it. */
const INDICATOR = new RegExp(`^(?:---|\\.\\.\\.|[#,[\\]{}&*!|>'"%@\`]|[-?](?:[ \\t]|$))|:(?:[ \\t]|$)|[ \\t\\0${BREAK}]#`);

/** Whether a text has line breaks in YAML: more characters break lines there than in JSON. */
export function hasBreak(text: string): boolean {
  return HAS_BREAK.test(text);
}

function isBlockAllowed(text: string): boolean {
  return !text.endsWith(' ') && !SPACE_BEFORE_BREAK.test(text) && !UNPRINTABLE.test(text);
}

function isPlainAllowed(text: string): boolean {
  const isAtEnds = text.startsWith(' ') || text.endsWith(' ') || BREAK_AT_AN_END.test(text);
  return !isAtEnds && !text.includes('\t') && !HAS_BREAK.test(text) && !UNPRINTABLE.test(text) && !INDICATOR.test(text);
}

function isSingleAllowed(text: string): boolean {
  return !text.includes('\t') && !SPACE_BEFORE_BREAK.test(text) && !SPACE_AFTER_BREAK.test(text) && !UNPRINTABLE.test(text);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\0': '0',
  '\x07': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\x1b': 'e',
  '"': '"',
  '\\': '\\',
  '\x85': 'N',
  '\xa0': '_',
  '\u2028': 'L',
  '\u2029': 'P',
};
const ESCAPED = /["\\\u2028\u2029]|[^\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/gu;

export function doubleQuoted(text: string): string {
  // A byte order mark at the start is looked for at each character.
  const isMarked = text.startsWith('\ufeff');
  return `"${text.replace(isMarked ? /./gsu : ESCAPED, escaped)}"`;
}

function escaped(character: string): string {
  const short = ESCAPES[character];
  if (short !== undefined) return `\\${short}`;
  const code = character.codePointAt(0) ?? 0;
  const hex = (width: number): string => code.toString(16).toUpperCase().padStart(width, '0');
  if (code <= 0xff) return `\\x${hex(2)}`;
  return code <= 0xffff ? `\\u${hex(4)}` : `\\U${hex(8)}`;
}

const WORDS: ReadonlySet<string> = new Set([
  ...['true', 'True', 'TRUE', 'false', 'False', 'FALSE', '', '~', 'null', 'Null', 'NULL'],
  ...['.nan', '.NaN', '.NAN', '.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF', '-.inf', '-.Inf', '-.INF'],
]);
const FRACTION = /^\.\d+(?:_\d+)*(?:[eE][-+]?\d+(?:_\d+)*)?$/;
const NUMBER = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const BASED = /^([-+]?)0(?:[xX]([\da-fA-F]+)|[bB]([01]+)|[oO]([0-7]+))$/;
/** Go takes the prefix away and reads the rest as a number, sign and all. */
const SIGNED_AFTER_PREFIX = /^0(?:b([-+])([01]+)|o([-+])([0-7]+))$/;

/** Whether a text without quotes would be a number, a boolean, a date or nothing. Source: `resolve.go` of the same. */
function isOtherScalar(text: string): boolean {
  if (WORDS.has(text)) return true;
  if (text.startsWith('.')) return FRACTION.test(text) && isInRange(text.replaceAll('_', ''));
  if (!/^[-+\d]/.test(text)) return false;
  if (isTimestamp(text)) return true;
  const plain = text.replaceAll('_', '');
  return (NUMBER.test(plain) && isInRange(plain)) || isBasedInteger(plain);
}

function isInRange(text: string): boolean {
  return Number.isFinite(Number(text));
}

function isBasedInteger(text: string): boolean {
  const based = BASED.exec(text);
  if (based !== null) {
    const [, sign = '', hexadecimal, binary, octal] = based;
    const value = magnitude(hexadecimal, binary, octal);
    if (sign === '') return value < 2n ** 64n;
    return value < 2n ** 63n || (sign === '-' && value === 2n ** 63n);
  }
  const [, binarySign, binary, octalSign, octal] = SIGNED_AFTER_PREFIX.exec(text) ?? [];
  const sign = binarySign ?? octalSign;
  if (sign === undefined) return false;
  const value = magnitude(undefined, binary, octal);
  return value < 2n ** 63n || (sign === '-' && value === 2n ** 63n);
}

function magnitude(hexadecimal: string | undefined, binary: string | undefined, octal: string | undefined): bigint {
  if (hexadecimal !== undefined) return BigInt(`0x${hexadecimal}`);
  return binary === undefined ? BigInt(`0o${octal}`) : BigInt(`0b${binary}`);
}

const TIMESTAMP =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[-+](\d\d):(\d\d))| +(\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?)?$/;

/** As Go's `time.Parse` takes it in one of four forms. */
function isTimestamp(text: string): boolean {
  const found = TIMESTAMP.exec(text);
  if (found === null) return false;
  const [year = 0, month = 0, day = 0, ...clock] = found.slice(1).map((part) => (part === undefined ? 0 : Number(part)));
  const [hour = 0, minute = 0, second = 0, zoneHour = 0, zoneMinute = 0, otherHour = 0, otherMinute = 0, otherSecond = 0] = clock;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return false;
  const isTime = hour < 24 && minute < 60 && second < 60 && otherHour < 24 && otherMinute < 60 && otherSecond < 60;
  return isTime && zoneHour <= 24 && zoneMinute <= 60;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
