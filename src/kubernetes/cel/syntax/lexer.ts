/** Names of tokens as ANTLR's messages write them. */
export type TokenType =
  | '<EOF>'
  | 'NUM_FLOAT'
  | 'NUM_INT'
  | 'NUM_UINT'
  | 'STRING'
  | 'BYTES'
  | 'IDENTIFIER'
  | 'ESC_IDENTIFIER'
  | (typeof KEYWORDS)[number]
  | (typeof SYMBOLS)[number];

export interface Token {
  readonly type: TokenType;
  readonly text: string;
  /** Offset in UTF-16 units. */
  readonly at: number;
}

const KEYWORDS = ['in', 'true', 'false', 'null'] as const;
/** Longest first. */
const SYMBOLS = [
  '==',
  '!=',
  '<=',
  '>=',
  '&&',
  '||',
  '<',
  '>',
  '[',
  ']',
  '{',
  '}',
  '(',
  ')',
  '.',
  ',',
  '-',
  '!',
  '?',
  ':',
  '+',
  '*',
  '/',
  '%',
] as const;

const HIDDEN = /(?:[\t \r\n\f]+|\/\/[^\n]*)/y;
const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_]*/y;
const ESCAPED_IDENTIFIER = /`[A-Za-z0-9_.\-/ ]+`/y;
const FLOAT = /(?:[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)/y;
const UINT = /(?:0x[0-9a-fA-F]+|[0-9]+)[uU]/y;
const INT = /(?:0x[0-9a-fA-F]+|[0-9]+)/y;

/** `\` and what may follow it; `\` and anything else ends the literal (ANTLR then reports the text up to there). */
const ESCAPE = String.raw`\\(?:[abfnrtv"'\\?${'`'}]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})`;
const STRINGS: readonly RegExp[] = [
  new RegExp(String.raw`[bB]?"""(?:${ESCAPE}|[^\\])*?"""`, 'y'),
  new RegExp(String.raw`[bB]?'''(?:${ESCAPE}|[^\\])*?'''`, 'y'),
  new RegExp(String.raw`[bB]?"(?:${ESCAPE}|[^\\"\n\r])*"`, 'y'),
  new RegExp(String.raw`[bB]?'(?:${ESCAPE}|[^\\'\n\r])*'`, 'y'),
  /[bB]?[rR]"""[\s\S]*?"""/y,
  /[bB]?[rR]'''[\s\S]*?'''/y,
  /[bB]?[rR]"[^"\n\r]*"/y,
  /[bB]?[rR]'[^'\n\r]*'/y,
];

/** Matches a literal that was begun and not ended: the text is reported as one unrecognized piece. */
const BROKEN_STRINGS: readonly RegExp[] = [
  new RegExp(String.raw`"""(?:${ESCAPE}|[^\\])*\\?`, 'y'),
  new RegExp(String.raw`'''(?:${ESCAPE}|[^\\])*\\?`, 'y'),
  new RegExp(String.raw`"(?:${ESCAPE}|[^\\"\n\r])*\\?`, 'y'),
  new RegExp(String.raw`'(?:${ESCAPE}|[^\\'\n\r])*\\?`, 'y'),
];

export interface LexerProblem {
  readonly message: string;
  readonly at: number;
}

/** Cuts a source text into tokens; what cannot be a token is reported and skipped, as ANTLR does. */
export function tokenize(source: string): { readonly tokens: readonly Token[]; readonly problems: readonly LexerProblem[] } {
  const tokens: Token[] = [];
  const problems: LexerProblem[] = [];
  let at = 0;
  while (at < source.length) {
    const hidden = matchAt(HIDDEN, source, at);
    if (hidden !== undefined) {
      at += hidden.length;
      continue;
    }
    const token = nextToken(source, at);
    if (token === undefined) {
      const text = unrecognized(source, at);
      problems.push({ message: `token recognition error at: '${text}'`, at });
      at += text.length;
    } else {
      tokens.push(token);
      at += token.text.length;
    }
  }
  tokens.push({ type: '<EOF>', text: '<EOF>', at: source.length });
  return { tokens, problems };
}

function nextToken(source: string, at: number): Token | undefined {
  const literal = literalAt(source, at);
  if (literal !== undefined) return literal;
  const identifier = matchAt(IDENTIFIER, source, at);
  if (identifier !== undefined) {
    const keyword = KEYWORDS.find((word) => word === identifier);
    return { type: keyword ?? 'IDENTIFIER', text: identifier, at };
  }
  const escaped = matchAt(ESCAPED_IDENTIFIER, source, at);
  if (escaped !== undefined) return { type: 'ESC_IDENTIFIER', text: escaped, at };
  const symbol = SYMBOLS.find((text) => source.startsWith(text, at));
  return symbol === undefined ? undefined : { type: symbol, text: symbol, at };
}

/** A field may be written in backticks: their content is its name. */
export function fieldName({ type, text }: Token): string {
  return type === 'ESC_IDENTIFIER' ? text.slice(1, -1) : text;
}

/** Strings and numbers. The longest match counts: `''` is not the beginning of `'''a'''`. */
function literalAt(source: string, at: number): Token | undefined {
  let best: string | undefined;
  for (const pattern of STRINGS) {
    const text = matchAt(pattern, source, at);
    if (text !== undefined && text.length > (best?.length ?? 0)) best = text;
  }
  if (best !== undefined) return { type: /^[bB]/.test(best) ? 'BYTES' : 'STRING', text: best, at };
  const candidates = [
    { type: 'NUM_FLOAT' as const, text: matchAt(FLOAT, source, at) },
    { type: 'NUM_UINT' as const, text: matchAt(UINT, source, at) },
    { type: 'NUM_INT' as const, text: matchAt(INT, source, at) },
  ];
  let longest: Token | undefined;
  for (const { type, text } of candidates) {
    if (text !== undefined && text.length > (longest?.text.length ?? 0)) longest = { type, text, at };
  }
  return longest;
}

function matchAt(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}

/** ANTLR reports all it had read when it found that no token fits. */
function unrecognized(source: string, at: number): string {
  let longest = '';
  for (const pattern of BROKEN_STRINGS) {
    const text = matchAt(pattern, source, at);
    if (text !== undefined && text.length > longest.length) longest = text;
  }
  const first = String.fromCodePoint(source.codePointAt(at) ?? 0);
  if (longest !== '')
    return longest + String.fromCodePoint(...(source.length > at + longest.length ? [source.codePointAt(at + longest.length) ?? 0] : []));
  // One half of `&&`, `||` or `=` `=`: the character after it was looked at too.
  if ('&|='.includes(first) && at + 1 < source.length) return first + String.fromCodePoint(source.codePointAt(at + 1) ?? 0);
  return first;
}

export function escapeWhitespace(text: string): string {
  return text.replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r');
}
