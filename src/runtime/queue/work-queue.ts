import type { Trigger } from '../../definition/index.js';
import type { ObjectKey } from '../../kubernetes/index.js';
import type { Clock } from '../clock/index.js';
import { backoffMs, type QueueBackoff } from './backoff.js';
import { Delays } from './delays.js';
import { type Lane, Lanes } from './lanes.js';

export interface QueueItem {
  readonly key: ObjectKey;
  readonly trigger: Trigger;
  /** 1 for the first try, one more after each failure. */
  readonly attempt: number;
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

/** What metrics count. */
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
}

export interface AddOptions {
  readonly trigger: Trigger;
  /** @defaultValue `'fresh'` */
  readonly lane?: Lane | undefined;
  /** The object is another one than what failed before (a new generation): the backoff begins anew (H33). */
  readonly resetBackoff?: boolean | undefined;
}

interface Due {
  readonly trigger: Trigger;
  readonly lane: Lane;
}

interface Entry {
  readonly key: ObjectKey;
  failures: number;
  /** Set while a worker has it. */
  startedMs?: number | undefined;
  /** Why it is to run: it stands in a lane, or it is being worked on and runs once more afterwards. */
  due?: Due | undefined;
  /** Why it runs when its delay is over. */
  delayed?: Due | undefined;
  /** Until then it is not taken, whatever is added. */
  restsUntilMs?: number | undefined;
}

