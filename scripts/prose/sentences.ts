/** A line of a comment without its marks, or of a page. */
export interface Line {
  readonly line: number;
  readonly text: string;
}

const FENCE = /^\s*(?:```|~~~)/;
/** A sentence at the line where it begins. */
export interface Sentence {
  readonly line: number;
  /** As it stands there. */
  readonly text: string;
  /** To be judged: without the marks before the first word, and with code (in backticks) crossed out. */
  readonly words: string;
}

/** Begins a paragraph of its own: an item of a list, a tag, a row of a table, a quotation, a comment of HTML. */
const PARAGRAPH = /^\s*(?:[-*]\s|\d+\.\s|@\w|\||>|<!--)/;
/** The end of a sentence, of a cell, or a colon before a capital letter. */
const END = /(?<!\b(?:e\.g|i\.e|cf|vs|etc))[.?!][)"'*_]*\s+|:\s+(?=[A-Z])|\s*\|\s*/g;
/** Marks before the first word: tags, bullets, numbers, brackets; of comments in texts of code. */
const MARKS = /^(?:@\w+\s*|[-*#>(/\d.\s])+/;

/** The sentences of lines. A sentence may go on over several lines; code in fences counts by its comments. */
export function sentencesOf(lines: readonly Line[]): readonly Sentence[] {
  return paragraphsOf(lines).flatMap(sentencesOfParagraph);
}

function paragraphsOf(lines: readonly Line[]): readonly (readonly Line[])[] {
  const paragraphs: Line[][] = [];
  let isCode = false;
  let goesOn = false;
  for (const { line, text } of lines) {
    const isFence = FENCE.test(text);
    if (isFence) isCode = !isCode;
    const shown = isFence ? '' : isCode ? (/(?:^|\s)\/\/ (.*)/.exec(text)?.[1] ?? '') : text;
    if (shown.trim() !== '') {
      const last = paragraphs.at(-1);
      if (goesOn && last !== undefined && !PARAGRAPH.test(shown)) last.push({ line, text: shown });
      else paragraphs.push([{ line, text: shown }]);
    }
    goesOn = shown.trim() !== '';
  }
  return paragraphs;
}

function sentencesOfParagraph(paragraph: readonly Line[]): readonly Sentence[] {
  const joined = paragraph.map(({ text }) => text.trim()).join('\n');
  const plain = joined.replaceAll(/`[^`]*`/g, (code) => code.replaceAll(/[^\n]/g, 'X'));
  const ends = [...plain.matchAll(END)].map((end) => end.index + end[0].length);
  return [0, ...ends].flatMap((start, index) => {
    const end = ends[index];
    const words = oneLine(plain.slice(start, end).replace(MARKS, ''));
    const line = paragraph[plain.slice(0, start).split('\n').length - 1]?.line ?? 0;
    return words === '' ? [] : [{ line, text: oneLine(joined.slice(start, end)), words }];
  });
}

/** Without ends of lines, and without the mark of the cell that it ends. */
function oneLine(text: string): string {
  return text
    .replaceAll('\n', ' ')
    .replace(/\|\s*$/, '')
    .trim();
}
