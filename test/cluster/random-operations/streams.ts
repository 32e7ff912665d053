import type { Speaker } from '../differential/exchange.js';
import { filled } from '../differential/script.js';
import { type Difference, play } from './history.js';
import { type Operation, randomOperation } from './operations.js';
import { Random } from './random.js';
import { type Shrunk, shrink } from './shrink.js';

const INSPECT_EVERY = 100;
const MOST_LINES = 60;
const MOST_HISTORY = 25;
const MOST_TEXT = 600;

export interface StreamsOptions {
  readonly speakers: readonly [Speaker, Speaker];
  readonly seed: number;
  /** Of all streams together. */
  readonly steps: number;
  readonly streams: number;
}

/** What differed, with what leads to it; empty when nothing did. */
export async function randomReport({ speakers, seed, steps, streams }: StreamsOptions): Promise<string> {
  const reports = await Promise.all(
    Array.from({ length: streams }, async (_, stream) => {
      const random = new Random(seed * 1000 + stream);
      const operations = Array.from({ length: Math.ceil(steps / streams) }, () => randomOperation(random));
      let histories = 0;
      const playAgain = (shorter: readonly Operation[]): Promise<Difference | undefined> => {
        histories += 1;
        return play(shorter, { speakers, namespace: `stream-${stream}-${histories}`, inspectEvery: INSPECT_EVERY });
      };
      const difference = await playAgain(operations);
      if (difference === undefined) return [];
      return [`seed ${seed}, stream ${stream}, step ${difference.at}\n${shown(await shrink({ operations, difference }, playAgain))}`];
    }),
  );
  return reports.flat().join('\n\n');
}

/** The history as requests, and the lines that differ. */
function shown({ operations, difference: { step, lines } }: Shrunk): string {
  const nothing = { last: new Map(), before: new Map() };
  const requests = operations.map((operation) => {
    const { method, path, body = '', contentType = '' } = filled(operation.step(nothing), 'ns');
    return `  ${method} ${path} ${contentType} ${typeof body === 'string' ? body : JSON.stringify(body)}`;
  });
  const hidden = requests.length - MOST_HISTORY;
  return [
    ...(hidden > 0 ? [`  … ${hidden} before`] : []),
    ...requests.slice(-MOST_HISTORY),
    `answers to ${step.method} ${step.path} (- embedded, + kube-apiserver)`,
    ...withoutCommonStart(lines.slice(0, MOST_LINES)).map((line) => `  ${line.slice(0, MOST_TEXT)}`),
  ].join('\n');
}

/** Texts that hold whole objects differ somewhere in their middle. */
function withoutCommonStart(lines: readonly string[]): string[] {
  const theirs = lines.filter((line) => line.startsWith('+'));
  let pair = 0;
  let cut = 0;
  return lines.map((line, index) => {
    if (line.startsWith('-')) {
      const other = theirs[pair] ?? '';
      pair += 1;
      cut = commonStart(line, other);
    } else {
      const ours =
        lines.filter((candidate) => candidate.startsWith('-'))[lines.slice(0, index).filter((before) => before.startsWith('+')).length] ??
        '';
      cut = commonStart(ours, line);
    }
    return cut > 200 ? `${line.slice(0, 60)} … ${line.slice(cut - 60)}` : line;
  });
}

function commonStart(left: string, right: string): number {
  let length = 1;
  while (length < left.length && left[length] === right[length]) length += 1;
  return length;
}
