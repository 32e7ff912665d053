/** Characters that a terminal or a browser obeys rather than shows: controls (C0, DEL, C1), formats (direction of text, zero width, tags), separators of lines, halves of pairs. */
const OBEYED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * The text with each character escaped that could move a cursor, colour text, turn its direction or hide it, in the form of JSON: `\n`, `\u202e`.
 *
 * @example
 * printable('a\u202Eb'); // a\u202eb
 */
export function printable(text: string): string {
  return text.replace(OBEYED, escaped);
}

function escaped(character: string): string {
  const short = JSON.stringify(character).slice(1, -1);
  if (short !== character) return short;
  return [...Array(character.length).keys()].map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');
}
