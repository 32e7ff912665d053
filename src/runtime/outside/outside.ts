import type { ObjectKey, Scope } from '@keelson/kubernetes/apimachinery';
import type { Logger } from 'keelson/internal/definition';
import type { CacheChange, StoredObject } from '../cache/index.js';
import type { Clock } from '../clock/index.js';
import { type BackgroundScope, BackgroundWork } from './background-work.js';
import { ExternalError } from './errors.js';
import type { Given } from './given.js';
import { objectKeyOf } from './object-key.js';
import type { OutsideObserver } from './observer.js';
import { type Polled, Poller } from './poller.js';
import { Supervisor } from './supervisor.js';

/** A source of `observes`, as definitions hold it. */
export type DeclaredSource =
  | {
      readonly sort: 'poll';
      readonly everyMs: number;
      readonly jitter: number;
      readonly read: (context: never) => unknown;
      readonly equals?: ((a: never, b: never) => boolean) | undefined;
    }
  | { readonly sort: 'subscription'; readonly start: (context: never) => unknown };

/** The declarations of one controller about the world outside. */
export interface OutsideDeclarations {
  /** Names of `uses`. */
  readonly uses: readonly string[];
  readonly observes: Readonly<Record<string, DeclaredSource>>;
  readonly background: Readonly<Record<string, unknown>>;
}

/** Why an object is looked at. */
export type OutsideTrigger = { readonly cause: 'observed' | 'background'; readonly name: string };

export interface OutsideOptions {
  readonly declared: OutsideDeclarations;
  readonly given: Given;
  /** The scope of the reconciled kind: keys of subscriptions follow it. */
  readonly scope: Scope;
  readonly clock: Clock;
  readonly log: Logger;
  readonly random?: (() => number) | undefined;
  /** The newest state of an object; `undefined` if it is gone. */
  readonly newest: (key: ObjectKey) => StoredObject | undefined;
  readonly enqueue: (key: ObjectKey, trigger: OutsideTrigger) => void;
  /** Objects that are read for at the same time, for each source. @defaultValue 10 */
  readonly concurrency?: number | undefined;
  readonly observer?: OutsideObserver | undefined;
  /** Reads of the API server for a piece of background work. @defaultValue none */
  readonly reads?: ((object: StoredObject, signal: AbortSignal) => BackgroundReads) | undefined;
}

/** Whether background work goes on, and whether anything was heard of it since another look. */
export interface BackgroundActivity {
  /** Functions that have not returned. */
  readonly running: number;
  /** Goes up with each beginning, end and report of progress. */
  readonly signs: number;
}

export function sumOf(parts: readonly BackgroundActivity[]): BackgroundActivity {
  return {
    running: parts.reduce((sum, { running }) => sum + running, 0),
    signs: parts.reduce((sum, { signs }) => sum + signs, 0),
  };
}

/** The read handles of one piece of background work. */
export interface BackgroundReads {
  readonly handles: Readonly<Record<string, object>>;
  /** Calls the function, and waits for the calls of the handles that it has not awaited. */
  readonly around: (call: () => unknown) => Promise<unknown>;
}

/**
 * The world outside as one controller sees it.
 *
 * Flow: {@link run} for a term: values are read, subscriptions hold → {@link changed} for every change of a reconciled object → {@link handles} for each run →
 * the end of the term, which waits for subscriptions and background work to return.
 * Guarantees: nothing is read, held or done outside of a term; a run sees one state of each polled value, unless it refreshes it.
 */
export class Outside {
  readonly #options: OutsideOptions;
  readonly #pollers: readonly Poller[];
  readonly #supervisors: readonly Supervisor[];
  readonly #works: readonly BackgroundWork[];

