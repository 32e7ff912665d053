import type { Json } from '@keelson/kubernetes/apimachinery';
import { BodyProblem } from './body-problem.js';
import { exactNumber } from './exact-number.js';

const TRUE = new Set(['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON']);
const FALSE = new Set(['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF']);
const NULL = new Set(['', '~', 'null', 'Null', 'NULL']);
const NOT_FINITE: ReadonlyMap<string, string> = new Map([
  ...['.nan', '.NaN', '.NAN'].map((text) => [text, 'NaN'] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((text) => [text, '+Inf'] as const),
  ...['-.inf', '-.Inf', '-.INF'].map((text) => [text, '-Inf'] as const),
]);
const DECIMAL = /^[-+]?(0|[1-9][0-9]*)$/;
const BASED = /^([-+]?)0(?:([xX])([0-9a-fA-F]+)|([oO]?)([0-7]+)|([bB])([01]+))$/;
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const UINT64_MAX = 2n ** 64n - 1n;
const INT64_MIN = -(2n ** 63n);
const STANDARD_TAG = 'tag:yaml.org,2002:';

/** A scalar with its tag, if one is written. */
export interface YamlScalar {
  readonly text: string;
  readonly isPlain: boolean;
  readonly tag?: string;
}

/**
 * The value of a scalar by the rules of go-yaml 2, which the API server uses: YAML 1.1 without base 60, and what looks like a time stays a string.
 *
 * Source: go-yaml v2 `resolve.go`.
 * @throws BodyProblem
 */
export function scalarValue({ text, isPlain, tag }: YamlScalar): Json {
  const standard = tag?.startsWith(STANDARD_TAG) ? tag.slice(STANDARD_TAG.length) : undefined;
  if (standard === 'str' || (tag === undefined && !isPlain) || tag === '!') return text;
  if (standard === 'binary') return fromBase64(text);
  if (tag !== undefined && !['bool', 'int', 'float', 'null', 'timestamp'].includes(standard ?? '')) return text;
  const value = plainValue(text);
  if (standard !== undefined && standard !== 'timestamp' && !isOf(standard, value))
    throw new BodyProblem(`yaml: cannot decode !!${kindOf(value)} \`${text}\` as a !!${standard}`);
  return value;
}

function isOf(tag: string, value: Json): boolean {
  return kindOf(value) === tag || (tag === 'float' && kindOf(value) === 'int');
}

function kindOf(value: Json): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  return typeof value === 'boolean' ? 'bool' : 'str';
}

function plainValue(text: string): Json {
  if (NULL.has(text)) return null;
  if (TRUE.has(text)) return true;
  if (FALSE.has(text)) return false;
  const notFinite = NOT_FINITE.get(text);
  if (notFinite !== undefined) throw new BodyProblem(`json: unsupported value: ${notFinite}`);
  return numberOf(text) ?? text;
}

function numberOf(text: string): number | undefined {
  if (!/^[-+.0-9]/.test(text)) return undefined;
  const plain = text.startsWith('.') ? text : text.replaceAll('_', '');
  const integer = integerOf(plain);
  if (integer !== undefined && integer >= INT64_MIN && integer <= UINT64_MAX) return exactNumber(integer.toString());
  if (!FLOAT.test(plain)) return undefined;
  const value = Number(plain);
  return Number.isFinite(value) ? value : undefined;
}

function integerOf(text: string): bigint | undefined {
  if (DECIMAL.test(text)) return BigInt(text.replace('+', ''));
  const based = BASED.exec(text);
  if (based === null) return undefined;
  const [, sign, x, hex, , octal, , binary] = based;
  const value = x !== undefined ? BigInt(`0x${hex}`) : octal !== undefined ? BigInt(`0o${octal}`) : BigInt(`0b${binary}`);
  return sign === '-' ? -value : value;
}

function fromBase64(text: string): string {
  const compact = text.replaceAll(/\s/g, '');
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(compact))
    throw new BodyProblem('yaml: !!binary value contains invalid base64 data');
  return Buffer.from(compact, 'base64').toString('utf8');
}
