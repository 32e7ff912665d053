/**
 * How Go prints values: the API server's messages quote values with `%q`, `%v` and `encoding/json`, and clients compare them.
 *
 * JavaScript does not distinguish 1.0 from 1: whole numbers print as Go's int64 does.
 */
import type { Json } from './structural-schema.js';

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
};

/** `strconv.Quote`: what `%q` prints for a string. */
export function goQuote(text: string): string {
  let quoted = '"';
  for (const character of text) {
    quoted += SHORT_ESCAPES[character] ?? (isPrintable(character) ? character : escapedRune(character));
  }
  return `${quoted}"`;
}

// Go prints letters, marks, numbers, punctuation, symbols and the ASCII space; every other space is escaped.
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

function isPrintable(character: string): boolean {
  return PRINTABLE.test(character);
}

function escapedRune(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`;
  // A lone surrogate is not UTF-8: Go's decoder has replaced it before.
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** `%v` of an int64 (whole numbers) or of a float64. */
export function goNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 63) return BigInt(value).toString();
  return goFloat(value);
}

/** `%v` of a float64: `%g` with the shortest digits, so 1000000 prints as `1e+06`; an exponent also below 1e-4. */
export function goFloat(value: number): string {
  const [digits = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < 6) return String(value);
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** `%v` of a decoded JSON value. */
export function goValue(value: Json): string {
  if (value === null) return '<nil>';
  if (typeof value === 'number') return goNumber(value);
  if (typeof value !== 'object') return String(value);
  if (isArray(value)) return `[${value.map(goValue).join(' ')}]`;
  const fields = Object.entries(value).sort(([left], [right]) => compareUtf8(left, right));
  return `map[${fields.map(([name, item]) => `${name}:${goValue(item)}`).join(' ')}]`;
}

/** `%T` of a decoded JSON value. */
export function goType(value: Json): string {
  if (value === null) return '<nil>';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'boolean') return 'bool';
  return isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** `encoding/json`: keys sorted by bytes, no blanks, `<`, `>`, `&` and the two line separators escaped. */
export function goJson(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`;
  // A Map stands for a Go struct: its fields keep their order.
  if (value instanceof Map) return `{${[...value].map(([key, item]) => `${jsonString(String(key))}:${goJson(item)}`).join(',')}}`;
  if (typeof value === 'object') {
    const entries = Object.entries(value).sort(([left], [right]) => compareUtf8(left, right));
    return `{${entries.map(([key, item]) => `${jsonString(key)}:${goJson(item)}`).join(',')}}`;
  }
  return typeof value === 'string' ? jsonString(value) : JSON.stringify(value);
}

const HTML_OR_SEPARATOR = /[<>&\u2028\u2029]/g;

function jsonString(text: string): string {
  return JSON.stringify(text).replace(
    HTML_OR_SEPARATOR,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

/** Order of Go's strings: by UTF-8 bytes, which is by code point (JavaScript's own order is by UTF-16 unit). */
export function compareUtf8(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return rank(a) - rank(b);
  }
  return left.length - right.length;
}

/** Surrogates stand for code points above all other units. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
