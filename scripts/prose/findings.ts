import { type Line, sentencesOf } from './sentences.js';

/** One sentence that a reader must read twice, by a pattern that a machine sees. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** `doors`: comments of an `index.ts`; `messages`: texts in code; `comments`: all other comments; `docs`: pages. */
export type Place = 'comments' | 'docs' | 'doors' | 'messages';

/** Rule 31: first words that put the thing last. In quotes they are a word like others. */
const FIRST_WORD = /^(?:What|Whatever|Who|Whose|Whoever|Of|So|None)\b/;
/** Rules 33 and 34: `is no list`, `is none`, `tells of`, `was told`. Not `is no longer`, `there is no`. */
const ANYWHERE = /(?<!\b[Tt]here )\b(?:is|are|was) no (?!longer\b|more\b|one\b)[a-z]|\b(?:is|are) none\b|\btells?\b|\btold\b/;
/** Rule 32: an actor without a name: `nobody`, `whatever holds it`, `for who asks`, `: who asks gets it`. Not `users who ask`, `the one who asks`, `whatever happens`. */
const UNNAMED =
  /\b(?:(?:no|any|some|every)body|someone|anyone|everyone|whoever|whatever (?:is|are|was|has|had|does|holds|names|carries|keeps|hangs|fails|failed|stands|lies|says|throws))\b|(?:[:;]|\b(?:of|to|for|from|with|than|by|because|that)) who\b/i;

export function isHard(sentence: string): boolean {
  return FIRST_WORD.test(sentence) || ANYWHERE.test(sentence) || UNNAMED.test(sentence);
}

function hardSentences(file: string, lines: readonly Line[]): readonly Finding[] {
  return sentencesOf(lines)
    .filter(({ words }) => isHard(words))
    .map(({ line, text }) => ({ file, line, text }));
}

const TEXTS = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;

/** Where a line stands: in a block comment, in code, in comments of one line each, or in a template over several lines. */
type State = 'block' | 'code' | 'lines' | 'template';

/** The findings of a source file, by place. */
export function sourceFindings(file: string, source: string): Readonly<Record<'comments' | 'messages', readonly Finding[]>> {
  const comments: Line[][] = [];
  const messages: Line[][] = [];
  let state: State = 'code';
  for (const [index, code] of source.split('\n').entries()) {
    const trimmed = code.trim();
    const line = index + 1;
    const before: State = state;
    if (before === 'template') {
      const ends = hasOddTicks(code);
      messages.at(-1)?.push({ line, text: withoutCode(ends ? code.slice(0, code.lastIndexOf('`')) : code) });
      if (ends) state = 'code';
      continue;
    }
    if (before !== 'block') state = trimmed.startsWith('/*') ? 'block' : trimmed.startsWith('//') ? 'lines' : 'code';
    if (state === 'code') {
      messages.push(...textsIn(code).map((text) => [{ line, text }]));
      const masked = code.replaceAll(TEXTS, (text) => 'X'.repeat(text.length));
      const trailing = /\s\/\/ (.*)/.exec(masked);
      const opened = masked.lastIndexOf('`');
      if (trailing !== null) comments.push([{ line, text: code.slice(trailing.index).trim().slice(3) }]);
      else if (opened >= 0) {
        messages.push([{ line, text: withoutCode(code.slice(opened + 1)) }]);
        state = 'template';
      }
      continue;
    }
    const text = trimmed.replace(/^\/?\*+\/?\s?|^\/\/+\s?/, '').replace(/\s*\*\/$/, '');
    const last = comments.at(-1);
    if (last !== undefined && before === state) last.push({ line, text });
    else comments.push([{ line, text }]);
    if (state === 'block' && trimmed.endsWith('*/')) state = 'code';
  }
  return {
    comments: comments.flatMap((lines) => hardSentences(file, lines)),
    messages: messages.flatMap((lines) => hardSentences(file, lines)),
  };
}

/** Whether a template that is open at the beginning of the line ends in it. */
function hasOddTicks(code: string): boolean {
  return code.replaceAll(/\\./g, '').split('`').length % 2 === 0;
}

/** A text of a template, in which a paragraph of Markdown may stand: escaped ticks as ticks, code between `${` and `}` as X. */
function withoutCode(text: string): string {
  return text.replaceAll('\\`', '`').replaceAll(/\$\{[^}]*\}/g, 'X');
}

/** Texts of a line that look like sentences: two blanks at least. Code between `${` and `}` is not text. */
function textsIn(line: string): readonly string[] {
  if (/^\s*(?:import|export)\b.*\bfrom\b/.test(line)) return [];
  return [...line.matchAll(TEXTS)]
    .map(([, single, double, template]) => (single ?? double ?? template ?? '').replaceAll(/\$\{[^}]*\}/g, 'X'))
    .filter((text) => /\S \S+ \S/.test(text));
}

/** The findings of a page: sentences outside of code blocks, and cells of tables. Headings may ask ("What comes out"). */
export function pageFindings(file: string, page: string): readonly Finding[] {
  let isCode = false;
  const lines = page.split('\n').map((text, index) => {
    if (/^\s*(?:```|~~~)/.test(text)) isCode = !isCode;
    return { line: index + 1, text: !isCode && text.startsWith('#') ? '' : text };
  });
  return hardSentences(file, lines);
}
