import { isHarmless, type Masked } from './behind.js';
import { HIDDEN } from './hidden.js';

/** The rest of a line of YAML behind its key. Within quotes the end of the line is escaped, once or several times. */
const END_OF_KEY = /(?<block>[|>][-+\d]{0,2})?[ \t]{0,4}(?:#[^\r\n\\]{0,200})?(?<end>\r?\n|(?<escape>\\{1,8})n)/y;
const BEFORE_KEY = /^[ \t]*(?:[-?][ \t]+)*/;
/** How far before a key its line may begin: behind more, the key is taken for one at the beginning of a line. */
const LONGEST_BEFORE = 200;

interface Key {
  readonly keyAt: number;
  /** A word in the next line is the value: `password:`, and below it the value alone. */
  readonly takesWords: boolean;
  /** Each field below the key is a credential. */
  readonly takesFields: boolean;
}

interface Line {
  readonly indent: string;
  readonly content: string;
  /** Where the next line begins, if there is one. */
  readonly next: number | undefined;
  /** Behind the content, before the end of the line. */
  readonly end: number;
}

/**
 * Masks the value of a key of YAML that stands in the lines below it: a block (`password: |`), a single word, a list of words.
 * All lines that are deeper than their key belong to a block.
 */
export function linesAt(text: string, at: number, key: Key): Masked | undefined {
  END_OF_KEY.lastIndex = at;
  const found = END_OF_KEY.exec(text);
  if (found === null) return undefined;
  const { block, end: endOfLine = '', escape: escaping = '' } = found.groups as Readonly<Record<string, string | undefined>>;
  const start = at + found[0].length;
  const column = columnOf(text, key.keyAt, endOfLine);
  const isBlock = block !== undefined || key.takesFields;
  if (!isBlock && !key.takesWords) return undefined;
  const belongs = (line: Line): boolean => (isBlock ? line.indent.length > column : isWordBelow(line, column));
  let first: Line | undefined;
  let end = start;
  for (let from: number | undefined = start; from !== undefined; ) {
    const line = lineAt(text, from, escaping.length);
    if (line.content !== '' && !belongs(line)) break;
    if (line.content !== '') {
      first ??= line;
      end = line.end;
    }
    from = line.next;
  }
  if (first === undefined) return undefined;
  const dash = isBlock ? '' : (/^- +/.exec(first.content)?.[0] ?? '');
  return { shown: `${found[0]}${first.indent}${dash}${HIDDEN}`, end };
}

/** A value alone, or as an item of a list, which may stand in the column of its key: no sentence, no field. */
function isWordBelow({ indent, content }: Line, column: number): boolean {
  const item = /^- +(?=\S)/.exec(content)?.[0];
  if (item === undefined ? indent.length <= column : indent.length < column) return false;
  const value = content.slice(item?.length ?? 0);
  return /^(?:[^\s"'{}[\]]+|\\*"[^"]*"|'[^']*')$/.test(value) && !/:$/.test(value) && !/^-+$/.test(value) && !isHarmless(value);
}

function columnOf(text: string, keyAt: number, endOfLine: string): number {
  const before = text.slice(Math.max(0, keyAt - LONGEST_BEFORE), keyAt);
  const line = before.slice(before.lastIndexOf(endOfLine) + 1).slice(before.includes(endOfLine) ? endOfLine.length - 1 : 0);
  return BEFORE_KEY.exec(line)?.[0].length ?? 0;
}

const END_OF_LINE = /\r?\n/g;
const ESCAPED_END = /\r?\n|(?<escapes>\\*)(?<what>["n])/g;

/** Within quotes a line ends with the same number of backslashes and `n`; with fewer of them, a quote ends the text. */
function lineAt(text: string, from: number, escapes: number): Line {
  const pattern = escapes === 0 ? END_OF_LINE : ESCAPED_END;
  pattern.lastIndex = from;
  let end = text.length;
  let next: number | undefined;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const { escapes: run, what } = (found.groups ?? {}) as { readonly escapes?: string; readonly what?: string };
    const isEnd = what === undefined || (what === 'n' ? run?.length === escapes : (run?.length ?? 0) < escapes);
    if (!isEnd) continue;
    end = found.index;
    next = what === '"' || (what === undefined && escapes > 0) ? undefined : pattern.lastIndex;
    break;
  }
  const line = text.slice(from, end);
  const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
  return { indent, content: line.slice(indent.length), next, end };
}
