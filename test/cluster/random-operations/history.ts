import type { Answer, Speaker, Step } from '../differential/exchange.js';
import { Mask } from '../differential/masking.js';
import { differenceOf, filled } from '../differential/script.js';
import { isRecord } from './documents.js';
import type { Operation } from './operations.js';
import { subjects } from './subjects.js';

/** Where two servers answered differently. */
export interface Difference {
  /** Of the operation in its history. */
  readonly at: number;
  readonly step: Step;
  /** `-` the embedded server's, `+` the real one's. */
  readonly lines: readonly string[];
}

export interface HistoryOptions {
  readonly speakers: readonly [Speaker, Speaker];
  readonly namespace: string;
  /** After so many operations, and at the end, everything that is stored is compared. */
  readonly inspectEvery: number;
}

interface Side {
  readonly speaker: Speaker;
  readonly mask: Mask;
  readonly last: Map<string, object>;
  readonly before: Map<string, object>;
}

/** Plays operations on both servers, in a namespace of its own, up to the first difference. */
export async function play(
  operations: readonly Operation[],
  { speakers, namespace, inspectEvery }: HistoryOptions,
): Promise<Difference | undefined> {
  const sides = speakers.map((speaker): Side => ({ speaker, mask: new Mask(), last: new Map(), before: new Map() }));
  await asked(sides, () => ({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: namespace } } }));
  for (const [at, operation] of operations.entries()) {
    if (operation.onlyIf !== undefined && !(await isThere(sides, filled(operation.onlyIf, namespace)))) continue;
    const difference = await compared(sides, (side) => filled(operation.step(side), namespace), operation.target);
    if (difference !== undefined) return { at, ...difference };
    if ((at + 1) % inspectEvery !== 0 && at + 1 < operations.length) continue;
    const hidden = await inspected(sides, namespace);
    if (hidden !== undefined) return { at, ...hidden };
  }
  return undefined;
}

/** All objects of all kinds, with their managed fields. */
async function inspected(sides: readonly Side[], namespace: string): Promise<Omit<Difference, 'at'> | undefined> {
  for (const { path } of subjects) {
    const difference = await compared(sides, () => filled({ method: 'GET', path }, namespace));
    if (difference !== undefined) return difference;
  }
  return undefined;
}

async function compared(
  sides: readonly Side[],
  makeStep: (side: Side) => Step,
  target?: string,
): Promise<Omit<Difference, 'at'> | undefined> {
  const { steps, answers } = await asked(sides, makeStep);
  const [ours = [], theirs = []] = sides.map(({ mask }, index) => mask.linesOf(comparable(answers[index] as Answer)));
  const lines = differenceOf(ours, theirs);
  if (lines.length > 0) return { step: steps[0] as Step, lines };
  if (target !== undefined) for (const [index, side] of sides.entries()) remember(side, target, answers[index] as Answer);
  return undefined;
}

/** On the real server. If the other has another opinion, the next comparison tells. */
async function isThere(sides: readonly Side[], step: Step): Promise<boolean> {
  const answer = await sides[1]?.speaker.ask(step);
  return answer?.status === 200;
}

async function asked(sides: readonly Side[], makeStep: (side: Side) => Step): Promise<{ steps: Step[]; answers: Answer[] }> {
  const steps = sides.map(makeStep);
  return { steps, answers: await Promise.all(sides.map(({ speaker }, index) => speaker.ask(steps[index] as Step))) };
}

function remember({ last, before }: Side, target: string, { status, text }: Answer): void {
  if (status >= 300) return;
  const object: unknown = JSON.parse(text);
  if (!isRecord(object) || `${String(object['kind'])}/${String((object['metadata'] as { name?: string }).name)}` !== target) return;
  const known = last.get(target);
  if (known !== undefined) before.set(target, known);
  last.set(target, object);
}

/** Without what other histories decide, and what the order of Go's maps does. */
function comparable(answer: Answer): Answer {
  const text = answer.text
    // That of the whole store.
    .replace(/"metadata":\{("continue":"",)?"resourceVersion":"\d+"\}/, '"metadata":{"resourceVersion":"0"}')
    // Whatever stands in a map behind the first undeclared field is not looked at.
    .replace(/(patch object \(.*?\): ).*field not declared in schema[^"]*/, '$1<undeclared>')
    .replace(/(?<=patch object \(.*?\): errors:)(?:\\n(?:[^"\\]|\\[^n])*)+/, (problems) => problems.split('\\n').sort().join('\\n'));
  return { ...answer, text };
}