  constructor(options: OutsideOptions) {
    this.#options = options;
    const { declared, clock, log, newest, enqueue, observer, concurrency, random = Math.random } = options;
    const shared = { clock, log, random, observer };
    const sources = Object.entries(declared.observes);
    this.#pollers = sources.flatMap(([name, source]) => {
      if (source.sort !== 'poll') return [];
      const { everyMs, jitter, read, equals } = source;
      const onChange = (key: ObjectKey): void => enqueue(key, { cause: 'observed', name });
      const contextOf = (object: StoredObject, signal: AbortSignal): object => ({ ...this.#context(signal), object });
      const poll = {
        name,
        everyMs,
        jitter,
        read: read as (context: object) => unknown,
        equals: equals as ((a: unknown, b: unknown) => boolean) | undefined,
      };
      return [new Poller({ ...shared, source: poll, newest, contextOf, onChange, concurrency })];
    });
    this.#supervisors = sources.flatMap(([name, source]) => {
      if (source.sort !== 'subscription') return [];
      const contextOf = (signal: AbortSignal): object => ({ ...this.#context(signal), enqueue: this.#pushOf(name, signal) });
      return [new Supervisor({ ...shared, source: { name, start: source.start as (context: object) => unknown }, contextOf })];
    });
    this.#works = Object.entries(declared.background).map(([name, run]) => {
      const onEnd = (key: ObjectKey): void => enqueue(key, { cause: 'background', name });
      const call = run as (context: object, input: unknown) => unknown;
      return new BackgroundWork({
        ...shared,
        source: { name, run: (scope, input) => this.#inBackground(scope, (context) => call(context, input)) },
        onEnd,
      });
    });
  }

  /** First reads that are under way: an operator that has them is not at rest. */
  get underway(): number {
    return this.#pollers.reduce((sum, { waiting }) => sum + waiting, 0);
  }

  get background(): BackgroundActivity {
    return sumOf(this.#works);
  }

  /** For one term. @param objects all that there are; the caches must be complete */
  async run(objects: readonly StoredObject[], signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    for (const poller of this.#pollers) poller.begin(objects);
    const end = this.#ended(signal);
    await Promise.all([end, ...this.#supervisors.map((supervisor) => supervisor.run(signal))]);
  }

  /** @param isHeld no run comes for the object now: nothing is read for it. Its background work goes on */
  changed({ type, object }: CacheChange, isHeld = false): void {
    const { uid, deletionTimestamp } = object.metadata;
    const isGone = type === 'deleted' || deletionTimestamp !== undefined;
    for (const poller of this.#pollers) {
      if (isGone || isHeld) poller.forget(uid);
      else poller.track(object);
    }
    if (isGone) for (const work of this.#works) work.forget(uid);
  }

  /** Resolves when every polled value of the object has been read for, well or not; `undefined` if they have: a run begins with what there is. */
  ready(uid: string): Promise<unknown> | undefined {
    const waiting = this.#pollers.flatMap((poller) => poller.first(uid) ?? []);
    return waiting.length === 0 ? undefined : Promise.all(waiting);
  }

  /** Returns the members of a run's context. `finalize` has what the controller uses, and no more. */
  handles(object: StoredObject, signal: AbortSignal, of: 'reconcile' | 'finalize'): Readonly<Record<string, unknown>> {
    const used = this.#options.given.under(this.#options.declared.uses, signal);
    if (of === 'finalize') return used;
    return Object.fromEntries([
      ...Object.entries(used),
      ...this.#pollers.map((poller) => [poller.name, polledHandle(poller, object.metadata.uid)] as const),
      ...this.#supervisors.map((supervisor) => [supervisor.name, subscribedHandle(supervisor)] as const),
      ...this.#works.map((work) => [work.name, backgroundHandle(work, object, signal)] as const),
    ]);
  }

  #context(signal: AbortSignal): Record<string, unknown> {
    const { declared, given, log, clock } = this.#options;
    return { ...given.under(declared.uses, signal), signal, log, now: () => new Date(clock.wallMs()) };
  }

  #inBackground(scope: BackgroundScope, call: (context: object) => unknown): unknown {
    const context = { ...this.#context(scope.signal), ...scope };
    const reads = this.#options.reads?.(scope.object, scope.signal);
    return reads === undefined ? call(context) : reads.around(() => call({ ...reads.handles, ...context }));
  }

  /** A source that goes on pushing after its end, or for what is not a key, must not spoil the queue. */
  #pushOf(name: string, signal: AbortSignal): (key: string | ObjectKey) => void {
    const { scope, enqueue } = this.#options;
    return (key) => {
      if (!signal.aborted) enqueue(keyOf(key, scope, name), { cause: 'observed', name });
    };
  }

  #ended(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        for (const poller of this.#pollers) poller.end();
        Promise.all(this.#works.map((work) => work.end())).then(() => resolve(), reject);
      };
      signal.addEventListener('abort', end, { once: true });
    });
  }
}

/** One state for the whole run: `value` and `error` must not change between two lines of a reconciler. */
function polledHandle(poller: Poller, uid: string): object {
  let known: Polled = poller.known(uid);
  return {
    get value() {
      return known.value;
    },
    get at() {
      return known.at;
    },
    get error() {
      return known.error;
    },
    refresh: async () => {
      known = await poller.refresh(uid);
      return known.value;
    },
  };
}

function subscribedHandle(supervisor: Supervisor): object {
  return {
    get error() {
      return supervisor.error;
    },
  };
}

function backgroundHandle(work: BackgroundWork, object: StoredObject, signal: AbortSignal): object {
  const { uid } = object.metadata;
  return Object.freeze({
    start: (key: string, input?: unknown) => {
      // A run that was given up starts nothing any more.
      signal.throwIfAborted();
      return work.start(object, key, input);
    },
    state: (key: string) => work.state(uid, key),
    cancel: (key: string) => {
      signal.throwIfAborted();
      work.cancel(uid, key);
    },
  });
}

/** @throws ExternalError for what names no object of the kind */
function keyOf(key: unknown, scope: Scope, source: string): ObjectKey {
  const found = objectKeyOf(key, scope);
  if (found !== undefined) return found;
  const wanted = scope === 'Cluster' ? "its name, or { name: 'a' }" : "'namespace/name', or { namespace: 'a', name: 'b' }";
  throw new ExternalError(`observes.${source}: enqueue(${JSON.stringify(key) ?? String(key)}) names no object; give ${wanted}`);
}
