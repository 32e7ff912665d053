import { goQuote } from '@keelson/kubernetes/apimachinery';

/** As deep as Go's decoder goes. */
export const MAX_DEPTH = 10_000;

type Step = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'after-value';

/** The literals, by their first character. */
const LITERALS: Readonly<Record<string, string>> = { t: 'true', f: 'false', n: 'null' };

const isSpace = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isHex = (code: number): boolean => isDigit(code) || ((code | 32) >= 97 && (code | 32) <= 102);

/**
 * The words of Go's `encoding/json` for bytes that are not JSON, for example `invalid character '}' looking for beginning of value`.
 *
 * Works on bytes, as Go does: of a character of several bytes the message shows the first.
 * @returns undefined if the bytes are JSON after all.
 */
export function jsonSyntaxError(bytes: Uint8Array): string | undefined {
  const scanner = new SyntaxScanner(bytes);
  return scanner.run();
}

class SyntaxScanner {
  readonly #bytes: Uint8Array;
  /** Open brackets: true for an object. */
  readonly #open: boolean[] = [];
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  run(): string | undefined {
    let step: Step | 'end' = 'value';
    for (;;) {
      this.#skipSpace();
      if (this.#at >= this.#bytes.length) return step === 'end' ? undefined : 'unexpected end of JSON input';
      if (step === 'end') return this.#unexpected('after top-level value');
      const next: Step | 'end' | { readonly error: string } = this.#take(step);
      if (typeof next === 'object') return next.error;
      step = next;
    }
  }

  #skipSpace(): void {
    while (this.#at < this.#bytes.length && isSpace(this.#byte)) this.#at += 1;
  }

  get #byte(): number {
    return this.#bytes[this.#at] as number;
  }

  #take(step: Step): Step | 'end' | { readonly error: string } {
    const character = String.fromCharCode(this.#byte);
    switch (step) {
      case 'value-or-end':
        if (character === ']') return this.#close();
        return this.#value(character);
      case 'value':
        return this.#value(character);
      case 'key-or-end':
        if (character === '}') return this.#close();
        return this.#key(character);
      case 'key':
        return this.#key(character);
      case 'colon':
        if (character !== ':') return this.#fail('after object key');
        this.#at += 1;
        return 'value';
      case 'after-value':
        return this.#afterValue(character);
    }
  }

  #afterValue(character: string): Step | 'end' | { readonly error: string } {
    const isObject = this.#open.at(-1) === true;
    if (character === ',') {
      this.#at += 1;
      return isObject ? 'key' : 'value';
    }
    if (character === (isObject ? '}' : ']')) return this.#close();
    return this.#fail(isObject ? 'after object key:value pair' : 'after array element');
  }

  #close(): Step | 'end' {
    this.#at += 1;
    this.#open.pop();
    return this.#behindValue();
  }

  #behindValue(): Step | 'end' {
    return this.#open.length === 0 ? 'end' : 'after-value';
  }

  #key(character: string): Step | { readonly error: string } {
    if (character !== '"') return this.#fail('looking for beginning of object key string');
    const error = this.#string();
    return error === undefined ? 'colon' : { error };
  }

  #value(character: string): Step | 'end' | { readonly error: string } {
    if (character === '{' || character === '[') {
      if (this.#open.length >= MAX_DEPTH) return this.#fail('exceeded max depth');
      this.#open.push(character === '{');
      this.#at += 1;
      return character === '{' ? 'key-or-end' : 'value-or-end';
    }
    const error = this.#literal(character);
    return error === undefined ? this.#behindValue() : { error };
  }

  #literal(character: string): string | undefined {
    if (character === '"') return this.#string();
    if (character === '-' || isDigit(this.#byte)) return this.#number();
    const literal = LITERALS[character];
    if (literal === undefined) return this.#unexpected('looking for beginning of value');
    for (const expected of literal.slice(1)) {
      this.#at += 1;
      if (this.#at >= this.#bytes.length) return 'unexpected end of JSON input';
      if (this.#byte !== expected.charCodeAt(0)) return this.#unexpected(`in literal ${literal} (expecting '${expected}')`);
    }
    this.#at += 1;
    return undefined;
  }

  #string(): string | undefined {
    for (this.#at += 1; this.#at < this.#bytes.length; this.#at += 1) {
      if (this.#byte === 34) {
        this.#at += 1;
        return undefined;
      }
      if (this.#byte < 0x20) return this.#unexpected('in string literal');
      const error = this.#byte === 92 ? this.#escape() : undefined;
      if (error !== undefined) return error;
    }
    return 'unexpected end of JSON input';
  }

  #escape(): string | undefined {
    this.#at += 1;
    if (this.#at >= this.#bytes.length) return undefined;
    const character = String.fromCharCode(this.#byte);
    if ('bfnrt\\/"'.includes(character)) return undefined;
    if (character !== 'u') return this.#unexpected('in string escape code');
    for (let digits = 0; digits < 4; digits += 1) {
      this.#at += 1;
      if (this.#at >= this.#bytes.length) return undefined;
      if (!isHex(this.#byte)) return this.#unexpected('in \\u hexadecimal character escape');
    }
    return undefined;
  }

  #number(): string | undefined {
    if (this.#byte === 45) this.#at += 1;
    if (!this.#isDigitHere()) return this.#missing('in numeric literal');
    if (this.#byte === 48) this.#at += 1;
    else this.#digits();
    if (this.#bytes[this.#at] === 46) {
      this.#at += 1;
      if (!this.#isDigitHere()) return this.#missing('after decimal point in numeric literal');
      this.#digits();
    }
    if (((this.#bytes[this.#at] ?? 0) | 32) !== 101) return undefined;
    this.#at += 1;
    if (this.#bytes[this.#at] === 43 || this.#bytes[this.#at] === 45) this.#at += 1;
    if (!this.#isDigitHere()) return this.#missing('in exponent of numeric literal');
    this.#digits();
    return undefined;
  }

  #isDigitHere(): boolean {
    return this.#at < this.#bytes.length && isDigit(this.#byte);
  }

  #digits(): void {
    while (this.#isDigitHere()) this.#at += 1;
  }

  #missing(place: string): string {
    return this.#at >= this.#bytes.length ? 'unexpected end of JSON input' : this.#unexpected(place);
  }

  #unexpected(place: string): string {
    return `invalid character ${quoted(this.#byte)} ${place}`;
  }

  #fail(place: string): { readonly error: string } {
    return { error: this.#unexpected(place) };
  }
}

function quoted(byte: number): string {
  if (byte === 39) return `'\\''`;
  if (byte === 34) return `'"'`;
  return `'${goQuote(String.fromCharCode(byte)).slice(1, -1)}'`;
}
