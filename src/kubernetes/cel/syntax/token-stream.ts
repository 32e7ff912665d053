import { escapeWhitespace, type Token, type TokenType, tokenize } from './lexer.js';
import { type CelProblem, positionAt } from './problem.js';

/** The order in which ANTLR lists tokens. */
const TOKEN_ORDER =
  '== != in < <= >= > && || [ ] { } ( ) . , - ! ? : + * / % true false null NUM_FLOAT NUM_INT NUM_UINT STRING BYTES IDENTIFIER ESC_IDENTIFIER'.split(
    ' ',
  );
const CLOSING = new Set<TokenType>([')', ']', '}']);
const OPERAND_FOLLOW: readonly TokenType[] = ['?', '.', '[', '&&', '||', '<', '<=', '>=', '>', '==', '!=', 'in', '+', '-', '*', '/', '%'];

/** Thrown to leave the descent; the problem is already recorded. */
export const STOP: Error = new Error('stop');

/**
 * The tokens of a source text, taken one by one, and the problems found on the way.
 *
 * ANTLR, which the API server uses, goes on after an error. This stream does so where one token too much or too few is the whole
 * damage (as ANTLR, it then says `extraneous input` or `missing`), and stops at any other: later messages would be consequences.
 */
export class TokenStream {
  readonly problems: CelProblem[] = [];
  /** Whether the text is not CEL at all; macros are then not expanded. */
  hasSyntaxError = false;
  readonly #source: string;
  readonly #tokens: readonly Token[];
  #position = 0;
  /** Tokens that may follow an expression within each open bracket, innermost last. */
  readonly #enclosing: (readonly TokenType[])[] = [];

  constructor(source: string) {
    this.#source = source;
    const { tokens, problems } = tokenize(source);
    this.#tokens = tokens;
    for (const problem of problems) this.syntax(problem.message, problem.at);
  }

  get token(): Token {
    return this.#tokens[this.#position] as Token;
  }

  get following(): Token {
    return this.#tokens[Math.min(this.#position + 1, this.#tokens.length - 1)] as Token;
  }

  is(type: TokenType): boolean {
    return this.token.type === type;
  }

  advance(): Token {
    const { token } = this;
    if (token.type !== '<EOF>') this.#position++;
    return token;
  }

  accept(type: TokenType): Token | undefined {
    return this.is(type) ? this.advance() : undefined;
  }

  report(message: string, at: number): void {
    this.problems.push({ message, ...positionAt(this.#source, at) });
  }

  syntax(message: string, at: number): void {
    this.hasSyntaxError = true;
    this.report(`Syntax error: ${message}`, at);
  }

  /** Gives up over a limit, which belongs to no place. */
  internal(message: string): never {
    this.problems.push({ message, line: 0, column: 0 });
    throw STOP;
  }

  /** Takes a token that must come here; repairs one token too much or too few. */
  expect(type: TokenType): Token {
    const { token } = this;
    if (token.type === type) return this.advance();
    if (token.type !== '<EOF>' && this.following.type === type) {
      this.syntax(`extraneous input ${quoted(token)} expecting ${expected([type])}`, token.at);
      this.advance();
      return this.advance();
    }
    if (CLOSING.has(type) && this.#mayFollowOperand(token)) {
      this.syntax(`missing '${type}' at ${quoted(token)}`, token.at);
      return token;
    }
    return this.mismatch([type]);
  }

  #mayFollowOperand(token: Token): boolean {
    const closing = this.#enclosing.at(-2) ?? ['<EOF>'];
    return closing.includes(token.type) || OPERAND_FOLLOW.includes(token.type);
  }

  /** Parses what stands between brackets; `follow` are the tokens that may come after an expression in there. */
  within<T>(follow: readonly TokenType[], parse: () => T): T {
    this.#enclosing.push(follow);
    const result = parse();
    this.#enclosing.pop();
    return result;
  }

  /** Makes sure that one of `types` comes: skips one token too much, else stops. */
  sync(types: readonly TokenType[]): void {
    const { token } = this;
    if (types.includes(token.type)) return;
    if (token.type === '<EOF>' || !types.includes(this.following.type)) this.mismatch(types);
    this.extraneous(types);
    this.advance();
  }

  extraneous(types: readonly TokenType[]): void {
    this.syntax(`extraneous input ${quoted(this.token)} expecting ${expected(types)}`, this.token.at);
  }

  mismatch(types: readonly TokenType[]): never {
    this.mismatched(types);
    throw STOP;
  }

  mismatched(types: readonly TokenType[]): void {
    this.syntax(`mismatched input ${quoted(this.token)} expecting ${expected(types)}`, this.token.at);
  }

  /** Nothing in the grammar goes on as the text between the two tokens does. */
  noViable(from: Token, offending: Token): never {
    const text = this.#source.slice(from.at, offending.type === '<EOF>' ? offending.at : offending.at + offending.text.length);
    const input = offending.type === '<EOF>' ? text.trimEnd() : text;
    const word = /^.(true|false|null)$/s.exec(input)?.[1];
    this.syntax(
      word === undefined
        ? `no viable alternative at input '${escapeWhitespace(input)}'`
        : `mismatched input '${word}' expecting IDENTIFIER`,
      offending.at,
    );
    throw STOP;
  }

  /** `a.b.C` when a `{` follows; the tokens up to the `{` are then taken. */
  takeStructName(): string | undefined {
    let position = this.#position;
    let name = '';
    if (this.#tokens[position]?.type === '.') {
      name = '.';
      position++;
    }
    while (this.#tokens[position]?.type === 'IDENTIFIER') {
      name += this.#tokens[position]?.text;
      const next = this.#tokens[++position]?.type;
      if (next === '{') {
        this.#position = position;
        return name;
      }
      if (next !== '.') return undefined;
      name += '.';
      position++;
    }
    return undefined;
  }
}

function quoted(token: Token): string {
  return `'${escapeWhitespace(token.text)}'`;
}

function expected(types: readonly TokenType[]): string {
  const names = [...types]
    .sort((a, b) => TOKEN_ORDER.indexOf(a) - TOKEN_ORDER.indexOf(b))
    .map((type) => (/^(?:[A-Z]|<EOF>)/.test(type) ? type : `'${type}'`));
  return names.length === 1 ? (names[0] as string) : `{${names.join(', ')}}`;
}
