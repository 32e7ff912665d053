import type { Implementation } from '../values/index.js';
import { type CelList, type CelValue, celError, elementsOf, kindOf, listValue } from '../values/index.js';
import { formatString } from './format-string.js';
import { compilePattern } from './regex.js';

/** Wraps a function of strings and ints; other arguments are not overloads of it. */
function overload(shape: string, run: (...args: never[]) => CelValue): Implementation {
  const kinds = shape.split(' ');
  return (args) =>
    args.length === kinds.length && args.every((arg, index) => kindOf(arg) === kinds[index]) ? run(...(args as never[])) : undefined;
}

function anyOf(...implementations: Implementation[]): Implementation {
  return (args) => {
    for (const implementation of implementations) {
      const result = implementation(args);
      if (result !== undefined) return result;
    }
    return undefined;
  };
}

const outOfRange = (index: bigint): CelValue => celError(`index out of range: ${index}`);

/** For a segment of a JSON Pointer. */
function escapeKey(text: string): string {
  return text.replace(/[~/]/g, (character) => (character === '/' ? '~1' : '~0'));
}

function charAt(text: string, index: bigint): CelValue {
  const characters = [...text];
  if (index < 0n || index > BigInt(characters.length)) return outOfRange(index);
  return characters[Number(index)] ?? '';
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

function indexOf(text: string, part: string, offset = 0n): CelValue {
  if (offset < 0n) return outOfRange(offset);
  const characters = [...text];
  if (part === '') return smaller(offset, BigInt(characters.length));
  if (offset >= BigInt(characters.length)) return -1n;
  const before = characters.slice(0, Number(offset)).join('').length;
  const found = text.indexOf(part, before);
  return found === -1 ? -1n : BigInt([...text.slice(0, found)].length);
}

function lastIndexOf(text: string, part: string, offset?: bigint): CelValue {
  const characters = [...text];
  if (offset !== undefined && offset < 0n) return outOfRange(offset);
  if (part === '') return smaller(offset ?? BigInt(characters.length), BigInt(characters.length));
  if (offset === undefined && new TextEncoder().encode(text).length < new TextEncoder().encode(part).length) return -1n;
  const from = offset ?? BigInt(characters.length - 1);
  if (from < 0n) return outOfRange(from);
  if (from >= BigInt(characters.length)) return -1n;
  const found = text.lastIndexOf(part, characters.slice(0, Number(from)).join('').length);
  return found === -1 ? -1n : BigInt([...text.slice(0, found)].length);
}

function substring(text: string, start: bigint, end?: bigint): CelValue {
  const characters = [...text];
  const length = BigInt(characters.length);
  if (end !== undefined && start > end) return celError(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0n || start > length) return outOfRange(start);
  if (end !== undefined && (end < 0n || end > length)) return outOfRange(end);
  return characters.slice(Number(start), end === undefined ? undefined : Number(end)).join('');
}

/** Go's `strings.Replace`: at most `limit` times; an empty `old` matches before every character and at the end. */
function replace(text: string, old: string, by: string, limit = -1n): CelValue {
  if (limit < 0n) return old === '' ? by + [...text].map((character) => character + by).join('') : text.replaceAll(old, () => by);
  let left = Number(limit);
  if (old === '') {
    const characters = [...text].map((character) => (left-- > 0 ? by : '') + character).join('');
    return left > 0 ? characters + by : characters;
  }
  const parts = text.split(old);
  return parts.reduce((done, part) => done + (left-- > 0 ? by : old) + part);
}

/** Go's `strings.SplitN`. */
function split(text: string, separator: string, limit = -1n): CelValue {
  if (limit === 0n) return listValue([]);
  const parts = separator === '' ? [...text] : text.split(separator);
  if (limit < 0n || parts.length <= Number(limit)) return listValue(parts);
  const head = parts.slice(0, Number(limit) - 1);
  return listValue([...head, parts.slice(Number(limit) - 1).join(separator)]);
}

function join(list: CelList, separator = ''): CelValue {
  const elements = elementsOf(list);
  const wrong = elements.find((element) => typeof element !== 'string');
  return wrong === undefined ? elements.join(separator) : celError(`join: invalid input: ${String(wrong)}`);
}

const asciiOnly = (pattern: RegExp, change: (text: string) => string) => (text: string) => text.replace(pattern, change);
const lowerAscii = asciiOnly(/[A-Z]+/g, (text) => text.toLowerCase());
const upperAscii = asciiOnly(/[a-z]+/g, (text) => text.toUpperCase());

/** Go's `unicode.IsSpace`; JavaScript's `trim` also takes U+FEFF and leaves U+0085. */
const SPACE = '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const LEADING = new RegExp(`^${SPACE}+`);
const TRAILING_ONE = new RegExp(SPACE);

function trimSpace(text: string): string {
  const start = LEADING.exec(text)?.[0].length ?? 0;
  let end = text.length;
  while (end > start && TRAILING_ONE.test(text[end - 1] ?? '')) end--;
  return text.slice(start, end);
}

const QUOTED: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

function quote(text: string): string {
  return `"${[...text].map((character) => QUOTED[character] ?? character).join('')}"`;
}

function matches(text: string, pattern: string): CelValue {
  const compiled = compilePattern(pattern);
  return typeof compiled === 'string' ? celError(compiled) : compiled.test(text);
}

function find(text: string, pattern: string): CelValue {
  const compiled = compilePattern(pattern);
  if (typeof compiled === 'string') return celError(`Illegal regex: ${compiled}`);
  for (const match of compiled.matches(text)) return match;
  return '';
}

function findAll(text: string, pattern: string, limit = -1n): CelValue {
  const compiled = compilePattern(pattern);
  if (typeof compiled === 'string') return celError(`Illegal regex: ${compiled}`);
  const found: string[] = [];
  if (limit === 0n) return listValue(found);
  for (const match of compiled.matches(text)) {
    found.push(match);
    if (BigInt(found.length) === limit) break;
  }
  return listValue(found);
}

export const STRING_FUNCTIONS: Readonly<Record<string, Implementation>> = {
  'jsonpatch.escapeKey': overload('string', escapeKey),
  contains: overload('string string', (text: string, part: string) => text.includes(part)),
  startsWith: overload('string string', (text: string, part: string) => text.startsWith(part)),
  endsWith: overload('string string', (text: string, part: string) => text.endsWith(part)),
  matches: overload('string string', matches),
  find: overload('string string', find),
  findAll: anyOf(overload('string string', findAll), overload('string string int', findAll)),
  charAt: overload('string int', charAt),
  indexOf: anyOf(overload('string string', indexOf), overload('string string int', indexOf)),
  lastIndexOf: anyOf(overload('string string', lastIndexOf), overload('string string int', lastIndexOf)),
  lowerAscii: overload('string', lowerAscii),
  upperAscii: overload('string', upperAscii),
  replace: anyOf(overload('string string string', replace), overload('string string string int', replace)),
  split: anyOf(overload('string string', split), overload('string string int', split)),
  join: anyOf(overload('list', join), overload('list string', join)),
  substring: anyOf(overload('string int', substring), overload('string int int', substring)),
  trim: overload('string', trimSpace),
  'strings.quote': overload('string', quote),
  format: overload('string list', (text: string, args: CelList) => formatString(text, elementsOf(args))),
};
