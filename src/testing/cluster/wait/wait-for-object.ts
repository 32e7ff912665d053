import { type KindInfo, type KubernetesObject, messageOf, type ObjectKey, OperatorError } from '@keelson/kubernetes/apimachinery';
import { type ApiClient, isNotFound, type KeyOf, type StoredOf } from '@keelson/runtime/internal/client';
import type { Verdict } from './condition.js';
import { Deadline } from './deadline.js';
import type { Seen } from './seen.js';
import { type FailedWait, waitFailure } from './wait-failure.js';

/** Pause before a kind that is not served yet is asked for again, and before a broken watch is begun anew. */
const RETRY_MS = 50;

/** Time for the last look of a wait that has seen nothing. */
const LAST_LOOK_MS = 2_000;

export interface ObjectWait<TKind extends KindInfo> {
  readonly client: ApiClient;
  readonly kind: TKind;
  readonly key: KeyOf<TKind>;
  /** Judges each state of the object; `undefined` if it does not exist. */
  readonly judge: (object: StoredOf<TKind> | undefined) => Verdict | Promise<Verdict>;
  readonly timeoutMs: number;
  /** Runs that concern an object, for the message of a wait that fails. */
  readonly runs?: FailedWait['runs'];
}

/**
 * Waits until an object is as it is awaited to be: a list, and then a watch from it, begun anew when it ends.
 *
 * Guarantees: every state of the object that the server reports is judged, each once. A wait that has seen nothing when its time is over looks once more, for two
 * seconds at most: a short time may be over before the first answer is read, and what is there helps more than that nothing was seen.
 * @returns the object; `undefined` when its absence was awaited
 * @throws WaitError that shows what was seen last
 */
export async function waitForObject<TKind extends KindInfo>(wait: ObjectWait<TKind>): Promise<StoredOf<TKind> | undefined> {
  const deadline = new Deadline(wait.timeoutMs);
  const seen: Seen = { object: undefined, isGone: false, changes: 0, verdict: undefined, refusal: undefined };
  try {
    while (!deadline.isOver) {
      const outcome = await watchOnce(wait, seen, deadline).catch((error: unknown) => {
        if (deadline.isOver || isPassing(error)) return undefined;
        throw error;
      });
      if (outcome !== undefined) return outcome.object;
      await deadline.pause(RETRY_MS);
    }
  } finally {
    deadline.dispose();
  }
  if (seen.verdict === undefined) {
    const outcome = await lastLook(wait, seen);
    if (outcome !== undefined) return outcome.object;
  }
  throw await waitFailure(wait, seen);
}

/** The kind is not served (yet), the history was compacted, the connection broke. */
function isPassing(error: unknown): boolean {
  return isNotFound(error) || (OperatorError.isOperatorError(error) && error.actor === 'nobody');
}

interface Met<TObject> {
  readonly object: TObject | undefined;
}

interface Look<TObject> {
  readonly met: Met<TObject> | undefined;
  readonly resourceVersion: string;
}

/** One list, and the judgement of it. */
async function look<TKind extends KindInfo>(
  { client, kind, key, judge }: ObjectWait<TKind>,
  seen: Seen,
  signal: AbortSignal,
): Promise<Look<StoredOf<TKind>>> {
  const { items, resourceVersion } = await client.list(kind as KindInfo, { ...selectionOf(key), signal });
  const [first] = items as readonly StoredOf<TKind>[];
  if (first !== undefined || seen.object !== undefined || seen.changes === 0) note(seen, first as KubernetesObject | undefined);
  seen.verdict = await judge(first);
  return { met: seen.verdict === undefined ? { object: first } : undefined, resourceVersion };
}

async function lastLook<TKind extends KindInfo>(wait: ObjectWait<TKind>, seen: Seen): Promise<Met<StoredOf<TKind>> | undefined> {
  const signal = AbortSignal.timeout(LAST_LOOK_MS);
  try {
    const { met } = await look(wait, seen, signal);
    return met;
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!isPassing(error)) throw error;
    seen.refusal = messageOf(error);
    return undefined;
  }
}

async function watchOnce<TKind extends KindInfo>(
  wait: ObjectWait<TKind>,
  seen: Seen,
  { signal }: Deadline,
): Promise<Met<StoredOf<TKind>> | undefined> {
  const { client, kind, key, judge } = wait;
  const { met, resourceVersion } = await look(wait, seen, signal);
  if (met !== undefined) return met;
  const stream = await client.watch(kind as KindInfo, { ...selectionOf(key), resourceVersion, signal });
  for await (const event of stream) {
    if (event.type === 'BOOKMARK') continue;
    const object = event.type === 'DELETED' ? undefined : (event.object as StoredOf<TKind>);
    note(seen, object as KubernetesObject | undefined);
    seen.verdict = await judge(object);
    if (seen.verdict === undefined) return { object };
  }
  return undefined;
}

function selectionOf({ namespace, name }: ObjectKey) {
  return { ...(namespace !== undefined && { namespace }), fieldSelector: { 'metadata.name': name } };
}

/** Keeps the last state that there was, for the message. */
function note(seen: Seen, object: KubernetesObject | undefined): void {
  const last = seen.isGone ? undefined : seen.object;
  if (object === undefined && last === undefined) return;
  if (object?.metadata.resourceVersion !== undefined && object.metadata.resourceVersion === last?.metadata.resourceVersion) return;
  seen.changes += 1;
  seen.isGone = object === undefined;
  if (object !== undefined) seen.object = object;
}
