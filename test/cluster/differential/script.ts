import type { Answer, Speaker, Step } from './exchange.js';
import { Mask } from './masking.js';

/** What the steps of a script may build on. */
export interface ScriptState {
  /** A namespace of the script's own. */
  readonly ns: string;
  /** Body of the answer to the n-th step, from 0, on this server. */
  body<T extends object = Record<string, unknown>>(step: number): T;
}

export type StepMaker = Step | ((state: ScriptState) => Step);

/** Requests that are sent to both servers in order; each answer is compared. */
export interface Script {
  readonly name: string;
  readonly steps: readonly StepMaker[];
  /** The namespace is made before. Default true. */
  readonly namespaced?: boolean;
}

/** A step whose answers differ, as a unified list of lines. */
export interface Difference {
  readonly step: string;
  readonly lines: readonly string[];
}

let namespaces = 0;

/**
 * Runs a script on both servers, side by side.
 *
 * @param variables what names in braces stand for, beside `{ns}`
 */
export async function compareScript(
  { name, steps, namespaced = true }: Script,
  [left, right]: readonly [Speaker, Speaker],
  variables: Readonly<Record<string, string>> = {},
): Promise<Difference[]> {
  namespaces += 1;
  const ns = `${name.replaceAll(/[^a-z0-9]+/g, '-').slice(0, 40)}-${namespaces}`.replace(/^-/, 'n-');
  const sides = [left, right].map((speaker) => ({ speaker, mask: new Mask(), answers: [] as Answer[] }));
  if (namespaced) for (const { speaker } of sides) await makeNamespace(speaker, ns);
  const differences: Difference[] = [];
  for (const [index, maker] of steps.entries()) {
    const made: Step[] = [];
    for (const side of sides) {
      const step = filled(typeof maker === 'function' ? maker(stateOf(ns, side.answers)) : maker, ns, variables);
      made.push(step);
      side.answers.push(await side.speaker.ask(step));
    }
    if (made[0]?.isCompared === false) continue;
    const [ours = [], theirs = []] = sides.map(({ mask, answers }) => mask.linesOf(answers[index] as Answer));
    const lines = differenceOf(ours, theirs);
    if (lines.length > 0) differences.push({ step: `${index}: ${made[0]?.method} ${made[0]?.path}`, lines });
  }
  return differences;
}

async function makeNamespace(speaker: Speaker, name: string): Promise<void> {
  const { status, text } = await speaker.ask({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name } } });
  if (status !== 201) throw new Error(`${speaker.endpoint.name}: namespace ${name}: ${status} ${text}`);
}

function stateOf(ns: string, answers: readonly Answer[]): ScriptState {
  return {
    ns,
    body<T extends object>(step: number): T {
      const answer = answers[step];
      if (answer === undefined) throw new RangeError(`there is no answer to step ${step} yet`);
      return JSON.parse(answer.text) as T;
    },
  };
}

/** The step in a namespace: `{ns}` and other names in braces become what they stand for. */
export function filled(step: Step, ns: string, variables: Readonly<Record<string, string>> = {}): Step {
  const fill = (text: string): string =>
    Object.entries({ ns, ...variables }).reduce((filling, [name, value]) => filling.replaceAll(`{${name}}`, value), text);
  const path = fill(step.path);
  const body = typeof step.body === 'object' && !Buffer.isBuffer(step.body) ? JSON.parse(fill(JSON.stringify(step.body))) : step.body;
  return { ...step, path, ...(body === undefined ? {} : { body }) };
}

/** Lines of one side only, in order: `-` the embedded server's, `+` the real one's. A line that both have is left out. */
export function differenceOf(ours: readonly string[], theirs: readonly string[]): string[] {
  if (ours.join('\n') === theirs.join('\n')) return [];
  const common = longestCommon(ours, theirs);
  const lines: string[] = [];
  let [left, right] = [0, 0];
  for (const [atLeft, atRight] of [...common, [ours.length, theirs.length] as const]) {
    lines.push(...ours.slice(left, atLeft).map((line) => `- ${line}`), ...theirs.slice(right, atRight).map((line) => `+ ${line}`));
    [left, right] = [atLeft + 1, atRight + 1];
  }
  return lines;
}

/** Pairs of places of a longest common subsequence. Answers are small: a table will do; large ones are compared line by line. */
function longestCommon(left: readonly string[], right: readonly string[]): readonly (readonly [number, number])[] {
  if (left.length * right.length > 4_000_000)
    return left.flatMap((line, index) => (line === right[index] ? [[index, index] as const] : []));
  const lengths = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1));
  const at = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  for (let row = left.length - 1; row >= 0; row -= 1) {
    const target = lengths[row] as Uint32Array;
    for (let column = right.length - 1; column >= 0; column -= 1) {
      target[column] = left[row] === right[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let [row, column] = [0, 0]; row < left.length && column < right.length; ) {
    if (left[row] === right[column]) pairs.push([row++, column++]);
    else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return pairs;
}
