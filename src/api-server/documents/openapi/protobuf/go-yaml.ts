import type { Json } from '@keelson/kubernetes/apimachinery';
import { isObject } from '../../../contract/index.js';
import { doubleQuoted, hasBreak, scalarStyle } from './go-scalar.js';

const INDENT = 4;
/** A longer key, in bytes, stands behind a question mark. */
const MAX_SIMPLE_KEY = 128;

/** Where a value stands: as the whole document, behind a dash, or behind a key. */
type Place = 'document' | 'item' | 'value';

/**
 * A value as Go writes it in YAML, byte for byte: maps and lists in blocks, indented by four, lines of any length.
 * Source: `go.yaml.in/yaml/v3` 3.0.4, `emitterc.go`. The `yaml` package and this server's YAML answers quote and indent otherwise.
 */
export function goYaml(value: Json): string {
  const page = new Page();
  writeNode(page, value, { indent: -1, place: 'document' });
  return page.finish();
}

interface Position {
  /** Column where the surrounding map or list begins; -1 without one. */
  readonly indent: number;
  readonly place: Place;
}

function writeNode(page: Page, value: Json, { indent, place }: Position): void {
  if (Array.isArray(value)) {
    if (value.length === 0) page.word('[]');
    else writeList(page, value as readonly Json[], innerIndent(indent, place));
  } else if (isObject(value)) {
    if (Object.keys(value).length === 0) page.word('{}');
    else writeMap(page, Object.entries(value), innerIndent(indent, place));
  } else if (typeof value === 'string') writeText(page, value, place === 'document' ? INDENT : innerIndent(indent, place));
  else page.word(JSON.stringify(value));
}

function innerIndent(indent: number, place: Place): number {
  if (place === 'document') return 0;
  return place === 'item' ? indent + 2 : INDENT * Math.floor((indent + INDENT) / INDENT);
}

function writeList(page: Page, items: readonly Json[], indent: number): void {
  for (const item of items) {
    page.to(indent);
    page.indicator('-');
    writeNode(page, item, { indent, place: 'item' });
  }
}

function writeMap(page: Page, entries: readonly (readonly [string, Json])[], indent: number): void {
  for (const [key, value] of entries) {
    page.to(indent);
    const isSimple = !hasBreak(key) && Buffer.byteLength(key) <= MAX_SIMPLE_KEY;
    if (isSimple) {
      writeText(page, key, indent);
      page.add(':');
    } else {
      page.indicator('?');
      writeText(page, key, innerIndent(indent, 'value'));
      page.to(indent);
      page.indicator(':');
    }
    writeNode(page, value, { indent, place: 'value' });
  }
}

function writeText(page: Page, text: string, indent: number): void {
  switch (scalarStyle(text)) {
    case 'plain':
      page.word(text);
      break;
    case 'double':
      page.word(doubleQuoted(text));
      break;
    case 'single':
      page.word("'");
      page.lines(text.replaceAll("'", "''"), indent);
      page.add("'");
      break;
    case 'literal':
      page.word(`|${indentHint(text)}${endHint(text)}`);
      page.lines(`\n${text}`, indent);
      break;
  }
}

/** A number for readers, where blanks or a break at the start hide the indentation. */
function indentHint(text: string): string {
  return text.startsWith(' ') || hasBreak(text.slice(0, 1)) ? String(INDENT) : '';
}

/** A minus if the text ends without a break, a plus if it ends with more than one. */
function endHint(text: string): string {
  if (!hasBreak(text.slice(-1))) return '-';
  return text.length === 1 || hasBreak(text.at(-2) ?? '') ? '+' : '';
}

/** Text that is written from left to right, with the column where it is. */
class Page {
  #text = '';
  #column = 0;
  /** Nothing but blanks and indicators is on this line. */
  #isFresh = true;

  /** Goes to a column of a line that has nothing yet: of this one if it can be. */
  to(column: number): void {
    if (!this.#isFresh || this.#column > column) this.#break('\n');
    this.#pad(column);
  }

  /** A dash, a question mark or a colon before a block: the block may begin on its line. */
  indicator(mark: string): void {
    this.#separate();
    this.#text += mark;
    this.#column += 1;
  }

  /** Behind a blank, if something stands before it. */
  word(text: string): void {
    this.#separate();
    this.add(text);
  }

  add(text: string): void {
    this.#text += text;
    this.#column += text.length;
    this.#isFresh = false;
  }

  /** Text with breaks: what follows a break is indented. */
  lines(text: string, indent: number): void {
    let isAfterBreak = false;
    for (const character of text) {
      if (hasBreak(character)) this.#break(character);
      else {
        if (isAfterBreak) this.#pad(indent);
        this.add(character);
      }
      isAfterBreak = hasBreak(character);
    }
  }

  finish(): string {
    if (!this.#isFresh) this.#break('\n');
    return this.#text;
  }

  #separate(): void {
    if (this.#column > 0 && !this.#text.endsWith(' ')) this.#pad(this.#column + 1);
  }

  #break(character: string): void {
    this.#text += character;
    this.#column = 0;
    this.#isFresh = true;
  }

  #pad(column: number): void {
    if (column > this.#column) this.#text += ' '.repeat(column - this.#column);
    this.#column = Math.max(this.#column, column);
  }
}