/** Longest wait before a change is looked at that came while its object failed: changes that the failing work makes itself must not spin. */
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
  readonly #entries = new Map<string, Entry>();
  readonly #lanes: Lanes;
  readonly #delays: Delays;
  readonly #takers = new Set<(item: QueueItem | undefined) => void>();
  readonly #idleWaiters = new Set<() => void>();
  #running = 0;
  #isShutDown = false;

  constructor({ clock, observer = {}, backoff = {}, ageingMs = 10_000 }: WorkQueueOptions) {
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
    return [...this.#entries.values()].flatMap(({ startedMs }) => (startedMs === undefined ? [] : [nowMs - startedMs]));
  }

  /** Puts the key to work; a delay that it waited for is over. After {@link shutDown} it does nothing. */
  add(key: ObjectKey, { trigger, lane = 'fresh', resetBackoff = false }: AddOptions): void {
    if (this.#isShutDown) return;
    const id = idOf(key);
    const entry = this.#entries.get(id) ?? { key, failures: 0 };
    this.#entries.set(id, entry);
    if (resetBackoff) entry.failures = 0;
    this.#makeDue(id, entry, { trigger, lane });
  }

  /** Puts the key to work after a time. A delay that is set already is kept if it ends earlier. */
  addAfter(key: ObjectKey, delayMs: number, { trigger, lane = 'fresh' }: AddOptions): void {
    if (this.#isShutDown) return;
    const id = idOf(key);
    const entry = this.#entries.get(id) ?? { key, failures: 0 };
    this.#entries.set(id, entry);
    if (entry.due !== undefined && entry.startedMs === undefined) return;
    if (this.#delays.set(id, delayMs, 'if earlier')) entry.delayed = { trigger, lane };
    this.#dropIfUnused(id, entry);
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
   * @param restMs so long the key is not given out again, whatever is added meanwhile: its changes are late, not lost (H34, H38)
   */
  done({ key, trigger }: QueueItem, result: QueueResult, restMs = 0): void {
    const id = idOf(key);
    const entry = this.#entries.get(id);
    if (entry?.startedMs === undefined) return;
    this.#observer.finished?.(this.#clock.monotonicMs() - entry.startedMs);
    entry.startedMs = undefined;
    entry.restsUntilMs = restMs > 0 ? this.#clock.monotonicMs() + restMs : undefined;
    this.#running -= 1;
    entry.failures = result.type === 'failed' ? entry.failures + 1 : 0;
    if (result.type === 'failed' || result.type === 'later') this.#observer.retried?.();
    const { due } = entry;
    if (due === undefined) this.#delay(id, entry, trigger, result);
    else this.#again(id, entry, due);
    this.#dropIfUnused(id, entry);
    this.#wake();
  }

  /** The object is gone: its failures and delays are forgotten. A run that is due all the same stays due. */
  forget(key: ObjectKey): void {
    const id = idOf(key);
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    entry.failures = 0;
    entry.delayed = undefined;
    entry.restsUntilMs = undefined;
    this.#delays.remove(id);
    this.#dropIfUnused(id, entry);
  }

  /** Resolves when the queue {@link isIdle}. */
  onIdle(): Promise<void> {
    return this.isIdle ? Promise.resolve() : new Promise((resolve) => this.#idleWaiters.add(resolve));
  }

  /** Gives out nothing more. What is being worked on may end; {@link onIdle} tells when it has. */
  shutDown(): void {
    this.#isShutDown = true;
    this.#delays.clear();
    for (const give of [...this.#takers]) give(undefined);
    this.#wake();
  }

  #makeDue(id: string, entry: Entry, due: Due): void {
    this.#delays.remove(id);
    entry.delayed = undefined;
    if (entry.startedMs === undefined && this.#restMs(entry) > 0) {
      this.#afterRest(id, entry, due);
      return;
    }
    // Several causes are one run, and the first one is told; the quickest lane counts.
    const lane = entry.due?.lane === 'fresh' ? 'fresh' : due.lane;
    // client-go counts in the same way: what waits already is not added.
    if (entry.due === undefined) this.#observer.added?.(lane);
    entry.due = { trigger: entry.due?.trigger ?? due.trigger, lane };
    if (entry.startedMs !== undefined) return;
    this.#lanes.put(id, lane, this.#clock.monotonicMs());
    this.#wake();
  }

  #restMs({ restsUntilMs }: Entry): number {
    return restsUntilMs === undefined ? 0 : restsUntilMs - this.#clock.monotonicMs();
  }

  #afterRest(id: string, entry: Entry, due: Due): void {
    entry.due = undefined;
    entry.delayed = due;
    this.#delays.set(id, this.#restMs(entry));
  }

  /** A change came during the run. */
  #again(id: string, entry: Entry, due: Due): void {
    entry.due = undefined;
    if (entry.failures === 0) {
      this.#makeDue(id, entry, due);
      return;
    }
    entry.delayed = due;
    this.#delays.set(id, Math.min(backoffMs(entry.failures, this.#backoff), LONGEST_WAIT_OF_A_CHANGE_MS));
  }

  #delay(id: string, entry: Entry, trigger: Trigger, result: QueueResult): void {
    if (result.type === 'done') return;
    const isAgain = result.type === 'again';
    const afterMs = result.type === 'failed' ? backoffMs(entry.failures, this.#backoff) : result.afterMs;
    if (this.#isShutDown) return;
    const due: Due = isAgain ? result : { trigger: { cause: 'retry' }, lane: trigger.cause === 'resync' ? 'slow' : 'fresh' };
    // Not replaced by what was asked for during the run, if that is earlier.
    if (this.#delays.set(id, afterMs, 'if earlier')) entry.delayed = due;
  }

  #delayOver(id: string): void {
    const entry = this.#entries.get(id);
    if (entry?.delayed === undefined) return;
    this.#makeDue(id, entry, entry.delayed);
  }

  #dropIfUnused(id: string, entry: Entry): void {
    if (entry.startedMs === undefined && entry.due === undefined && !this.#delays.has(id)) this.#entries.delete(id);
  }

  #next(): QueueItem | undefined {
    const nowMs = this.#clock.monotonicMs();
    const next = this.#lanes.next(nowMs);
    const entry = next === undefined ? undefined : this.#entries.get(next.id);
    if (next === undefined || entry?.due === undefined) return undefined;
    const { trigger } = entry.due;
    entry.due = undefined;
    entry.startedMs = nowMs;
    this.#running += 1;
    this.#observer.taken?.(next.lane, next.waitedMs);
    return { key: entry.key, trigger, attempt: entry.failures + 1 };
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
