import { isDeepStrictEqual } from 'node:util';
import { errorOf, type ObjectKey } from '@keelson/kubernetes/apimachinery';
import type { Logger } from 'keelson/internal/definition';
import type { StoredObject } from '../cache/index.js';
import type { Clock } from '../clock/index.js';
import { type BegunCall, beginCall, type Settled } from './begun-call.js';
import type { OutsideObserver } from './observer.js';
import { Slots } from './slots.js';

/** A source as its controller declares it. */
export interface PollSource {
  /** Name of the handle. */
  readonly name: string;
  readonly everyMs: number;
  /** Share of the interval, in [0, 1), by which it is longer or shorter at random. */
  readonly jitter: number;
  readonly read: (context: object) => unknown;
  readonly equals?: ((before: unknown, now: unknown) => boolean) | undefined;
}

export interface PollerOptions {
  readonly source: PollSource;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
  /** The newest state of an object; `undefined` if it is gone. */
  readonly newest: (key: ObjectKey) => StoredObject | undefined;
  /** The context of `read`. */
  readonly contextOf: (object: StoredObject, signal: AbortSignal) => object;
  /** A value differs from the one before, or reading began to fail or to work again. */
  readonly onChange: (key: ObjectKey) => void;
  /** Objects that are read for at the same time. @defaultValue 10 */
  readonly concurrency?: number | undefined;
  /** How long one read may take. @defaultValue 30000, 30 seconds */
  readonly timeLimitMs?: number | undefined;
  readonly observer?: OutsideObserver | undefined;
}

/** The last that is known of one object. */
export interface Polled {
  readonly value: unknown;
  /** When the value was read; `undefined` if no read has succeeded. */
  readonly at: Date | undefined;
  /** Why the last read failed; `undefined` if it succeeded. */
  readonly error: Error | undefined;
}

interface Entry {
  readonly key: ObjectKey;
  readonly uid: string;
  readonly abort: AbortController;
  readonly first: Promise<void>;
  readonly hasRead: () => void;
  generation: number | undefined;
  known: Polled | undefined;
  failures: number;
  /** The last read that was asked for has returned: reads of one object follow one another. */
  returned: Promise<void>;
  /** A read that has not begun yet answers all who ask meanwhile. */
  queued: Promise<Settled<unknown>> | undefined;
  cancelTimer: () => void;
}

/** A read that a run asked for is that run's answer, and no reason for another one. */
type Reason = 'by itself' | 'for a run';

const NOTHING: Polled = Object.freeze({ value: undefined, at: undefined, error: undefined });

/** A read that failed is tried again after this time, doubled with each failure up to the interval. */
const FIRST_RETRY_MS = 1_000;

/**
 * Reads one value of the world outside for each object of a controller, again and again.
 *
 * Flow: {@link begin} for a term of leadership → the first read of each object at once, the next one an interval after the end of the one before → {@link end}.
 * Guarantees: reads of one object never overlap, also when one does not return in time; a failed read keeps the value before it and stands beside it; a change is
 * reported once; nothing is read for an object that is gone or being deleted, nor outside of a term: a standby reads nothing.
 */
export class Poller {
  readonly #options: PollerOptions;
  readonly #slots: Slots;
  readonly #entries = new Map<string, Entry>();
  #isBegun = false;
  #failing = 0;

  constructor(options: PollerOptions) {
    this.#options = options;
    this.#slots = new Slots(options.concurrency ?? 10);
  }

  get name(): string {
    return this.#options.source.name;
  }

