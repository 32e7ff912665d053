import type { KindInfo, KubernetesObject, ObjectKey } from '@keelson/kubernetes/apimachinery';
import type { ApiClient } from '@keelson/runtime/internal/client';
import { type JournalRun, journalText } from '@keelson/runtime/internal/journal';
import { stringify } from 'yaml';
import { WaitError } from '../errors.js';
import { keyText } from '../object-key.js';
import { spanText } from '../time-span.js';
import { EventsOf, lookAround, shortened } from './look-around.js';
import { podsText } from './pods-text.js';
import type { Seen } from './seen.js';

const MAX_LINES = 60;
const MAX_EVENTS = 10;
const MAX_NAMES = 10;
const MAX_RUN_LINES = 10;
/** When and why, what it did in a word, how it ended. */
const MIN_RUN_LINES = 4;
/** How `journalText` begins a change within a write: the first lines to go where there is no room. */
const CHANGE = '      ';

export interface FailedWait {
  readonly client: ApiClient;
  readonly kind: KindInfo;
  readonly key: ObjectKey;
  readonly timeoutMs: number;
  /** Runs of the operators here that were for the object or wrote it, in the order in which they began; asked for when the wait has failed. @defaultValue none */
  readonly runs?: ((kind: KindInfo, key: ObjectKey) => readonly JournalRun[]) | undefined;
}

/** The awaited state and the last one seen: enough to see what is wrong without running the test again. */
export async function waitFailure(wait: FailedWait, seen: Seen): Promise<WaitError> {
  const { kind, key, timeoutMs } = wait;
  const parts = [
    `${kind.kind} ${keyText(key)} did not come to the awaited state within ${spanText(timeoutMs)}: ${seen.verdict ?? unseenText(seen)}`,
    ...(await seenTexts(wait, seen)),
    runsText(wait.runs?.(kind, key) ?? []),
  ];
  return new WaitError(parts.filter((part) => part !== '').join('\n'));
}

function unseenText({ refusal }: Seen): string {
  return refusal === undefined ? 'the server has not answered' : `it could not be looked at: ${refusal}`;
}

/** A server that has not shown the object in the last look is asked nothing more. */
async function seenTexts(wait: FailedWait, seen: Seen): Promise<readonly string[]> {
  if (seen.object !== undefined) return [stateText(seen, seen.object), await surroundingsText(wait, seen.object)];
  return seen.verdict === undefined ? [] : [await othersText(wait)];
}

function stateText({ changes, isGone }: Seen, object: KubernetesObject): string {
  const { managedFields: _, ...metadata } = object.metadata;
  const lines = stringify({ ...object, metadata }, { lineWidth: 0 })
    .trimEnd()
    .split('\n');
  const shown = lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), `… ${lines.length - MAX_LINES} more lines`] : lines;
  const states = changes === 1 ? 'the only state that was seen' : `the last of ${changes} states that were seen`;
  return [
    isGone ? `It was deleted; before that it was (${changes} states were seen):` : `This is ${states}:`,
    ...shown.map((line) => `  ${line}`),
  ].join('\n');
}

/** The last runs, as many as fit; the oldest of them in part. */
function runsText(runs: readonly JournalRun[]): string {
  const shown: string[] = [];
  for (const run of runs.toReversed()) {
    const left = MAX_RUN_LINES - shown.length;
    if (left < MIN_RUN_LINES) break;
    shown.unshift(...runLines(run, left));
  }
  return shown.length === 0 ? '' : ['The last runs of the operator that concern it:', ...shown.map((line) => `  ${line}`)].join('\n');
}

function runLines(run: JournalRun, most: number): readonly string[] {
  const lines = journalText([run]).split('\n').map(shortened);
  if (lines.length <= most) return lines;
  const short = lines.filter((line) => !line.startsWith(CHANGE));
  if (short.length <= most) return short;
  // The last line is how it ended.
  return [...short.slice(0, most - 2), `  … ${short.length - most + 1} more lines`, ...short.slice(-1)];
}

/** It was never there: perhaps another one is. */
async function othersText({ client, kind, key }: FailedWait): Promise<string> {
  const namespace = key.namespace === undefined ? {} : { namespace: key.namespace };
  const where = key.namespace === undefined ? 'the cluster' : `namespace ${key.namespace}`;
  return lookAround(async (signal) => {
    const { items } = await client.list(kind, { ...namespace, limit: MAX_NAMES, signal });
    const names = (items as readonly KubernetesObject[]).map(({ metadata }) => metadata.name);
    return names.length === 0
      ? `There are no ${kind.plural} in ${where}.`
      : `In ${where} there are the ${kind.plural} ${names.join(', ')}.`;
  });
}

/** Events about the object, and what its Pods say. */
async function surroundingsText({ client, kind, key }: FailedWait, object: KubernetesObject): Promise<string> {
  const events = lookAround(async (signal) => {
    const found = await EventsOf.namespace(client, key.namespace ?? 'default', signal);
    const lines = found.about(kind.kind, key.name, { most: MAX_EVENTS });
    return lines.length === 0 ? 'There are no events about it.' : ['Events about it:', ...lines.map((line) => `  ${line}`)].join('\n');
  });
  const pods = lookAround((signal) => podsText({ client, kind, object, signal }));
  // Both texts are equal when the server does not answer.
  return [...new Set(await Promise.all([events, pods]))].filter((text) => text !== '').join('\n');
}
