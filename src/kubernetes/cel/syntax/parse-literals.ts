import type { Expr, ListNode, MapEntry, StructField } from './ast.js';
import type { Token, TokenType } from './lexer.js';
import { readLiteral } from './literal.js';
import type { TokenStream } from './token-stream.js';

export const EXPRESSION_START: readonly TokenType[] = [
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

/** The part of the parser that the forms below need: the tokens, and expressions inside. */
export interface ExpressionSource {
  readonly tokens: TokenStream;
  readonly expression: () => Expr;
  /** The name of a field. A problem is reported at the place. */
  readonly fieldName: (token: Token, at: number) => string;
}

/** A number, a text, `true`, `false` or `null`, perhaps behind a minus. */
export function parseLiteral(tokens: TokenStream): Expr {
  const first = tokens.advance();
  const negative = first.type === '-';
  if (negative && !['NUM_INT', 'NUM_FLOAT'].includes(tokens.token.type)) tokens.noViable(first, tokens.token);
  const token = negative ? tokens.advance() : first;
  const literal = readLiteral(token, negative ? '-' : '');
  if (typeof literal !== 'string') return { node: 'literal', literal, at: first.at };
  tokens.report(literal, first.at);
  return { node: 'literal', literal: { kind: 'null' }, at: first.at };
}

/** `[a, ?b]` */
export function parseList({ tokens, expression }: ExpressionSource): ListNode {
  const open = tokens.advance();
  const elements: Expr[] = [];
  const optional = new Set<number>();
  tokens.sync([...EXPRESSION_START, '?', ',', ']']);
  while (!tokens.is(']') && !tokens.is(',')) {
    if (tokens.accept('?') !== undefined) optional.add(elements.length);
    elements.push(expression());
    if (!tokens.is(',') || tokens.following.type === ']') break;
    tokens.advance();
    tokens.sync([...EXPRESSION_START, '?']);
  }
  close(tokens, ']');
  return { node: 'list', elements, optional, at: open.at };
}

/** `{a: b, ?c: d}` */
export function parseMap({ tokens, expression }: ExpressionSource): Expr {
  const open = tokens.advance();
  const entries: MapEntry[] = [];
  tokens.sync([...EXPRESSION_START, '?', ',', '}']);
  while (!tokens.is('}') && !tokens.is(',')) {
    const optional = tokens.accept('?') !== undefined;
    const key = expression();
    const colon = tokens.expect(':');
    const value = expression();
    entries.push({ key, value, optional, at: colon.at });
    if (!tokens.is(',') || tokens.following.type === '}') break;
    tokens.advance();
    tokens.sync([...EXPRESSION_START, '?']);
  }
  close(tokens, '}');
  return { node: 'map', entries, at: open.at };
}

/** `{a: b, ?c: d}` behind the name of a message. */
export function parseStruct(name: string, { tokens, expression, fieldName }: ExpressionSource): Expr {
  const open = tokens.advance();
  const fields: StructField[] = [];
  tokens.sync(['?', ',', '}', 'IDENTIFIER', 'ESC_IDENTIFIER']);
  while (!tokens.is('}') && !tokens.is(',')) {
    const optional = tokens.accept('?') !== undefined;
    tokens.sync(['IDENTIFIER', 'ESC_IDENTIFIER']);
    const field = tokens.advance();
    const colon = tokens.expect(':');
    const value = expression();
    fields.push({ name: fieldName(field, open.at), value, optional, at: colon.at });
    if (!tokens.is(',') || tokens.following.type === '}') break;
    tokens.advance();
  }
  close(tokens, '}');
  return { node: 'struct', name, fields, at: open.at };
}

/** The end, perhaps behind a last comma. */
function close(tokens: TokenStream, bracket: ']' | '}'): void {
  tokens.sync([',', bracket]);
  tokens.accept(',');
  tokens.expect(bracket);
}