  /** Objects whose first read is under way. */
  get waiting(): number {
    let count = 0;
    for (const { known } of this.#entries.values()) count += known === undefined ? 1 : 0;
    return count;
  }

  begin(objects: readonly StoredObject[]): void {
    this.#isBegun = true;
    for (const object of objects) this.track(object);
  }

  /** Reads no more. Results are forgotten: they grow old while another process leads. */
  end(): void {
    this.#isBegun = false;
    for (const uid of [...this.#entries.keys()]) this.forget(uid);
  }

  /** Reads for the object from now on; at once, if it is new or its spec has changed, since what is known may be the answer to another question. */
  track(object: StoredObject): void {
    const { uid, generation, deletionTimestamp } = object.metadata;
    if (deletionTimestamp !== undefined) {
      this.forget(uid);
      return;
    }
    if (!this.#isBegun) return;
    const entry = this.#entries.get(uid);
    if (entry === undefined) {
      const made = newEntry(object);
      this.#entries.set(uid, made);
      void this.#read(made);
    } else if (entry.generation !== generation) {
      entry.generation = generation;
      void this.#read(entry);
    }
  }

  forget(uid: string): void {
    const entry = this.#entries.get(uid);
    if (entry === undefined) return;
    this.#entries.delete(uid);
    entry.cancelTimer();
    entry.abort.abort(new Error('the object is gone, or another replica leads'));
    if (entry.known?.error !== undefined) this.#failing -= 1;
    entry.hasRead();
  }

  /** Resolves when the object's first read has ended, well or not; `undefined` if it has. */
  first(uid: string): Promise<void> | undefined {
    const entry = this.#entries.get(uid);
    return entry === undefined || entry.known !== undefined ? undefined : entry.first;
  }

  known(uid: string): Polled {
    return this.#entries.get(uid)?.known ?? NOTHING;
  }

  /** Reads now, after a read that is under way: that one may have begun before the change that the caller wants to see. @throws what `read` throws */
  async refresh(uid: string): Promise<Polled> {
    const entry = this.#entries.get(uid);
    if (entry === undefined) throw new Error(`${this.name}: the object is gone, or this process does not lead any more`);
    const result = await this.#read(entry, 'for a run');
    if (!result.ok) throw result.error;
    return entry.known ?? NOTHING;
  }

  #read(entry: Entry, reason: Reason = 'by itself'): Promise<Settled<unknown>> {
    entry.queued ??= this.#readNext(entry, reason);
    return entry.queued;
  }

  async #readNext(entry: Entry, reason: Reason): Promise<Settled<unknown>> {
    entry.cancelTimer();
    const begun = entry.returned.then(() => this.#begin(entry));
    entry.returned = begun.then(({ returned }) => returned);
    const result = await begun.then(({ outcome }) => outcome);
    if (!entry.abort.signal.aborted) this.#take(entry, result, reason);
    return result;
  }

  async #begin(entry: Entry): Promise<BegunCall<unknown>> {
    const { source, clock, newest, contextOf, timeLimitMs = 30_000 } = this.#options;
    const free = await this.#slots.take();
    const call = beginCall(
      (signal) => {
        entry.queued = undefined;
        const object = newest(entry.key);
        if (object?.metadata.uid !== entry.uid) throw new Error('the object is gone');
        return source.read(contextOf(object, signal));
      },
      { clock, limitMs: timeLimitMs, signal: entry.abort.signal, what: `observes.${source.name}` },
    );
    // A read that does not return keeps its own object waiting, not the others.
    void call.outcome.then(free);
    return call;
  }

  #take(entry: Entry, result: Settled<unknown>, reason: Reason): void {
    const { clock, onChange, observer } = this.#options;
    const before = entry.known;
    const now = new Date(clock.wallMs());
    entry.failures = result.ok ? 0 : entry.failures + 1;
    entry.known = result.ok
      ? { value: result.value, at: now, error: undefined }
      : { value: before?.value, at: before?.at, error: result.error };
    observer?.polled?.(this.name, result.ok ? 'ok' : 'error');
    this.#report(entry, before, result);
    // The first result has a run that waits for it, and a run that asked for a read has its answer.
    if (before !== undefined && reason === 'by itself' && this.#differs(before, result)) onChange(entry.key);
    entry.hasRead();
    this.#schedule(entry);
  }

  #differs(before: Polled, result: Settled<unknown>): boolean {
    if (!result.ok) return before.error === undefined;
    if (before.error !== undefined) return true;
    const { equals = isDeepStrictEqual } = this.#options.source;
    try {
      return !equals(before.value, result.value);
    } catch (thrown) {
      this.#options.log.error(`observes.${this.name}.equals threw: the value counts as changed`, { error: errorOf(thrown) });
      return true;
    }
  }

  #schedule(entry: Entry): void {
    const { source, clock, random } = this.#options;
    const { everyMs, jitter } = source;
    const intervalMs = entry.failures === 0 ? everyMs : Math.min(everyMs, FIRST_RETRY_MS * 2 ** Math.min(entry.failures - 1, 30));
    entry.cancelTimer();
    entry.cancelTimer = clock.schedule(intervalMs * (1 + jitter * (2 * random() - 1)), () => void this.#read(entry));
  }

  /** A system that is down fails for every object: one line says so, and one that it is back. */
  #report(entry: Entry, before: Polled | undefined, result: Settled<unknown>): void {
    const { log } = this.#options;
    const hadFailed = before?.error !== undefined;
    if (!result.ok) {
      this.#failing += hadFailed ? 0 : 1;
      const level = !hadFailed && this.#failing === 1 ? 'warn' : 'debug';
      log[level](`observes.${this.name} cannot be read`, { object: entry.key, error: result.error });
    } else if (hadFailed) {
      this.#failing -= 1;
      log[this.#failing === 0 ? 'info' : 'debug'](`observes.${this.name} can be read again`, { object: entry.key });
    }
  }
}

function newEntry({ metadata: { name, namespace, uid, generation } }: StoredObject): Entry {
  let hasRead: () => void = () => undefined;
  const first = new Promise<void>((resolve) => {
    hasRead = resolve;
  });
  return {
    key: namespace === undefined ? { name } : { name, namespace },
    uid,
    abort: new AbortController(),
    first,
    hasRead,
    generation,
    known: undefined,
    failures: 0,
    returned: Promise.resolve(),
    queued: undefined,
    cancelTimer: () => undefined,
  };
}
