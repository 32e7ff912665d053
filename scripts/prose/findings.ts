/** One sentence that a reader must read twice, by a pattern that a machine sees. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** `doors`: comments of an `index.ts`; `messages`: texts in code; `comments`: all other comments; `docs`: pages. */
export type Place = 'comments' | 'docs' | 'doors' | 'messages';

/** First words that put the thing last. In quotes they are a word like others. */
const FIRST_WORD = /^(?:What|Who|Whose|Whoever|Of|So|None)\b/;
/** `is no list`, `is none`, `tells of`, `was told`. Not `is no longer`, `there is no`. */
const ANYWHERE = /(?<!\b[Tt]here )\b(?:is|are|was) no (?!longer\b|more\b|one\b)[a-z]|\b(?:is|are) none\b|\btells?\b|\btold\b/;

export function isHard(text: string): boolean {
  return FIRST_WORD.test(text) || ANYWHERE.test(text);
}

/** The findings of a source file, by place. */
export function sourceFindings(file: string, source: string): Readonly<Record<'comments' | 'messages', readonly Finding[]>> {
  const comments: Finding[] = [];
  const messages: Finding[] = [];
  let isInComment = false;
  let isParagraphStart = false;
  for (const [index, line] of source.split('\n').entries()) {
    const trimmed = line.trim();
    const opens = trimmed.startsWith('/*');
    if (isInComment || opens || trimmed.startsWith('//')) {
      const text = trimmed.replace(/^\/?\*+\/?\s?|^\/\/+\s?/, '').replace(/\s*\*\/$/, '');
      const starts = opens || trimmed.startsWith('//') || isParagraphStart || text.startsWith('@');
      if ((starts && FIRST_WORD.test(text)) || ANYWHERE.test(text)) comments.push({ file, line: index + 1, text: trimmed });
      isParagraphStart = text === '';
      if (opens) isInComment = true;
      if (trimmed.endsWith('*/')) isInComment = false;
      continue;
    }
    for (const text of textsIn(line)) if (isHard(text)) messages.push({ file, line: index + 1, text });
  }
  return { comments, messages };
}

/** Texts of a line that look like sentences: two blanks at least. Code between `${` and `}` is not text. */
function textsIn(line: string): readonly string[] {
  if (/^\s*(?:import|export)\b.*\bfrom\b/.test(line)) return [];
  const texts = [...line.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)];
  return texts
    .map(([, single, double, template]) => (single ?? double ?? template ?? '').replaceAll(/\$\{[^}]*\}/g, 'X'))
    .filter((text) => /\S \S+ \S/.test(text));
}

/** The findings of a page: sentences outside of code blocks, and cells of tables. Headings may ask ("What comes out"). */
export function pageFindings(file: string, page: string): readonly Finding[] {
  const findings: Finding[] = [];
  let isCode = false;
  for (const [index, line] of page.split('\n').entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    if (isCode) continue;
    const text = line.replaceAll(/`[^`]*`/g, 'X');
    const sentences = text.split(/(?<=[.:?!])\s+|\s*\|\s*/).map((sentence) => sentence.replace(/^[-*#>\d.\s]+/, ''));
    if (!line.startsWith('#') && sentences.some(isHard)) findings.push({ file, line: index + 1, text: line.trim().slice(0, 160) });
  }
  return findings;
}
