import { JsonPathError, type PathNode } from './node.js';

/**
 * Reads a path as a printer column has it (`.spec.replicas`, `.status.conditions[?(@.type=="Ready")].status`).
 *
 * Source of the grammar, oddities included: client-go, `util/jsonpath/parser.go`. Templates (`range`, text around braces) are not paths and are refused.
 * @throws JsonPathError
 */
export function parseJsonPath(text: string): readonly PathNode[] {
  return new PathParser(text).parse();
}

const TERMINATOR = /[ \t\r\n.,[\]$@{}]/;
const SLICE = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;
const COMPARISON = /^([^!<>=]+)([!<>=]+)(.+?)$/s;

class PathParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): readonly PathNode[] {
    const nodes: PathNode[] = [];
    while (this.#at < this.#text.length) nodes.push(...this.#next(nodes.at(-1)));
    return nodes;
  }

  #next(previous: PathNode | undefined): readonly PathNode[] {
    if (this.#skips('[?(')) return [this.#filter()];
    if (this.#skips('..')) return this.#recursive(previous);
    const character = this.#text[this.#at] as string;
    if (' @$'.includes(character)) {
      this.#at += 1;
      return [];
    }
    if (character === '[') return this.#array();
    if (character === '"' || character === "'") return [this.#quoted(character)];
    if (character === '.') {
      this.#at += 1;
      return [this.#field()];
    }
    if (/[-+\d]/.test(character)) return [this.#number()];
    if (/[\p{L}\p{Nd}_]/u.test(character)) return [this.#word()];
    throw new JsonPathError(`unrecognized character in action: ${JSON.stringify(character)}`);
  }

  #skips(prefix: string): boolean {
    if (!this.#text.startsWith(prefix, this.#at)) return false;
    this.#at += prefix.length;
    return true;
  }

  #recursive(previous: PathNode | undefined): readonly PathNode[] {
    if (previous?.node === 'recursive') throw new JsonPathError('invalid multiple recursive descent');
    const named = /[\p{L}\p{Nd}_]/u.test(this.#text[this.#at] ?? '');
    return named ? [{ node: 'recursive' }, this.#field()] : [{ node: 'recursive' }];
  }

  /** Up to a terminator; a backslash takes the next character as it is. */
  #field(): PathNode {
    const start = this.#at;
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at] as string;
      if (TERMINATOR.test(character)) break;
      this.#at += character === '\\' ? 2 : 1;
    }
    const name = this.#text.slice(start, this.#at);
    return name === '*' ? { node: 'wildcard' } : { node: 'field', name: name.replaceAll('\\', '') };
  }

  #word(): PathNode {
    const start = this.#at;
    while (this.#at < this.#text.length && !TERMINATOR.test(this.#text[this.#at] as string)) this.#at += 1;
    const word = this.#text.slice(start, this.#at);
    if (word === 'true' || word === 'false') return { node: 'literal', value: word === 'true' };
    throw new JsonPathError(`unrecognized identifier ${word}`);
  }

  #number(): PathNode {
    const text = /^[-+]?[\d.]*/.exec(this.#text.slice(this.#at))?.[0] ?? '';
    this.#at += text.length;
    const value = Number(text);
    if (text === '' || Number.isNaN(value)) throw new JsonPathError(`cannot parse number ${text}`);
    return { node: 'literal', value };
  }

  #quoted(quote: string): PathNode {
    const start = this.#at + 1;
    this.#at = start;
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined || character === '\n') throw new JsonPathError('unterminated quoted string');
      this.#at += 1;
      if (character === quote && this.#text[this.#at - 2] !== '\\') break;
    }
    return { node: 'literal', value: unquoted(this.#text.slice(start, this.#at - 1)) };
  }

  #array(): readonly PathNode[] {
    const end = this.#text.indexOf(']', this.#at);
    const content = end < 0 ? '\n' : this.#text.slice(this.#at + 1, end);
    if (content.includes('\n')) throw new JsonPathError('unterminated array');
    this.#at = end + 1;
    return arrayNodes(content === '*' ? ':' : content);
  }

  #filter(): PathNode {
    const content = this.#filterText();
    const [, left = content, operator = 'exists', right = ''] = COMPARISON.exec(content) ?? [];
    return { node: 'filter', left: parseJsonPath(left), operator, right: parseJsonPath(right) };
  }

  /** Up to the bracket that closes it: one in a quoted text does not count. */
  #filterText(): string {
    const start = this.#at;
    let quote: string | undefined;
    let isClosed = false;
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined || character === '\n') throw new JsonPathError('unterminated filter');
      this.#at += 1;
      if (character === '"' || character === "'") {
        if (quote === undefined) quote = character;
        else if (character === quote && this.#text[this.#at - 2] !== '\\') isClosed = true;
      } else if (character === ')' && (quote !== undefined) === isClosed) break;
    }
    const content = this.#text.slice(start, this.#at - 1);
    if (!this.#skips(']')) throw new JsonPathError('unclosed array expect ]');
    return content;
  }
}

function arrayNodes(content: string): readonly PathNode[] {
  const parts = content.split(',');
  if (parts.length > 1) return [{ node: 'union', paths: parts.map((part) => parseJsonPath(`[${part.trim()}]`)) }];
  const key = /^'([^']*)'$/.exec(content)?.[1];
  return key === undefined ? [sliceNode(content)] : parseJsonPath(`.${key}`);
}

function sliceNode(content: string): PathNode {
  const match = SLICE.exec(content);
  if (match === null) throw new JsonPathError(`invalid array index ${content}`);
  const [, from = '', to, step] = match;
  if (from === '-') throw new JsonPathError(`array index ${from} is not a number`);
  const start = from === '' ? undefined : Number(from);
  const stop = boundOf(to);
  const end =
    to === undefined ? { index: (start ?? 0) + 1, isDerived: true } : stop === undefined ? undefined : { index: stop, isDerived: false };
  const stride = boundOf(step);
  return {
    node: 'slice',
    ...(start !== undefined && { from: start }),
    ...(end !== undefined && { to: end }),
    ...(stride !== undefined && { step: stride }),
  };
}

function boundOf(text: string | undefined): number | undefined {
  const digits = text?.slice(1) ?? '';
  if (digits === '-') throw new JsonPathError(`array index ${digits} is not a number`);
  return digits === '' ? undefined : Number(digits);
}

const ESCAPES: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

function unquoted(text: string): string {
  return text.replace(/\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|(.))/gs, (_, hex?: string, unicode?: string, letter?: string) => {
    const code = hex ?? unicode;
    return code === undefined ? (ESCAPES[letter ?? ''] ?? letter ?? '') : String.fromCharCode(Number.parseInt(code, 16));
  });
}
