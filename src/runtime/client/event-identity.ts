/** The version of an object that an event brings. */
export interface EventIdentity {
  readonly type: 'ADDED' | 'MODIFIED';
  /** `undefined` for objects of a cluster-scoped kind. */
  readonly namespace: string | undefined;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

const BEGINNING = /^\{"type":"(ADDED|MODIFIED)","object":\{/;
const [QUOTE, COMMA, COLON, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP] = [0x22, 0x2c, 0x3a, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/**
 * The version of the object in a line of a watch, found without parsing the rest of the line.
 *
 * It follows the structure of the JSON, so that an annotation, a label or a field of the object that is called `uid` is not taken for its own.
 *
 * @returns `undefined` for a line that is not written as API servers write it, without white space and with metadata: such a line has to be parsed
 */
export function identityOf(line: string): EventIdentity | undefined {
  const beginning = BEGINNING.exec(line);
  if (beginning === null) return undefined;
  const at = fieldOf(line, beginning[0].length, 'metadata');
  if (at === undefined || line.charCodeAt(at) !== OPEN_MAP) return undefined;
  const { namespace, name, uid, resourceVersion } = textsOf(line, at + 1);
  if (name === undefined || uid === undefined || resourceVersion === undefined) return undefined;
  return { type: beginning[1] as EventIdentity['type'], namespace, name, uid, resourceVersion };
}

/** @param at after the brace that opens the map. @returns where the value of a field begins */
function fieldOf(line: string, at: number, wanted: string): number | undefined {
  for (const [name, value] of fieldsFrom(line, at)) if (name === wanted) return value;
  return undefined;
}

/** The fields of a map that are texts without escapes, as names, uids and versions are. */
function textsOf(line: string, at: number): Readonly<Record<string, string | undefined>> {
  const texts: Record<string, string | undefined> = Object.create(null) as Record<string, undefined>;
  for (const [name, value, end] of fieldsFrom(line, at)) {
    if (line.charCodeAt(value) !== QUOTE) continue;
    const text = line.slice(value + 1, end - 1);
    if (!text.includes('\\')) texts[name] = text;
  }
  return texts;
}

/** Ends early where the line is not as expected: what has not been found by then is missing. */
function* fieldsFrom(line: string, at: number): Generator<readonly [name: string, value: number, end: number], void, undefined> {
  for (let next = at; line.charCodeAt(next) === QUOTE; ) {
    const nameEnd = textEnd(line, next);
    if (line.charCodeAt(nameEnd) !== COLON) return;
    const end = valueEnd(line, nameEnd + 1);
    yield [line.slice(next + 1, nameEnd - 1), nameEnd + 1, end];
    if (line.charCodeAt(end) !== COMMA) return;
    next = end + 1;
  }
}

function valueEnd(line: string, at: number): number {
  const first = line.charCodeAt(at);
  if (first === QUOTE) return textEnd(line, at);
  if (first !== OPEN_MAP && first !== OPEN_LIST) return plainEnd(line, at);
  let depth = 0;
  for (let next = at; next < line.length; ) {
    const character = line.charCodeAt(next);
    if (character === QUOTE) {
      next = textEnd(line, next);
      continue;
    }
    if (character === OPEN_MAP || character === OPEN_LIST) depth += 1;
    else if (character === CLOSE_MAP || character === CLOSE_LIST) depth -= 1;
    next += 1;
    if (depth === 0) return next;
  }
  return line.length;
}

/** A number, `true`, `false` or `null`. */
function plainEnd(line: string, at: number): number {
  let end = at;
  for (; end < line.length; end += 1) {
    const character = line.charCodeAt(end);
    if (character === COMMA || character === CLOSE_MAP) break;
  }
  return end;
}

/** Behind the quote that ends the text; a quote behind an odd number of backslashes is part of it. */
function textEnd(line: string, at: number): number {
  for (let quote = line.indexOf('"', at + 1); quote !== -1; quote = line.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (line.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return line.length;
}
