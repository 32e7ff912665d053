import type { LiteralValue } from './ast.js';
import type { Token } from './lexer.js';

const MAX_INT = 2n ** 63n - 1n;
const MIN_INT = -(2n ** 63n);
const MAX_UINT = 2n ** 64n - 1n;

const SINGLE_ESCAPES: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  '\\': 92,
  "'": 39,
  '"': 34,
  '`': 96,
  '?': 63,
};

/** Reads a literal token, with the sign before it; a string result is what is wrong with it. */
export function readLiteral(token: Token, sign: '' | '-'): LiteralValue | string {
  switch (token.type) {
    case 'NUM_INT':
      return readInt(token.text, sign);
    case 'NUM_UINT': {
      const value = BigInt(token.text.slice(0, -1));
      return value > MAX_UINT ? 'invalid uint literal' : { kind: 'uint', value };
    }
    case 'NUM_FLOAT': {
      const value = Number(sign + token.text);
      return Number.isFinite(value) ? { kind: 'double', value } : 'invalid double literal';
    }
    case 'STRING':
      return readString(token.text);
    case 'BYTES':
      return readBytes(token.text.slice(1));
    case 'null':
      return { kind: 'null' };
    default:
      return { kind: 'bool', value: token.type === 'true' };
  }
}

function readInt(text: string, sign: '' | '-'): LiteralValue | string {
  const value = sign === '-' ? -BigInt(text) : BigInt(text);
  return value > MAX_INT || value < MIN_INT ? 'invalid int literal' : { kind: 'int', value };
}

function readString(quoted: string): LiteralValue | string {
  const codes = unescapeCodes(quoted, false);
  if (typeof codes === 'string') return codes;
  return { kind: 'string', value: codes.map((code) => String.fromCodePoint(code)).join('') };
}

function readBytes(quoted: string): LiteralValue | string {
  const codes = unescapeCodes(quoted, true);
  if (typeof codes === 'string') return codes;
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  // Escaped octets were marked by a negative number: they are bytes, not characters to be encoded.
  for (const code of codes) bytes.push(...(code < 0 ? [-code - 1] : encoder.encode(String.fromCodePoint(code))));
  return { kind: 'bytes', value: Uint8Array.from(bytes) };
}

/** Code points of a quoted text; for bytes an escaped octet `n` is given as `-n - 1`. A string result is the problem. */
function unescapeCodes(quoted: string, isBytes: boolean): number[] | string {
  const raw = /^[rR]/.test(quoted);
  const text = (raw ? quoted.slice(1) : quoted).replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  const width = text.length >= 6 && (text.startsWith('"""') || text.startsWith("'''")) ? 3 : 1;
  const body = text.slice(width, -width);
  if (raw || !body.includes('\\')) return [...body].map((character) => character.codePointAt(0) ?? 0);
  const codes: number[] = [];
  for (let at = 0; at < body.length; ) {
    const piece = body[at] === '\\' ? readEscape(body, at, isBytes) : plainCharacter(body, at);
    if (typeof piece === 'string') return piece;
    codes.push(piece.code);
    at += piece.length;
  }
  return codes;
}

interface Piece {
  readonly code: number;
  readonly length: number;
}

function plainCharacter(body: string, at: number): Piece {
  const code = body.codePointAt(at) ?? 0;
  return { code, length: code > 0xffff ? 2 : 1 };
}

function readEscape(body: string, at: number, isBytes: boolean): Piece | string {
  const letter = body[at + 1] ?? '';
  const single = SINGLE_ESCAPES[letter];
  if (single !== undefined) return { code: isBytes ? -single - 1 : single, length: 2 };
  if (/[0-3]/.test(letter)) return numeric(body.slice(at + 1, at + 4), 8, isBytes);
  const digits = { x: 2, X: 2, u: 4, U: 8 }[letter];
  if (digits === undefined || (isBytes && digits > 2)) return 'unable to unescape string';
  const piece = numeric(body.slice(at + 2, at + 2 + digits), 16, isBytes);
  return typeof piece === 'string' ? piece : { code: piece.code, length: digits + 2 };
}

function numeric(digits: string, base: 8 | 16, isBytes: boolean): Piece | string {
  const value = Number.parseInt(digits, base);
  if (isBytes) return { code: -(value & 0xff) - 1, length: digits.length + 1 };
  if (value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) return 'invalid unicode code point';
  return { code: value, length: digits.length + 1 };
}
