import { Lexer } from 'yaml';
import { BodyProblem } from './body-problem.js';

/** The parser calls itself for each level, and a process whose stack is full may end for good. Kubernetes' own objects have some 20 levels. */
const MAX_DEPTH = 400;

/** Behind this token comes the text of a plain scalar, which may look like a bracket. */
const SCALAR = '\u001f';
/** Blanks and the indicators that open a level within a line: `- - a`. */
const LEADING = /^(?: |[-?:](?= |$))*/;

/**
 * Refuses a text before the parser gets it, if it may be nested too deeply. The levels of blocks are counted twice: a list may stand at the level of its key.
 *
 * @throws BodyProblem. go-yaml reads 10,000 levels; so does this server, of JSON.
 */
export function checkYamlDepth(text: string): void {
  const blocks = blockDepth(text) * 2;
  const brackets = countOf(text, /[[{]/g);
  if (blocks + brackets <= MAX_DEPTH) return;
  if (blocks <= MAX_DEPTH && blocks + flowDepth(text) <= MAX_DEPTH) return;
  throw new BodyProblem(`yaml: exceeded max depth: keelson's in-process API server reads no deeper YAML; send it as JSON`);
}

/** At most so many levels of indentation are open at a line. */
function blockDepth(text: string): number {
  const columns: number[] = [];
  let depth = 0;
  for (const line of text.split('\n')) {
    const leading = LEADING.exec(line)?.[0] ?? '';
    const first = leading.search(/[^ ]/);
    const start = first < 0 ? leading.length : first;
    if (start === line.length) continue;
    while ((columns.at(-1) ?? -1) >= start) columns.pop();
    for (let column = start; column < leading.length; column += 1) if (leading[column] !== ' ') columns.push(column);
    if (leading.length < line.length) columns.push(leading.length);
    if (columns.length > depth) depth = columns.length;
    if (depth > MAX_DEPTH) return depth;
  }
  return depth;
}

function countOf(text: string, pattern: RegExp): number {
  let count = 0;
  while (pattern.exec(text) !== null) count += 1;
  return count;
}

/** Exact: brackets in strings do not count. */
function flowDepth(text: string): number {
  let level = 0;
  let depth = 0;
  let isScalar = false;
  for (const token of new Lexer().lex(text)) {
    if (!isScalar && (token === '[' || token === '{')) level += 1;
    else if (!isScalar && (token === ']' || token === '}')) level -= 1;
    if (level > depth) depth = level;
    if (depth > MAX_DEPTH) return depth;
    isScalar = token === SCALAR;
  }
  return depth;
}
