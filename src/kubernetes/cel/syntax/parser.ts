import type { Expr } from './ast.js';
import { balance, depthOf, sizeOf } from './expression-tree.js';
import { fieldName, type Token, type TokenType } from './lexer.js';
import { expandMacro } from './macros.js';
import { EXPRESSION_START, type ExpressionSource, parseList, parseLiteral, parseMap, parseStruct } from './parse-literals.js';
import type { CelProblem } from './problem.js';
import { STOP, TokenStream } from './token-stream.js';

export type ParseResult = { readonly ok: true; readonly expr: Expr } | { readonly ok: false; readonly problems: readonly CelProblem[] };

/** cel-go's limits. */
const MAX_DEPTH = 250;
const MAX_CODE_POINTS = 100_000;
/** `optMap` uses its target twice: a chain of them doubles the tree at each link, and would never end. cel-go has no such limit. */
const MAX_EXPANDED_NODES = 100_000;

const RESERVED = new Set('as break const continue else for function if import let loop package namespace return var void while'.split(' '));
const MEMBER_START: readonly TokenType[] = EXPRESSION_START.filter((type) => type !== '!');
const BINARY: readonly (readonly TokenType[])[] = [
  ['<', '<=', '>=', '>', '==', '!=', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
];

const OPERATORS: ReadonlySet<TokenType> = new Set(['&&', '||', ...BINARY.flat()]);
const OPERATOR_NAMES: Readonly<Record<string, string>> = { in: '@in' };

/** Syntax that not every supported release has. */
export interface Syntax {
  /** The macros of lists (`sortBy`). */
  readonly lists: boolean;
  /** Names of fields in backticks: {@link BACKTICKS_SINCE}. */
  readonly backticks: boolean;
}

/** The release whose cel-go (0.29) reads backticks. */
const BACKTICKS_SINCE = '1.37';

/** Parses an expression. The outcome for any text is a tree or a list of problems. */
export function parse(source: string, options: Syntax): ParseResult {
  const size = [...source].length;
  if (size > MAX_CODE_POINTS) {
    return {
      ok: false,
      problems: [{ message: `expression code point size exceeds limit: size: ${size}, limit ${MAX_CODE_POINTS}`, line: 0, column: 0 }],
    };
  }
  return new Parser(source, options).run();
}

/** Recursive descent over CEL's grammar. */
class Parser {
  readonly #tokens: TokenStream;
  readonly #syntax: Syntax;
  #depth: Record<'expr' | 'relation' | 'calc' | 'member', number> = { expr: 0, relation: 0, calc: 0, member: 0 };
  readonly #sizes = new Map<Expr, number>();
  readonly #source: ExpressionSource;

  constructor(source: string, syntax: Syntax) {
    this.#tokens = new TokenStream(source);
    this.#syntax = syntax;
    this.#source = { tokens: this.#tokens, expression: () => this.#expression(), fieldName: (token, at) => this.#fieldName(token, at) };
  }

  #fieldName(token: Token, at: number): string {
    if (token.type === 'ESC_IDENTIFIER' && !this.#syntax.backticks)
      this.#tokens.report(`unsupported syntax: '\`': Kubernetes accepts it since ${BACKTICKS_SINCE}`, at);
    return fieldName(token);
  }

  run(): ParseResult {
    let expr: Expr | undefined;
    try {
      expr = this.#expression();
      this.#tokens.expect('<EOF>');
      if (depthOf(expr) > MAX_DEPTH) this.#tokens.internal('max recursion depth exceeded');
    } catch (error) {
      if (error !== STOP) throw error;
    }
    const { problems } = this.#tokens;
    return expr === undefined || problems.length > 0 ? { ok: false, problems } : { ok: true, expr };
  }

  #nest<T>(rule: 'expr' | 'relation' | 'calc' | 'member', parse: (deeper: () => void) => T): T {
    const before = this.#depth[rule];
    const deeper = (): void => {
      if (++this.#depth[rule] > MAX_DEPTH) this.#tokens.internal(`expression recursion limit exceeded: ${MAX_DEPTH}`);
    };
    deeper();
    const result = parse(deeper);
    this.#depth[rule] = before;
    return result;
  }

  #expression(): Expr {
    return this.#nest('expr', () => {
      const condition = this.#chain('||');
      const question = this.#tokens.accept('?');
      if (question === undefined) return condition;
      const whenTrue = this.#chain('||');
      this.#tokens.expect(':');
      const whenFalse = this.#expression();
      return { node: 'call', name: '_?_:_', args: [condition, whenTrue, whenFalse], at: question.at };
    });
  }

  /** `a && b && c` becomes a balanced tree, as in cel-go: long chains then do not nest deeply. */
  #chain(operator: '&&' | '||'): Expr {
    const next = (): Expr => (operator === '||' ? this.#chain('&&') : this.#relation());
    const terms = [next()];
    const positions: number[] = [];
    for (let token = this.#tokens.accept(operator); token !== undefined; token = this.#tokens.accept(operator)) {
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
    while (operators.includes(this.#tokens.token.type)) {
      deeper();
      const operator = this.#tokens.advance();
      const right = operand();
      left = { node: 'call', name: OPERATOR_NAMES[operator.type] ?? `_${operator.type}_`, args: [left, right], at: operator.at };
    }
    return left;
  }

  #unary(): Expr {
    if (this.#isMissingOperand()) return { node: 'literal', literal: { kind: 'null' }, at: this.#tokens.token.at };
    this.#tokens.sync(EXPRESSION_START);
    const first = this.#tokens.token;
    if (first.type !== '!' && !(first.type === '-' && !this.#isSign())) return this.#member();
    const operator = first.type;
    let count = 0;
    while (this.#tokens.token.type === operator && !(operator === '-' && count > 0 && this.#isSign())) {
      this.#tokens.advance();
      count++;
    }
    if (operator === '!') this.#afterNot();
    if (operator === '-' && !MEMBER_START.includes(this.#tokens.token.type)) this.#tokens.noViable(first, this.#tokens.token);
    const operand = this.#member();
    return count % 2 === 0 ? operand : { node: 'call', name: operator === '!' ? '!_' : '-_', args: [operand], at: first.at };
  }

  /** An operator where an operand should be is reported, and the parse goes on with it, as ANTLR does. */
  #isMissingOperand(): boolean {
    const token = this.#tokens.token;
    if (!OPERATORS.has(token.type) || token.type === '-' || EXPRESSION_START.includes(this.#tokens.following.type)) return false;
    this.#tokens.mismatched(EXPRESSION_START);
    return true;
  }

  /** Within `!!…` ANTLR calls every token that does not fit extraneous. */
  #afterNot(): void {
    const token = this.#tokens.token;
    if (MEMBER_START.includes(token.type)) return;
    this.#tokens.extraneous(EXPRESSION_START);
    if (token.type === '<EOF>' || !MEMBER_START.includes(this.#tokens.following.type)) throw STOP;
    this.#tokens.advance();
  }

  /** A minus directly before a number belongs to the literal. */
  #isSign(): boolean {
    return this.#tokens.following.type === 'NUM_INT' || this.#tokens.following.type === 'NUM_FLOAT';
  }

  #member(): Expr {
    return this.#nest('member', (deeper) => {
      let expr = this.#primary();
      for (;;) {
        if (this.#tokens.is('.')) expr = this.#select(expr, deeper);
        else if (this.#tokens.is('[')) expr = this.#index(expr, deeper);
        else return expr;
      }
    });
  }

  #select(operand: Expr, deeper: () => void): Expr {
    deeper();
    const dot = this.#tokens.advance();
    const optional = this.#tokens.accept('?') !== undefined;
    const name = this.#tokens.token;
    if (name.type === 'in' && !optional) {
      // ANTLR goes on with `in` as the operator that it is.
      this.#tokens.syntax("no viable alternative at input '.in'", name.at);
      return operand;
    }
    if (name.type !== 'IDENTIFIER' && name.type !== 'ESC_IDENTIFIER') {
      if (optional) this.#tokens.sync(['IDENTIFIER', 'ESC_IDENTIFIER']);
      else this.#tokens.noViable(dot, name);
    }
    this.#tokens.advance();
    if (!optional && name.type === 'IDENTIFIER' && this.#tokens.is('(')) {
      const open = this.#tokens.advance();
      const args = this.#arguments();
      return this.#call({ name: name.text, target: operand, args, at: open.at });
    }
    const text = this.#fieldName(name, name.at);
    if (!optional) return { node: 'select', operand, field: text, test: false, at: dot.at };
    const field: Expr = { node: 'literal', literal: { kind: 'string', value: text }, at: name.at };
    return { node: 'call', name: '_?._', args: [operand, field], at: dot.at };
  }

  #index(operand: Expr, deeper: () => void): Expr {
    deeper();
    const open = this.#tokens.advance();
    this.#tokens.sync([...EXPRESSION_START, '?']);
    const optional = this.#tokens.accept('?') !== undefined;
    const index = this.#tokens.within([']'], () => {
      const expr = this.#expression();
      this.#tokens.expect(']');
      return expr;
    });
    return { node: 'call', name: optional ? '_[?_]' : '_[_]', args: [operand, index], at: open.at };
  }

  /** Arguments up to and with the closing parenthesis. */
  #arguments(): Expr[] {
    return this.#tokens.within([')', ','], () => this.#argumentList());
  }

  #argumentList(): Expr[] {
    this.#tokens.sync([...EXPRESSION_START, ')']);
    const args: Expr[] = [];
    if (!this.#tokens.is(')')) {
      do args.push(this.#expression());
      while (this.#tokens.accept(',') !== undefined);
    }
    this.#tokens.expect(')');
    return args;
  }

  #call(call: { name: string; target?: Expr; args: readonly Expr[]; at: number }): Expr {
    const expanded = this.#tokens.hasSyntaxError ? undefined : expandMacro(call, this.#syntax.lists);
    if (expanded === undefined) return { node: 'call', ...call };
    if ('problem' in expanded) {
      this.#tokens.report(expanded.problem, expanded.at);
      return { node: 'literal', literal: { kind: 'null' }, at: call.at };
    }
    if (sizeOf(expanded, this.#sizes) > MAX_EXPANDED_NODES)
      this.#tokens.internal(`expression with its macros expanded exceeds limit: ${MAX_EXPANDED_NODES}`);
    return expanded;
  }

  #primary(): Expr {
    this.#tokens.sync(MEMBER_START);
    const token = this.#tokens.token;
    switch (token.type) {
      case '(': {
        this.#tokens.advance();
        return this.#tokens.within([')'], () => {
          const expr = this.#expression();
          this.#tokens.expect(')');
          return expr;
        });
      }
      case '[':
        return this.#tokens.within([']', ','], () => parseList(this.#source));
      case '{':
        return this.#tokens.within(['}', ',', ':'], () => parseMap(this.#source));
      case '.':
      case 'IDENTIFIER':
        return this.#identifier();
      default:
        return parseLiteral(this.#tokens);
    }
  }

  #identifier(): Expr {
    const start = this.#tokens.token;
    const struct = this.#tokens.takeStructName();
    if (struct !== undefined) return this.#tokens.within(['}', ','], () => parseStruct(struct, this.#source));
    const dot = this.#tokens.accept('.');
    const name = this.#tokens.token;
    if (name.type !== 'IDENTIFIER') this.#tokens.noViable(start, name);
    this.#tokens.advance();
    const text = (dot === undefined ? '' : '.') + name.text;
    const open = this.#tokens.accept('(');
    if (RESERVED.has(name.text)) this.#tokens.report(`reserved identifier: ${name.text}`, start.at);
    if (open === undefined) return { node: 'ident', name: text, at: name.at };
    const args = this.#arguments();
    return this.#call({ name: text, args, at: open.at });
  }
}
