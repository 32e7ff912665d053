import { type Masked, maskBehind, valueAt } from './behind.js';
import { HIDDEN } from './hidden.js';
import { isSecretPath } from './secret-names.js';

const HEAD = /(?<![\w.-])[vV]alue\\{0,4}["']?[ \t]{0,4}:[ \t]{0,4}/g;
/** Between two fields of an operation, and the path. The operation may stand between them. */
const SEPARATOR = /\\{0,4}["']?(?:[\s,]|\\{1,4}n){1,80}\\{0,4}["']?/.source;
const SIGN = /\\{0,4}["']?[ \t]{0,4}:[ \t]{0,4}\\{0,4}["']?/.source;
const PATH_BEHIND = new RegExp(`(?:${SEPARATOR}op${SIGN}\\w{1,10})?${SEPARATOR}path${SIGN}(?<path>/[\\w.~/-]{1,200})`, 'y');
/** Longer values are left to the other rules: each of them is read, whether it is hidden or not. */
const LONGEST = 2_000;

/** Masks values of JSON Patch operations that stand before their path: `{"value":"x","path":"/spec/password"}`. */
export function withoutPatchValues(text: string): string {
  return text.includes('path') ? maskBehind(text, HEAD, (_, at) => valueBefore(text.slice(at, at + LONGEST), at)) : text;
}

function valueBefore(text: string, at: number): Masked | undefined {
  const value = valueAt(text, 0, 'quoted') ?? valueAt(text, 0, 'word');
  if (value === undefined) return undefined;
  PATH_BEHIND.lastIndex = value.length;
  const path = PATH_BEHIND.exec(text)?.groups?.['path'];
  if (path === undefined || !isSecretPath(path)) return undefined;
  const quote = /^\\?["']/.exec(value)?.[0] ?? '';
  return { shown: `${quote}${HIDDEN}${quote}`, end: at + value.length };
}
