import type { ObjectKey } from '@keelson/kubernetes/apimachinery';
import type { Trigger } from 'keelson/internal/definition';
import type { Clock } from '../clock/index.js';
import { backoffMs, type QueueBackoff } from './backoff.js';
import { Delays } from './delays.js';
import { type Lane, Lanes } from './lanes.js';

export interface QueueItem {
  readonly key: ObjectKey;
  readonly trigger: Trigger;
  /** 1 for the first try, one more after each failure. */
  readonly attempt: number;
  /** Causes that were merged into this run after its trigger, at most 7, and how long it has waited. Only where the queue {@link WorkQueueOptions.keepsCauses}. */
  readonly also?: readonly Trigger[] | undefined;
  readonly waitedMs?: number | undefined;
}

/** How the work on an item ended, and so when its key comes again. */
export type QueueResult =
  /** Not before it is added again. */
  | { readonly type: 'done' }
  /** After this time, unless it is added before. */
  | { readonly type: 'again'; readonly afterMs: number; readonly trigger: Trigger; readonly lane: Lane }
  /** It failed: after the backoff. */
  | { readonly type: 'failed' }
  /** It asks for another try after a time of its own choice; not counted as a failure. */
  | { readonly type: 'later'; readonly afterMs: number };

/** Counters for metrics. */
export interface QueueObserver {
  added?(lane: Lane): void;
  taken?(lane: Lane, waitedMs: number): void;
  finished?(workedMs: number): void;
  retried?(): void;
}

export interface WorkQueueOptions {
  readonly clock: Clock;
  readonly observer?: QueueObserver | undefined;
  readonly backoff?: QueueBackoff | undefined;
  /** How long the slow lane waits behind fresh changes before it has every second turn. @defaultValue 10000 */
  readonly ageingMs?: number | undefined;
  /** Items say all their causes, and how long they have waited: for a journal. @defaultValue false */
  readonly keepsCauses?: boolean | undefined;
}

export interface AddOptions {
  readonly trigger: Trigger;
  /** More causes of the same run, of an item that comes back: added one by one, the first could have been taken before the next. @defaultValue none */
  readonly also?: readonly Trigger[] | undefined;
  /** @defaultValue `'fresh'` */
  readonly lane?: Lane | undefined;
  /** The object is another one than what failed before (a new generation): the backoff begins anew (H33). */
  readonly resetBackoff?: boolean | undefined;
}

/**
 * Cause and lane of the next run of a key.
 *
 * Merge rule: all that is added for one run is merged here. The first cause is the trigger of the run, and the quickest lane counts; a planned run (a retry, a
 * resync) gives way to any addition.
 */
interface Due {
  readonly trigger: Trigger;
  readonly lane: Lane;
  /** The causes after the first, where they are kept. */
  readonly also?: readonly Trigger[] | undefined;
}

/** Beside the first: an object that a thousand others refer to must not keep them all. */
const MOST_FURTHER_CAUSES = 7;

function merged(first: Due | undefined, second: Due, keepsCauses: boolean): Due {
  if (first === undefined) return second;
  const { trigger, also = [] } = first;
  const due: Due = { trigger, lane: first.lane === 'fresh' ? 'fresh' : second.lane };
  if (!keepsCauses) return due;
  return { ...due, also: [...also, second.trigger, ...(second.also ?? [])].slice(0, MOST_FURTHER_CAUSES) };
}

/** The run after a run that has ended: planned by its result (a retry, a timer, a resync), or added during it and late because it failed. */
interface Plan {
  readonly due: Due;
  readonly dueMs: number;
  readonly isAdded: boolean;
}

/** The state of a key that is not idle. An idle key has no entry (H37). */
type State =
  /** In a lane, until a worker takes it. */
  | { readonly phase: 'waiting'; readonly due: Due }
  /** With a worker, until `done`. `next` was added meanwhile: it runs after this run. */
  | { readonly phase: 'running'; readonly startedMs: number; readonly next?: Due | undefined }
  /** Waiting for its time; an addition ends the wait. */
  | { readonly phase: 'delayed'; readonly plan: Plan }
  /** Not given out before the end of its rest. `next` was added meanwhile and runs then; else the plan holds. */
  | { readonly phase: 'resting'; readonly plan?: Plan | undefined; readonly next?: Due | undefined };

/** The run that additions have asked for, in whatever state it waits. */
function addedIn(state: State): Due | undefined {
  switch (state.phase) {
    case 'waiting':
      return state.due;
    case 'running':
      return state.next;
    case 'delayed':
      return state.plan.isAdded ? state.plan.due : undefined;
    case 'resting':
      return state.next ?? (state.plan?.isAdded === true ? state.plan.due : undefined);
  }
  return state satisfies never;
}

interface Entry {
  readonly key: ObjectKey;
  /** Failed runs in a row. */
  failures: number;
  state: State;
}

