import { goJson } from '../../../../kubernetes/index.js';

/**
 * The difference of two values as a unified diff of their JSON, as the server adds it to a refused update of a pod.
 *
 * Source: apimachinery `pkg/util/diff` (JSON with an indent of one blank, three lines of context, no names of files); how lines are matched:
 * Python's difflib, of which go-difflib is a port.
 */
export function jsonDiff(left: unknown, right: unknown): string {
  const a = indentedJson(left, '').split('\n');
  const b = indentedJson(right, '').split('\n');
  return hunks(matchingBlocks(a, b), a.length, b.length)
    .map((hunk) => hunkText(hunk, a, b))
    .join('');
}

const CONTEXT = 3;
/** In texts of more lines than this, a line that is too common does not count as an anchor. */
const POPULAR_FROM = 200;

/** `json.MarshalIndent(value, "", " ")`; a Map is a struct, whose fields keep their order. */
function indentedJson(value: unknown, indent: string): string {
  const inner = `${indent} `;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((item) => `${inner}${indentedJson(item, inner)}`).join(',\n')}\n${indent}]`;
  }
  if (typeof value !== 'object' || value === null) return goJson(value);
  const entries = value instanceof Map ? [...(value as Map<string, unknown>)] : Object.entries(value).sort(([x], [y]) => (x < y ? -1 : 1));
  if (entries.length === 0) return '{}';
  return `{\n${entries.map(([key, item]) => `${inner}${goJson(key)}: ${indentedJson(item, inner)}`).join(',\n')}\n${indent}}`;
}

interface Block {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

function matchingBlocks(a: readonly string[], b: readonly string[]): readonly Block[] {
  const positions = positionsOf(b);
  const blocks: Block[] = [];
  const open = [{ aFrom: 0, aTo: a.length, bFrom: 0, bTo: b.length }];
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    const block = longestMatch(a, b, { ...range, positions });
    if (block.size === 0) continue;
    blocks.push(block);
    open.push({ aFrom: range.aFrom, aTo: block.a, bFrom: range.bFrom, bTo: block.b });
    open.push({ aFrom: block.a + block.size, aTo: range.aTo, bFrom: block.b + block.size, bTo: range.bTo });
  }
  return blocks.sort((left, right) => left.a - right.a || left.b - right.b);
}

function positionsOf(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const positions = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    const known = positions.get(line);
    if (known === undefined) positions.set(line, [index]);
    else known.push(index);
  }
  if (lines.length < POPULAR_FROM) return positions;
  const most = Math.floor(lines.length / 100) + 1;
  return new Map([...positions].filter(([, found]) => found.length <= most));
}

interface SearchRange {
  readonly aFrom: number;
  readonly aTo: number;
  readonly bFrom: number;
  readonly bTo: number;
  readonly positions: ReadonlyMap<string, readonly number[]>;
}

/** The longest common run of lines, the first of several. */
function longestMatch(a: readonly string[], b: readonly string[], { aFrom, aTo, bFrom, bTo, positions }: SearchRange): Block {
  let best: Block = { a: aFrom, b: bFrom, size: 0 };
  let lengths = new Map<number, number>();
  for (let i = aFrom; i < aTo; i += 1) {
    const next = new Map<number, number>();
    for (const j of positions.get(a[i] ?? '') ?? []) {
      if (j < bFrom) continue;
      if (j >= bTo) break;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    lengths = next;
  }
  let { a: i, b: j, size } = best;
  // Lines that are too common to begin a run may still belong to it.
  while (i > aFrom && j > bFrom && a[i - 1] === b[j - 1]) [i, j, size] = [i - 1, j - 1, size + 1];
  while (i + size < aTo && j + size < bTo && a[i + size] === b[j + size]) size += 1;
  return { a: i, b: j, size };
}

interface Step {
  readonly isEqual: boolean;
  readonly aFrom: number;
  readonly aTo: number;
  readonly bFrom: number;
  readonly bTo: number;
}

function steps(blocks: readonly Block[], aLength: number, bLength: number): readonly Step[] {
  const found: Step[] = [];
  let [a, b] = [0, 0];
  for (const block of [...blocks, { a: aLength, b: bLength, size: 0 }]) {
    if (a < block.a || b < block.b) found.push({ isEqual: false, aFrom: a, aTo: block.a, bFrom: b, bTo: block.b });
    [a, b] = [block.a + block.size, block.b + block.size];
    const last = found.at(-1);
    if (block.size === 0) continue;
    if (last?.isEqual === true) found[found.length - 1] = { ...last, aTo: a, bTo: b };
    else found.push({ isEqual: true, aFrom: block.a, aTo: a, bFrom: block.b, bTo: b });
  }
  return found;
}

/** Changes with what stands around them; those that are near to each other in one. */
function hunks(blocks: readonly Block[], aLength: number, bLength: number): readonly (readonly Step[])[] {
  const all: Step[][] = [];
  let current: Step[] = [];
  for (const [index, step] of steps(blocks, aLength, bLength).entries()) {
    if (!step.isEqual) {
      current.push(step);
      continue;
    }
    const size = step.aTo - step.aFrom;
    const head = { ...step, aTo: Math.min(step.aTo, step.aFrom + CONTEXT), bTo: Math.min(step.bTo, step.bFrom + CONTEXT) };
    const tail = { ...step, aFrom: Math.max(step.aFrom, step.aTo - CONTEXT), bFrom: Math.max(step.bFrom, step.bTo - CONTEXT) };
    if (index === 0) {
      current = [tail];
    } else if (size > CONTEXT * 2) {
      all.push([...current, head]);
      current = [tail];
    } else {
      current.push(step);
    }
  }
  all.push(current);
  return all
    .map((hunk) => {
      const last = hunk.at(-1);
      return last?.isEqual === true && hunk.length > 1
        ? [...hunk.slice(0, -1), { ...last, aTo: Math.min(last.aTo, last.aFrom + CONTEXT), bTo: Math.min(last.bTo, last.bFrom + CONTEXT) }]
        : hunk;
    })
    .filter((hunk) => hunk.some(({ isEqual }) => !isEqual));
}

function hunkText(hunk: readonly Step[], a: readonly string[], b: readonly string[]): string {
  const [first, last] = [hunk[0], hunk.at(-1)];
  if (first === undefined || last === undefined) return '';
  const header = `@@ -${rangeText(first.aFrom, last.aTo)} +${rangeText(first.bFrom, last.bTo)} @@\n`;
  const lines = hunk.flatMap(({ isEqual, aFrom, aTo, bFrom, bTo }) =>
    isEqual
      ? a.slice(aFrom, aTo).map((line) => ` ${line}\n`)
      : [...a.slice(aFrom, aTo).map((line) => `-${line}\n`), ...b.slice(bFrom, bTo).map((line) => `+${line}\n`)],
  );
  return header + lines.join('');
}

function rangeText(from: number, to: number): string {
  const length = to - from;
  if (length === 1) return String(from + 1);
  return `${length === 0 ? from : from + 1},${length}`;
}
