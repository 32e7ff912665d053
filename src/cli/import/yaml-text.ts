import { CST, Lexer } from 'yaml';

/**
 * YAML with the continuation lines of quoted texts indented. The specification asks for it, and kubectl reads texts without it, which older generators have written. The spaces say
 * nothing: a line break in a quoted text is folded with those around it.
 */
export function indentedTexts(text: string): string {
  let whole = text;
  for (let before = -1; ; ) {
    const at = openText(whole);
    const end = at === undefined ? undefined : endOfText(whole, at);
    // A text that stays open with its lines indented is not mended by more spaces.
    if (at === undefined || end === undefined || at <= before) return whole;
    before = at;
    const column = at - whole.lastIndexOf('\n', at);
    const lines = whole.slice(at, end).replace(/\n(?=[^\n])/g, `\n${' '.repeat(column)}`);
    whole = `${whole.slice(0, at)}${lines}${whole.slice(end)}`;
  }
}

/** Where a quoted text begins that the parser does not see the end of. */
function openText(text: string): number | undefined {
  let offset = 0;
  for (const token of new Lexer().lex(text)) {
    if (isOpen(token)) return offset;
    // The others are marks of the lexer, which do not stand in the text.
    if (!MARKS.has(token)) offset += token.length;
  }
  return undefined;
}

const MARKS: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR]);

function isOpen(token: string): boolean {
  const type = CST.tokenType(token);
  if (type !== 'single-quoted-scalar' && type !== 'double-quoted-scalar') return false;
  return endOfText(token, 0) !== token.length;
}

/** The index after the closing quote; `undefined` if the document ends before it. */
function endOfText(text: string, start: number): number | undefined {
  const closing = text[start] === "'" ? /''|(')|\n(?:---|\.\.\.)\s/g : /\\[\s\S]|(")|\n(?:---|\.\.\.)\s/g;
  closing.lastIndex = start + 1;
  for (let found = closing.exec(text); found !== null; found = closing.exec(text)) {
    if (found[1] !== undefined) return found.index + 1;
    if (found[0].startsWith('\n')) return undefined;
  }
  return undefined;
}