/** Upper bound of the wait of a change that came during a failed run. It is not zero, because the failed run may have made the change itself. */
const LONGEST_WAIT_OF_A_CHANGE_MS = 1_000;

/**
 * Keys of objects that are to be worked on.
 *
 * Flow: `add` → lane → `take` → the worker → `done`, which decides whether and when the key comes again.
 * Guarantees: a key is with one worker at a time; additions of a waiting key are one run, and an addition during a run is followed by a run that begins after
 * it (H30); nothing that was added is dropped (H34), whatever the number of keys (H31); a key that is done leaves nothing behind (H37).
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #observer: QueueObserver;
  readonly #backoff: QueueBackoff;
  readonly #keepsCauses: boolean;
  readonly #entries = new Map<string, Entry>();
  readonly #lanes: Lanes;
  readonly #delays: Delays;
  readonly #takers = new Set<(item: QueueItem | undefined) => void>();
  readonly #idleWaiters = new Set<() => void>();
  #running = 0;
  #isShutDown = false;

  constructor({ clock, observer = {}, backoff = {}, ageingMs = 10_000, keepsCauses = false }: WorkQueueOptions) {
    this.#keepsCauses = keepsCauses;
    this.#clock = clock;
    this.#observer = observer;
    this.#backoff = backoff;
    this.#lanes = new Lanes(ageingMs);
    this.#delays = new Delays(clock, (id) => this.#delayOver(id));
  }

  /** Keys that wait for a worker. */
  get depth(): number {
    return this.#lanes.size;
  }

  depthOf(lane: Lane): number {
    return this.#lanes.sizeOf(lane);
  }

  get inProgress(): number {
    return this.#running;
  }

  /** Keys that wait for their time. */
  get delayed(): number {
    return this.#delays.size;
  }

  /** Keys whose last run failed: they wait for another try. */
  get failing(): number {
    let count = 0;
    for (const { failures } of this.#entries.values()) count += failures > 0 ? 1 : 0;
    return count;
  }

  /** Nothing waits for a worker and nothing is worked on; delays may be pending. */
  get isIdle(): boolean {
    return this.#running === 0 && (this.#lanes.size === 0 || this.#isShutDown);
  }

  /** For how long the work on each key has been going on, in milliseconds. */
  runningMs(): number[] {
    const nowMs = this.#clock.monotonicMs();
    return [...this.#entries.values()].flatMap(({ state }) => (state.phase === 'running' ? [nowMs - state.startedMs] : []));
  }

  /** Puts the key to work; a delay that it waited for is over. After {@link shutDown} it does nothing. */
  add(key: ObjectKey, { trigger, also, lane = 'fresh', resetBackoff = false }: AddOptions): void {
    if (this.#isShutDown) return;
    const id = idOf(key);
    const entry = this.#entries.get(id);
    if (entry === undefined) {
      const due: Due = { trigger, lane, also };
      this.#enqueue(id, { key, failures: 0, state: { phase: 'waiting', due } }, due);
      return;
    }
    if (resetBackoff) entry.failures = 0;
    const { state } = entry;
    const due = merged(addedIn(state), { trigger, lane, also }, this.#keepsCauses);
    switch (state.phase) {
      case 'waiting':
        entry.state = { phase: 'waiting', due };
        this.#lanes.put(id, lane, this.#clock.monotonicMs());
        return;
      case 'running':
        // client-go counts in the same way: what is due already is not added.
        if (state.next === undefined) this.#observer.added?.(lane);
        entry.state = { ...state, next: due };
        return;
      case 'delayed':
        this.#delays.remove(id);
        this.#enqueue(id, entry, due);
        return;
      case 'resting':
        entry.state = { ...state, next: due };
        return;
    }
    state satisfies never;
  }

  /** The next key, as soon as there is one; `undefined` when the signal is aborted or the queue is shut down. */
  take(signal?: AbortSignal): Promise<QueueItem | undefined> {
    if (this.#isShutDown || signal?.aborted === true) return Promise.resolve(undefined);
    const item = this.#next();
    if (item !== undefined) return Promise.resolve(item);
    return new Promise((resolve) => {
      const give = (given: QueueItem | undefined): void => {
        this.#takers.delete(give);
        signal?.removeEventListener('abort', onAbort);
        resolve(given);
      };
      const onAbort = (): void => give(undefined);
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#takers.add(give);
    });
  }

  /**
   * Ends the work on a taken item. Calling it for what is not being worked on does nothing.
   *
   * @param restMs the key is not given out again for this time, even if it is added meanwhile: its changes are late, not lost (H34, H38)
   */
  done({ key, trigger }: QueueItem, result: QueueResult, restMs = 0): void {
    const id = idOf(key);
    const entry = this.#entries.get(id);
    if (entry?.state.phase !== 'running') return;
    const { startedMs, next } = entry.state;
    const nowMs = this.#clock.monotonicMs();
    this.#observer.finished?.(nowMs - startedMs);
    this.#running -= 1;
    entry.failures = result.type === 'failed' ? entry.failures + 1 : 0;
    if (result.type === 'failed' || result.type === 'later') this.#observer.retried?.();
    if (this.#isShutDown) this.#entries.delete(id);
    else if (restMs > 0) this.#rest(id, entry, restMs, this.#planOf(entry, next, { trigger, result }));
    else if (next !== undefined && entry.failures === 0) this.#stand(id, entry, next);
    else this.#delay(id, entry, this.#planOf(entry, next, { trigger, result }));
    this.#wake();
  }

  /** The object is gone: its failures, plans and rest are forgotten. A run that was added stays due. */
  forget(key: ObjectKey): void {
    const id = idOf(key);
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    entry.failures = 0;
    if (entry.state.phase === 'waiting' || entry.state.phase === 'running') return;
    this.#delays.remove(id);
    const added = addedIn(entry.state);
    if (added === undefined) this.#entries.delete(id);
    else this.#enqueue(id, entry, added);
  }

  /** Resolves when the queue {@link isIdle}. */
  onIdle(): Promise<void> {
    return this.isIdle ? Promise.resolve() : new Promise((resolve) => this.#idleWaiters.add(resolve));
  }

  /** Gives out nothing more. Keys that are being worked on may end; {@link onIdle} is called when all have. */
  shutDown(): void {
    this.#isShutDown = true;
    this.#delays.clear();
    for (const give of [...this.#takers]) give(undefined);
    this.#wake();
  }

  /** A key that was not due becomes it. */
  #enqueue(id: string, entry: Entry, due: Due): void {
    this.#observer.added?.(due.lane);
    this.#stand(id, entry, due);
    this.#wake();
  }

  #stand(id: string, entry: Entry, due: Due): void {
    entry.state = { phase: 'waiting', due };
    this.#entries.set(id, entry);
    this.#lanes.put(id, due.lane, this.#clock.monotonicMs());
  }

  /** The next run after a run that has ended: what was added meanwhile, or what its result asks for. */
  #planOf(
    entry: Entry,
    next: Due | undefined,
    { trigger, result }: { readonly trigger: Trigger; readonly result: QueueResult },
  ): Plan | undefined {
    const nowMs = this.#clock.monotonicMs();
    const backoff = entry.failures === 0 ? 0 : backoffMs(entry.failures, this.#backoff);
    if (next !== undefined) return { due: next, dueMs: nowMs + Math.min(backoff, LONGEST_WAIT_OF_A_CHANGE_MS), isAdded: true };
    if (result.type === 'done') return undefined;
    if (result.type === 'again') {
      return { due: { trigger: result.trigger, lane: result.lane }, dueMs: nowMs + result.afterMs, isAdded: false };
    }
    const due: Due = { trigger: { cause: 'retry' }, lane: trigger.cause === 'resync' ? 'slow' : 'fresh' };
    return { due, dueMs: nowMs + (result.type === 'failed' ? backoff : result.afterMs), isAdded: false };
  }

  #rest(id: string, entry: Entry, restMs: number, plan: Plan | undefined): void {
    entry.state = { phase: 'resting', plan };
    this.#delays.set(id, restMs);
  }

  #delay(id: string, entry: Entry, plan: Plan | undefined): void {
    if (plan === undefined || !this.#delays.set(id, plan.dueMs - this.#clock.monotonicMs())) {
      this.#entries.delete(id);
      return;
    }
    entry.state = { phase: 'delayed', plan };
  }

  #delayOver(id: string): void {
    const entry = this.#entries.get(id);
    if (entry?.state.phase === 'delayed') {
      this.#enqueue(id, entry, entry.state.plan.due);
      return;
    }
    if (entry?.state.phase !== 'resting') return;
    const { next, plan } = entry.state;
    if (next === undefined) this.#delay(id, entry, plan);
    else this.#enqueue(id, entry, next);
  }

  #next(): QueueItem | undefined {
    const nowMs = this.#clock.monotonicMs();
    const next = this.#lanes.next(nowMs);
    const entry = next === undefined ? undefined : this.#entries.get(next.id);
    if (next === undefined || entry?.state.phase !== 'waiting') return undefined;
    const { trigger, also = [] } = entry.state.due;
    entry.state = { phase: 'running', startedMs: nowMs };
    this.#running += 1;
    this.#observer.taken?.(next.lane, next.waitedMs);
    const item: QueueItem = { key: entry.key, trigger, attempt: entry.failures + 1 };
    return this.#keepsCauses ? { ...item, also, waitedMs: next.waitedMs } : item;
  }

  #wake(): void {
    for (const give of [...this.#takers]) {
      const item = this.#isShutDown ? undefined : this.#next();
      if (item === undefined) break;
      give(item);
    }
    if (!this.isIdle) return;
    for (const resolve of this.#idleWaiters) resolve();
    this.#idleWaiters.clear();
  }
}

/** Names and namespaces contain no slash. */
function idOf({ namespace, name }: ObjectKey): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
