/** A word of a label selector. */
export interface Token {
  readonly kind: 'identifier' | 'in' | 'notin' | '=' | '==' | '!=' | '!' | '>' | '<' | '(' | ')' | ',' | 'end';
  readonly text: string;
}

const SYMBOL = /(?:==|!=|[=!(),<>])/y;
const WORD = /[^=!(),<>\s\0]|[\f\v\u0080-\uffff]/y;

/** The words, ended by `end`: as apimachinery's lexer, byte 0 ends a word, and the whole where a word would begin. */
export function labelTokens(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let position = 0;
  for (;;) {
    while (' \t\r\n'.includes(text[position] ?? '-')) position += 1;
    if (position >= text.length || text[position] === '\0') return [...tokens, { kind: 'end', text: '' }];
    SYMBOL.lastIndex = position;
    const symbol = SYMBOL.exec(text)?.[0];
    const start = position;
    if (symbol !== undefined) {
      position += symbol.length;
      tokens.push({ kind: symbol as Token['kind'], text: symbol });
      continue;
    }
    position = endOfWord(text, position);
    const word = text.slice(start, position);
    tokens.push({ kind: word === 'in' || word === 'notin' ? word : 'identifier', text: word });
    if (text[position] === '\0') position += 1;
  }
}

function endOfWord(text: string, start: number): number {
  let end = start;
  for (WORD.lastIndex = end; WORD.test(text); WORD.lastIndex = end) end += 1;
  return end;
}
