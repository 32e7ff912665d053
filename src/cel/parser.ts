import type { Expr, ListNode, MapEntry, StructField } from './ast.js';
import { escapeWhitespace, type Token, type TokenType, tokenize } from './lexer.js';
import { readLiteral } from './literal.js';
import { expandMacro } from './macros.js';
import { type CelProblem, positionAt } from './problem.js';

export type ParseResult = { readonly ok: true; readonly expr: Expr } | { readonly ok: false; readonly problems: readonly CelProblem[] };

/** cel-go's limits. */
const MAX_DEPTH = 250;
const MAX_CODE_POINTS = 100_000;
/** `optMap` uses its target twice: a chain of them doubles the tree at each link, and would never end. cel-go has no such limit. */
const MAX_EXPANDED_NODES = 100_000;

const RESERVED = new Set('as break const continue else for function if import let loop package namespace return var void while'.split(' '));
const EXPRESSION_START: readonly TokenType[] = [
  '[',
  '{',
  '(',
  '.',
  '-',
  '!',
  'true',
  'false',
  'null',
  'NUM_FLOAT',
  'NUM_INT',
  'NUM_UINT',
  'STRING',
  'BYTES',
  'IDENTIFIER',
];
const MEMBER_START: readonly TokenType[] = EXPRESSION_START.filter((type) => type !== '!');
/** The order in which ANTLR lists tokens. */
const TOKEN_ORDER =
  '== != in < <= >= > && || [ ] { } ( ) . , - ! ? : + * / % true false null NUM_FLOAT NUM_INT NUM_UINT STRING BYTES IDENTIFIER ESC_IDENTIFIER'.split(
    ' ',
  );

