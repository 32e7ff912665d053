import { compileGoPattern } from '../../re2/index.js';

/** In [0, 1). */
export type Random = () => number;

/** Beyond these many repetitions a pattern without an upper bound says nothing new. */
const MOST_REPEATS = 3;
const TRIES = 8;

/** A text that a pattern of RE2 matches; `undefined` for patterns with parts that are not written here. */
export function textForPattern(pattern: string, random: Random): string | undefined {
  const compiled = compileGoPattern(pattern);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const text = new PatternReader(pattern, random).read();
    if (text === undefined) return undefined;
    if (compiled.test(text)) return text;
  }
  return undefined;
}

/** Reads a pattern once and writes one text for it: alternatives and repetitions are drawn. */
class PatternReader {
  readonly #pattern: string;
  readonly #random: Random;
  #at = 0;
  #isKnown = true;

  constructor(pattern: string, random: Random) {
    this.#pattern = pattern;
    this.#random = random;
  }

  read(): string | undefined {
    const text = this.#alternatives();
    return this.#isKnown && this.#at >= this.#pattern.length ? text : undefined;
  }

  #alternatives(): string {
    const all = [this.#sequence()];
    while (this.#take('|')) all.push(this.#sequence());
    return all[Math.floor(this.#random() * all.length)] ?? '';
  }

  #sequence(): string {
    let text = '';
    while (this.#at < this.#pattern.length && this.#isKnown && !'|)'.includes(this.#pattern[this.#at] as string)) text += this.#repeated();
    return text;
  }

  #repeated(): string {
    const start = this.#at;
    const first = this.#atom();
    const end = this.#at;
    const { least, most } = this.#quantifier();
    const after = this.#at;
    const count = least + Math.floor(this.#random() * (most - least + 1));
    let text = '';
    for (let index = 0; index < count; index += 1) {
      if (index === 0) text += first;
      else {
        // Read again, so that each repetition is drawn anew.
        this.#at = start;
        text += this.#atom();
        if (this.#at !== end) this.#isKnown = false;
      }
    }
    this.#at = after;
    return text;
  }

  #quantifier(): { readonly least: number; readonly most: number } {
    const counted = /^\{(\d+)(,?)(\d*)\}/.exec(this.#pattern.slice(this.#at));
    let range = { least: 1, most: 1 };
    if (this.#take('?')) range = { least: 0, most: 1 };
    else if (this.#take('*')) range = { least: 0, most: MOST_REPEATS };
    else if (this.#take('+')) range = { least: 1, most: MOST_REPEATS };
    else if (counted !== null) {
      const [whole, from = '0', comma, to] = counted;
      this.#at += whole.length;
      const least = Number(from);
      range = { least, most: comma === '' ? least : to === '' || to === undefined ? least + MOST_REPEATS : Number(to) };
    } else return range;
    // The lazy form matches the same texts.
    this.#take('?');
    return range;
  }

  #atom(): string {
    const char = this.#pattern[this.#at] ?? '';
    this.#at += 1;
    switch (char) {
      case '^':
      case '$':
        return '';
      case '.':
        return this.#drawn('abc019-');
      case '(':
        return this.#group();
      case '[':
        return this.#class();
      case '\\':
        return this.#drawn(this.#escape());
      default:
        return char;
    }
  }

  #group(): string {
    if (this.#take('?') && !this.#take(':') && !this.#name()) this.#isKnown = false;
    const text = this.#alternatives();
    if (!this.#take(')')) this.#isKnown = false;
    return text;
  }

  #name(): boolean {
    const named = /^P?<\w+>/.exec(this.#pattern.slice(this.#at));
    this.#at += named?.[0].length ?? 0;
    return named !== null;
  }

  /** The characters that an escape stands for. */
  #escape(): string {
    const char = this.#pattern[this.#at] ?? '';
    this.#at += 1;
    switch (char) {
      case 'd':
        return '0123456789';
      case 'w':
        return 'abcxyz019_';
      case 's':
        return ' ';
      case 'A':
      case 'z':
        return '';
      default:
        // \b, \D, \p{...} and the like.
        if (/[a-zA-Z]/.test(char)) this.#isKnown = false;
        return char;
    }
  }

  #class(): string {
    const isNegated = this.#take('^');
    let members = '';
    for (let isFirst = true; this.#at < this.#pattern.length && (isFirst || this.#pattern[this.#at] !== ']'); isFirst = false) {
      members += this.#member();
    }
    if (!this.#take(']')) this.#isKnown = false;
    return this.#drawn(isNegated ? [...PRINTABLE].filter((char) => !members.includes(char)).join('') : members);
  }

  #member(): string {
    if (this.#pattern.startsWith('[:', this.#at)) this.#isKnown = false;
    const from = this.#one();
    if (from.length !== 1 || this.#pattern[this.#at] !== '-' || this.#pattern[this.#at + 1] === ']') return from;
    this.#at += 1;
    const to = this.#one();
    const [low, high] = [from.charCodeAt(0), to.charCodeAt(0)];
    return Array.from({ length: Math.max(0, Math.min(high - low + 1, 128)) }, (_, index) => String.fromCharCode(low + index)).join('');
  }

  #one(): string {
    const char = this.#pattern[this.#at] ?? '';
    this.#at += 1;
    return char === '\\' ? this.#escape() : char;
  }

  #drawn(characters: string): string {
    return characters[Math.floor(this.#random() * characters.length)] ?? '';
  }

  #take(char: string): boolean {
    if (this.#pattern[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }
}

const PRINTABLE: string = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).join('');
