const QUOTE = 34;
const MINUS = 45;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** Numbers of fewer characters and without an exponent are exact and finite. */
const SAFE_NUMBER_LENGTH = 15;

export interface JsonScan {
  /** Fields written, those given twice counted twice. */
  readonly fields: number;
  readonly depth: number;
  /** A number that may be beyond what JavaScript keeps exactly. */
  readonly hasLargeNumber: boolean;
}

/** One quick pass over a text that is known to be JSON. The result says whether a slower, exact look is needed. */
export function scanJson(text: string): JsonScan {
  let fields = 0;
  let level = 0;
  let depth = 0;
  let hasLargeNumber = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COLON) fields += 1;
    else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      level += 1;
      if (level > depth) depth = level;
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) level -= 1;
    else if ((code >= ZERO && code <= NINE) || code === MINUS) {
      const end = endOfNumber(text, at);
      if (end - at > SAFE_NUMBER_LENGTH || hasExponent(text, at, end)) hasLargeNumber = true;
      at = end - 1;
    }
  }
  return { fields, depth, hasLargeNumber };
}

/** Index of the closing quote. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (text.charCodeAt(end - 1) === BACKSLASH && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}

/** Index behind the last character. */
export function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && isNumberPart(text.charCodeAt(end))) end += 1;
  return end;
}

/** Digits, sign, point, `e`, `E`. */
function isNumberPart(code: number): boolean {
  return (code >= ZERO && code <= NINE) || code === 46 || code === 43 || code === MINUS || code === 69 || code === 101;
}

function hasExponent(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if ((text.charCodeAt(at) | 32) === 101) return true;
  return false;
}