const BINARY: readonly (readonly TokenType[])[] = [
  ['<', '<=', '>=', '>', '==', '!=', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
];
const OPERATOR_NAMES: Readonly<Record<string, string>> = { in: '@in' };

/** Parses an expression. Whatever the text is, the outcome is a tree or a list of problems. */
export function parse(source: string, options: { readonly lists: boolean }): ParseResult {
  const size = [...source].length;
  if (size > MAX_CODE_POINTS) {
    return {
      ok: false,
      problems: [{ message: `expression code point size exceeds limit: size: ${size}, limit ${MAX_CODE_POINTS}`, line: 0, column: 0 }],
    };
  }
  return new Parser(source, options.lists).run();
}

/** Thrown to leave the descent; the problem is already recorded. */
const STOP = Symbol('stop');

/**
 * Recursive descent over CEL's grammar.
 *
 * ANTLR, which the API server uses, goes on after an error. This parser does so where one token too much or too few is the whole
 * damage (as ANTLR, it then says `extraneous input` or `missing`), and stops at any other: later messages would be consequences.
 */
class Parser {
  readonly #source: string;
  readonly #lists: boolean;
  readonly #tokens: readonly Token[];
  readonly #problems: CelProblem[] = [];
  #position = 0;
  #depth: Record<'expr' | 'relation' | 'calc' | 'member', number> = { expr: 0, relation: 0, calc: 0, member: 0 };
  #syntaxError = false;
  readonly #sizes = new Map<Expr, number>();
  /** What may follow an expression within each open bracket, innermost last. */
  readonly #enclosing: (readonly TokenType[])[] = [];

  constructor(source: string, lists: boolean) {
    this.#source = source;
    this.#lists = lists;
    const { tokens, problems } = tokenize(source);
    this.#tokens = tokens;
    for (const problem of problems) this.#syntax(problem.message, problem.at);
  }

  run(): ParseResult {
    let expr: Expr | undefined;
    try {
      expr = this.#expression();
      this.#expect('<EOF>');
      if (depthOf(expr) > MAX_DEPTH) this.#internal('max recursion depth exceeded');
    } catch (error) {
      if (error !== STOP) throw error;
    }
    if (expr === undefined || this.#problems.length > 0) return { ok: false, problems: this.#problems };
    return { ok: true, expr };
  }

  get #token(): Token {
    return this.#tokens[this.#position] as Token;
  }

  get #following(): Token {
    return this.#tokens[Math.min(this.#position + 1, this.#tokens.length - 1)] as Token;
  }

  #advance(): Token {
    const token = this.#token;
    if (token.type !== '<EOF>') this.#position++;
    return token;
  }

  #accept(type: TokenType): Token | undefined {
    return this.#token.type === type ? this.#advance() : undefined;
  }

  #is(type: TokenType): boolean {
    return this.#token.type === type;
  }

  #report(message: string, at: number): void {
    this.#problems.push({ message, ...positionAt(this.#source, at) });
  }

  #syntax(message: string, at: number): void {
    this.#syntaxError = true;
    this.#report(`Syntax error: ${message}`, at);
  }

  #internal(message: string): never {
    this.#problems.push({ message, line: 0, column: 0 });
    throw STOP;
  }

  /** Takes a token that must come here; repairs one token too much or too few. */
  #expect(type: TokenType): Token {
    const token = this.#token;
    if (token.type === type) return this.#advance();
    if (token.type !== '<EOF>' && this.#following.type === type) {
      this.#syntax(`extraneous input ${quoted(token)} expecting ${expected([type])}`, token.at);
      this.#advance();
      return this.#advance();
    }
    if (CLOSING.has(type) && this.#mayFollowOperand(token)) {
      this.#syntax(`missing '${type}' at ${quoted(token)}`, token.at);
      return token;
    }
    this.#syntax(`mismatched input ${quoted(token)} expecting ${expected([type])}`, token.at);
    throw STOP;
  }

  #mayFollowOperand(token: Token): boolean {
    const closing = this.#enclosing.at(-2) ?? ['<EOF>'];
    return [...closing, '?', '.', '[', '&&', '||', ...BINARY.flat()].includes(token.type);
  }

  /** Parses what stands between brackets; `follow` are the tokens that may come after an expression in there. */
  #within<T>(follow: readonly TokenType[], parse: () => T): T {
    this.#enclosing.push(follow);
    const result = parse();
    this.#enclosing.pop();
    return result;
  }

  /** Makes sure that one of `types` comes: skips one token too much, else stops. */
  #sync(types: readonly TokenType[]): void {
    const token = this.#token;
    if (types.includes(token.type)) return;
    if (token.type !== '<EOF>' && types.includes(this.#following.type)) {
      this.#syntax(`extraneous input ${quoted(token)} expecting ${expected(types)}`, token.at);
      this.#advance();
      return;
    }
    this.#syntax(`mismatched input ${quoted(token)} expecting ${expected(types)}`, token.at);
    throw STOP;
  }

  #noViable(from: Token, offending: Token): never {
    const text = this.#source.slice(from.at, offending.type === '<EOF>' ? offending.at : offending.at + offending.text.length);
    const input = offending.type === '<EOF>' ? text.trimEnd() : text;
    const word = /^.(true|false|null)$/s.exec(input)?.[1];
    this.#syntax(
      word === undefined
        ? `no viable alternative at input '${escapeWhitespace(input)}'`
        : `mismatched input '${word}' expecting IDENTIFIER`,
      offending.at,
    );
    throw STOP;
  }

  #nest<T>(rule: 'expr' | 'relation' | 'calc' | 'member', parse: (deeper: () => void) => T): T {
    const before = this.#depth[rule];
    const deeper = (): void => {
      if (++this.#depth[rule] > MAX_DEPTH) this.#internal(`expression recursion limit exceeded: ${MAX_DEPTH}`);
    };
    deeper();
    const result = parse(deeper);
    this.#depth[rule] = before;
    return result;
  }

  #expression(): Expr {
    return this.#nest('expr', () => {
      const condition = this.#chain('||');
      const question = this.#accept('?');
      if (question === undefined) return condition;
      const whenTrue = this.#chain('||');
      this.#expect(':');
      const whenFalse = this.#expression();
      return { node: 'call', name: '_?_:_', args: [condition, whenTrue, whenFalse], at: question.at };
    });
  }

  /** `a && b && c` becomes a balanced tree, as in cel-go: long chains then do not nest deeply. */
  #chain(operator: '&&' | '||'): Expr {
    const next = (): Expr => (operator === '||' ? this.#chain('&&') : this.#relation());
    const terms = [next()];
    const positions: number[] = [];
    for (let token = this.#accept(operator); token !== undefined; token = this.#accept(operator)) {
      terms.push(next());
      positions.push(token.at);
    }
    return positions.length === 0 ? (terms[0] as Expr) : balance(`_${operator}_`, terms, positions);
  }

  #relation(): Expr {
    return this.#nest('relation', (deeper) =>
      this.#leftAssociative(BINARY[0] ?? [], () => this.#nest('calc', (deeperCalc) => this.#sum(deeperCalc)), deeper),
    );
  }

  #sum(deeper: () => void): Expr {
    const product = (): Expr => this.#leftAssociative(BINARY[2] ?? [], () => this.#unary(), deeper);
    return this.#leftAssociative(BINARY[1] ?? [], product, deeper);
  }

  #leftAssociative(operators: readonly TokenType[], operand: () => Expr, deeper: () => void): Expr {
    let left = operand();
    while (operators.includes(this.#token.type)) {
      deeper();
      const operator = this.#advance();
      const right = operand();
      left = { node: 'call', name: OPERATOR_NAMES[operator.type] ?? `_${operator.type}_`, args: [left, right], at: operator.at };
    }
    return left;
  }

  #unary(): Expr {
    if (this.#isMissingOperand()) return { node: 'literal', literal: { kind: 'null' }, at: this.#token.at };
    this.#sync(EXPRESSION_START);
    const first = this.#token;
    if (first.type !== '!' && !(first.type === '-' && !this.#isSign())) return this.#member();
    const operator = first.type;
    let count = 0;
    while (this.#token.type === operator && !(operator === '-' && count > 0 && this.#isSign())) {
      this.#advance();
      count++;
    }
    if (operator === '!') this.#afterNot();
    if (operator === '-' && !MEMBER_START.includes(this.#token.type)) this.#noViable(first, this.#token);
    const operand = this.#member();
    return count % 2 === 0 ? operand : { node: 'call', name: operator === '!' ? '!_' : '-_', args: [operand], at: first.at };
  }

  /** An operator where an operand should be is reported, and the parse goes on with it, as ANTLR does. */
  #isMissingOperand(): boolean {
    const token = this.#token;
    if (!['&&', '||', ...BINARY.flat()].includes(token.type) || token.type === '-' || EXPRESSION_START.includes(this.#following.type))
      return false;
    this.#syntax(`mismatched input ${quoted(token)} expecting ${expected(EXPRESSION_START)}`, token.at);
    return true;
  }

  /** Within `!!…` ANTLR calls whatever does not fit extraneous. */
  #afterNot(): void {
    const token = this.#token;
    if (MEMBER_START.includes(token.type)) return;
    this.#syntax(`extraneous input ${quoted(token)} expecting ${expected(EXPRESSION_START)}`, token.at);
    if (token.type === '<EOF>' || !MEMBER_START.includes(this.#following.type)) throw STOP;
    this.#advance();
  }

  /** A minus directly before a number belongs to the literal. */
  #isSign(): boolean {
    return this.#following.type === 'NUM_INT' || this.#following.type === 'NUM_FLOAT';
  }

  #member(): Expr {
    return this.#nest('member', (deeper) => {
      let expr = this.#primary();
      for (;;) {
        if (this.#token.type === '.') expr = this.#select(expr, deeper);
        else if (this.#token.type === '[') expr = this.#index(expr, deeper);
        else return expr;
      }
    });
  }

  #select(operand: Expr, deeper: () => void): Expr {
    deeper();
    const dot = this.#advance();
    const optional = this.#accept('?') !== undefined;
    const name = this.#token;
    if (name.type === 'in' && !optional) {
      // ANTLR goes on with `in` as the operator that it is.
      this.#syntax("no viable alternative at input '.in'", name.at);
      return operand;
    }
    if (name.type !== 'IDENTIFIER' && name.type !== 'ESC_IDENTIFIER') {
      if (optional) this.#sync(['IDENTIFIER', 'ESC_IDENTIFIER']);
      else this.#noViable(dot, name);
    }
    this.#advance();
    if (!optional && name.type === 'IDENTIFIER' && this.#token.type === '(') {
      const open = this.#advance();
      const args = this.#arguments();
      return this.#call({ name: name.text, target: operand, args, at: open.at });
    }
    if (name.type === 'ESC_IDENTIFIER') this.#report("unsupported syntax: '`'", name.at);
    if (!optional) return { node: 'select', operand, field: name.text, test: false, at: dot.at };
    const field: Expr = { node: 'literal', literal: { kind: 'string', value: name.text }, at: name.at };
    return { node: 'call', name: '_?._', args: [operand, field], at: dot.at };
  }

  #index(operand: Expr, deeper: () => void): Expr {
    deeper();
    const open = this.#advance();
    this.#sync([...EXPRESSION_START, '?']);
    const optional = this.#accept('?') !== undefined;
    const index = this.#within([']'], () => {
      const expr = this.#expression();
      this.#expect(']');
      return expr;
    });
    return { node: 'call', name: optional ? '_[?_]' : '_[_]', args: [operand, index], at: open.at };
  }

  /** Arguments up to and with the closing parenthesis. */
  #arguments(): Expr[] {
    return this.#within([')', ','], () => this.#argumentList());
  }

  #argumentList(): Expr[] {
    this.#sync([...EXPRESSION_START, ')']);
    const args: Expr[] = [];
    if (this.#token.type !== ')') {
      do args.push(this.#expression());
      while (this.#accept(',') !== undefined);
    }
    this.#expect(')');
    return args;
  }

  #call(call: { name: string; target?: Expr; args: readonly Expr[]; at: number }): Expr {
    const expanded = this.#syntaxError ? undefined : expandMacro(call, this.#lists);
    if (expanded === undefined) return { node: 'call', ...call };
    if ('problem' in expanded) {
      this.#report(expanded.problem, expanded.at);
      return { node: 'literal', literal: { kind: 'null' }, at: call.at };
    }
    if (this.#sizeOf(expanded) > MAX_EXPANDED_NODES)
      this.#internal(`expression with its macros expanded exceeds limit: ${MAX_EXPANDED_NODES}`);
    return expanded;
  }

  /** Nodes of a tree, shared ones counted each time. */
  #sizeOf(expr: Expr): number {
    const known = this.#sizes.get(expr);
    if (known !== undefined) return known;
    const size = childrenOf(expr).reduce((sum, child) => sum + this.#sizeOf(child), 1);
    this.#sizes.set(expr, size);
    return size;
  }

  #primary(): Expr {
    this.#sync(MEMBER_START);
    const token = this.#token;
    switch (token.type) {
      case '(': {
        this.#advance();
        return this.#within([')'], () => {
          const expr = this.#expression();
          this.#expect(')');
          return expr;
        });
      }
      case '[':
        return this.#within([']', ','], () => this.#list());
      case '{':
        return this.#within(['}', ',', ':'], () => this.#map());
      case '.':
      case 'IDENTIFIER':
        return this.#identifier();
      default:
        return this.#literal();
    }
  }

  #literal(): Expr {
    const first = this.#advance();
    const negative = first.type === '-';
    if (negative && !['NUM_INT', 'NUM_FLOAT'].includes(this.#token.type)) this.#noViable(first, this.#token);
    const token = negative ? this.#advance() : first;
    const literal = readLiteral(token, negative ? '-' : '');
    if (typeof literal !== 'string') return { node: 'literal', literal, at: first.at };
    this.#report(literal, first.at);
    return { node: 'literal', literal: { kind: 'null' }, at: first.at };
  }

  #identifier(): Expr {
    const start = this.#token;
    const struct = this.#structName();
    if (struct !== undefined) return this.#within(['}', ','], () => this.#struct(struct));
    const dot = this.#accept('.');
    const name = this.#token;
    if (name.type !== 'IDENTIFIER') this.#noViable(start, name);
    this.#advance();
    const text = (dot === undefined ? '' : '.') + name.text;
    const open = this.#accept('(');
    if (RESERVED.has(name.text)) this.#report(`reserved identifier: ${name.text}`, start.at);
    if (open === undefined) return { node: 'ident', name: text, at: name.at };
    const args = this.#arguments();
    return this.#call({ name: text, args, at: open.at });
  }

  /** `a.b.C` when a `{` follows; the tokens up to the `{` are then taken. */
  #structName(): string | undefined {
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

  #list(): ListNode {
    const open = this.#advance();
    const elements: Expr[] = [];
    const optional = new Set<number>();
    this.#sync([...EXPRESSION_START, '?', ',', ']']);
    while (this.#token.type !== ']' && this.#token.type !== ',') {
      if (this.#accept('?') !== undefined) optional.add(elements.length);
      elements.push(this.#expression());
      if (!this.#is(',') || this.#following.type === ']') break;
      this.#advance();
      this.#sync([...EXPRESSION_START, '?']);
    }
    this.#sync([',', ']']);
    this.#accept(',');
    this.#expect(']');
    return { node: 'list', elements, optional, at: open.at };
  }

  #map(): Expr {
    const open = this.#advance();
    const entries: MapEntry[] = [];
    this.#sync([...EXPRESSION_START, '?', ',', '}']);
    while (this.#token.type !== '}' && this.#token.type !== ',') {
      const optional = this.#accept('?') !== undefined;
      const key = this.#expression();
      const colon = this.#expect(':');
      const value = this.#expression();
      entries.push({ key, value, optional, at: colon.at });
      if (!this.#is(',') || this.#following.type === '}') break;
      this.#advance();
      this.#sync([...EXPRESSION_START, '?']);
    }
    this.#sync([',', '}']);
    this.#accept(',');
    this.#expect('}');
    return { node: 'map', entries, at: open.at };
  }

  #struct(name: string): Expr {
    const open = this.#advance();
    const fields: StructField[] = [];
    this.#sync(['?', ',', '}', 'IDENTIFIER', 'ESC_IDENTIFIER']);
    while (this.#token.type !== '}' && this.#token.type !== ',') {
      const optional = this.#accept('?') !== undefined;
      this.#sync(['IDENTIFIER', 'ESC_IDENTIFIER']);
      const field = this.#advance();
      const colon = this.#expect(':');
      const value = this.#expression();
      if (field.type === 'ESC_IDENTIFIER') this.#report("unsupported syntax: '`'", open.at);
      fields.push({ name: field.text, value, optional, at: colon.at });
      if (!this.#is(',') || this.#following.type === '}') break;
      this.#advance();
    }
    this.#sync([',', '}']);
    this.#accept(',');
    this.#expect('}');
    return { node: 'struct', name, fields, at: open.at };
  }
}

const CLOSING = new Set<TokenType>([')', ']', '}']);

function balance(name: string, terms: readonly Expr[], positions: readonly number[]): Expr {
  const build = (low: number, high: number): Expr => {
    const middle = Math.floor((low + high + 1) / 2);
    const left = middle === low ? terms[middle] : build(low, middle - 1);
    const right = middle === high ? terms[middle + 1] : build(middle + 1, high);
    return { node: 'call', name, args: [left as Expr, right as Expr], at: positions[middle] ?? 0 };
  };
  return build(0, positions.length - 1);
}

/** Levels of calls and selections. */
function depthOf(expr: Expr): number {
  let deepest = 0;
  const visit = (node: Expr, depth: number): void => {
    const level = node.node === 'call' || node.node === 'select' ? depth + 1 : depth;
    deepest = Math.max(deepest, level);
    for (const child of childrenOf(node)) visit(child, level);
  };
  visit(expr, 0);
  return deepest;
}

/** The nodes directly below a node. */
export function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.node) {
    case 'select':
      return [expr.operand];
    case 'call':
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case 'list':
      return expr.elements;
    case 'map':
      return expr.entries.flatMap((entry) => [entry.key, entry.value]);
    case 'struct':
      return expr.fields.map((field) => field.value);
    case 'fold':
      return [expr.range, expr.init, expr.condition, expr.step, expr.result];
    default:
      return [];
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
