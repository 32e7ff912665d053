import { setMaxListeners } from 'node:events';
import { apiVersionOf, type KindInfo } from '@keelson/kubernetes/apimachinery';
import type { Logger } from 'keelson/internal/definition';
import { metadataOf } from '../client/index.js';
import { Breather, type Clock } from '../clock/index.js';
import { CacheStoppedError } from './errors.js';
import type { CacheClient, ServerAbilities } from './feed.js';
import type { CacheRequest, Informer } from './informer.js';
import { InformerView } from './informer-view.js';
import type { Transform } from './intake.js';
import { Interner } from './interner.js';
import { type OptionalInformer, OptionalInformerView, type Presence } from './optional-informer.js';
import type { CacheObserver, CacheProblem } from './problem.js';
import { type SafeObserver, safeObserver } from './safe-observer.js';
import { namespacesOf, requestText, selectionOf } from './selection.js';
import { ServedKind } from './served-kind.js';
import { SharedInformer } from './shared-informer.js';

export interface CacheOptions {
  /** Lists and watches; an `ApiClient`. */
  readonly client: CacheClient;
  readonly clock: Clock;
  /** @defaultValue one of its own */
  readonly breather?: Breather | undefined;
  readonly log: Logger;
  /** Those that the operator serves. @defaultValue all, by one watch for each kind */
  readonly namespaces?: readonly string[] | undefined;
  /** In [0, 1), for the jitter of pauses. @defaultValue Math.random */
  readonly random?: (() => number) | undefined;
  readonly observer?: CacheObserver | undefined;
  /** Objects of one page of a list. @defaultValue 250 — half of client-go's: a page is parsed all at once, and nothing else runs meanwhile */
  readonly pageSize?: number | undefined;
  /** Asks for lists as streams, which cost the server and this process least; a server that does not know them is asked for pages. @defaultValue true */
  readonly streamLists?: boolean | undefined;
  readonly transform?: Transform | undefined;
}

interface Running {
  readonly controller: AbortController;
  readonly done: Set<Promise<void>>;
}

/** An informer with those who asked for it. */
interface Held {
  readonly shared: SharedInformer;
  /** Asked for as long as the cache lives. */
  isKept: boolean;
  /** Asked for by at least one that cannot do without the kind. */
  isNeeded: boolean;
  /** Asked for until they give it back. */
  borrowers: number;
  /** Ends its lists and watches before the cache stops. */
  readonly end: AbortController;
}

/** An informer that is given back. */
export interface Borrowed {
  readonly informer: Informer;
  /** Why it is not up to date now; empty if it is. */
  readonly problems: () => readonly CacheProblem[];
  /** The last who gives it back ends its list and watch. A second call changes nothing. */
  readonly end: () => void;
}

interface Waiter {
  readonly check: () => void;
  readonly stop: () => void;
}

/**
 * The objects of the kinds that are asked for, held in memory and kept up to date by watches.
 *
 * Flow: {@link informer} says what shall be held, before or after {@link start}; equal requests share one informer. {@link synced} resolves when all of it is
 * there. Failures of any kind are waited out, with a growing pause and a log line for each new reason; {@link problems} says what is in trouble now.
 * Guarantees: one list and one watch per kind, selection and namespace; no request after {@link stop}, and no timer.
 * Errors: CacheRequestError for requests that make no sense; CacheStoppedError from {@link synced} when the cache is stopped.
 */
export class Cache {
  readonly #options: CacheOptions;
  readonly #breather: Breather;
  readonly #interner = new Interner();
  readonly #abilities: ServerAbilities;
  readonly #observer: SafeObserver;
  readonly #informers = new Map<string, Held>();
  readonly #servedKinds = new Map<string, ServedKind>();
  readonly #waiters = new Set<Waiter>();
  #running: Running | undefined;
  #isStopped = false;

  constructor(options: CacheOptions) {
    this.#options = options;
    this.#breather = options.breather ?? new Breather(options.clock);
    this.#observer = safeObserver(options.observer, options.log);
    this.#abilities = { streamsLists: options.streamLists ?? true };
  }

  /** Those that the operator serves; `undefined` for all. */
  get namespaces(): readonly string[] | undefined {
    return this.#options.namespaces;
  }

  /** @throws CacheRequestError for a selector that the server would refuse, or namespaces that the operator does not serve */
  informer(request: CacheRequest): Informer {
    const held = this.#held(request);
    held.isKept = true;
    held.isNeeded = true;
    return new InformerView(held.shared, request);
  }

  /**
   * As {@link informer}, for a kind that may be missing: neither {@link synced} nor {@link problems} wait for its CustomResourceDefinition.
   *
   * @throws as {@link informer}
   */
  optional(request: CacheRequest): OptionalInformer {
    const held = this.#held(request);
    held.isKept = true;
    return new OptionalInformerView(held.shared, request);
  }

  /** Whether a kind is served of which nothing is held. */
  presence(kind: KindInfo): Presence {
    const text = `${apiVersionOf(kind)} ${kind.kind}`;
    const known = this.#servedKinds.get(text);
    if (known !== undefined) return known;
    const { client, clock, log, random = Math.random } = this.#options;
    const served = new ServedKind({ kind, client, clock, log, random, synced: () => this.#checkWaiters() });
    this.#servedKinds.set(text, served);
    this.#track((signal) => served.run(signal));
    return served;
  }

  /**
   * An informer for as long as it is needed. {@link synced} does not wait for it, unless it is named there.
   *
   * @throws as {@link informer}
   */
  borrow(request: CacheRequest): Borrowed {
    const held = this.#held(request);
    held.borrowers += 1;
    held.isNeeded = true;
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      held.borrowers -= 1;
      if (held.borrowers > 0 || held.isKept) return;
      held.end.abort(new CacheStoppedError());
      for (const [text, other] of this.#informers) if (other === held) this.#informers.delete(text);
    };
    return { informer: new InformerView(held.shared, request), problems: () => held.shared.problems, end };
  }

  #held(request: CacheRequest): Held {
    const namespaces = namespacesOf(request, this.#options.namespaces);
    const text = requestText(request, namespaces);
    const known = this.#informers.get(text);
    if (known !== undefined) return known;
    const held: Held = {
      shared: this.#shared(request, namespaces, () => !held.isNeeded),
      isKept: false,
      isNeeded: false,
      borrowers: 0,
      end: new AbortController(),
    };
    setMaxListeners(0, held.end.signal);
    this.#informers.set(text, held);
    this.#run(held);
    return held;
  }

  /** Begins to list and watch. A second call changes nothing (H26). */
  start(): void {
    if (this.#running !== undefined || this.#isStopped) return;
    const controller = new AbortController();
    // One listener for each feed, of which there may be dozens: Node would take more than ten for a leak.
    setMaxListeners(0, controller.signal);
    this.#running = { controller, done: new Set() };
    for (const held of this.#informers.values()) this.#run(held);
    for (const served of this.#servedKinds.values()) this.#track((signal) => served.run(signal));
  }

  /**
   * Resolves when every informer, those included that are asked for meanwhile, holds a complete list and its listeners have been called.
   *
   * @param of which informers alone are meant
   * @throws CacheStoppedError when the cache is stopped; the signal's reason when that is aborted
   */
  synced(signal?: AbortSignal, of?: readonly Pick<Informer, 'hasSynced'>[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void): void => {
        this.#waiters.delete(waiter);
        signal?.removeEventListener('abort', aborted);
        end();
      };
      // The reason that the caller gave, as fetch does.
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors
      const aborted = (): void => settle(() => reject(signal?.reason));
      const waiter: Waiter = {
        check: () => {
          if (of?.every(({ hasSynced }) => hasSynced) ?? this.#hasSynced) settle(resolve);
        },
        stop: () => settle(() => reject(new CacheStoppedError())),
      };
      if (signal?.aborted === true) return aborted();
      if (this.#isStopped) return waiter.stop();
      this.#waiters.add(waiter);
      signal?.addEventListener('abort', aborted, { once: true });
      waiter.check();
    });
  }

  /** Kinds in trouble now. An empty list does not mean that all are synced. */
  problems(): readonly CacheProblem[] {
    return [...this.#informers.values()].flatMap(({ shared, isNeeded }) =>
      isNeeded ? shared.problems : shared.problems.filter(({ reason }) => reason !== 'NotInstalled'),
    );
  }

  /** Ends every list and watch; resolves when they have ended. Cached objects can still be read. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#running?.controller.abort(new CacheStoppedError());
    for (const waiter of [...this.#waiters]) waiter.stop();
    await Promise.all([...(this.#running?.done ?? [])]);
  }

  get #hasSynced(): boolean {
    const informers = [...this.#informers.values()];
    return (
      this.#running !== undefined &&
      informers.every(({ shared, isKept, isNeeded }) => !isKept || shared.hasSynced || (!isNeeded && !shared.isServed)) &&
      [...this.#servedKinds.values()].every(({ hasSynced }) => hasSynced)
    );
  }

  #run({ shared, end }: Held): void {
    this.#track(async (signal) => {
      const stop = (): void => end.abort(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      try {
        await shared.run(end.signal);
      } finally {
        signal.removeEventListener('abort', stop);
      }
    });
  }

  /** Begins it, if the cache runs; {@link stop} waits for it. */
  #track(run: (signal: AbortSignal) => Promise<void>): void {
    if (this.#running === undefined || this.#isStopped) return;
    const { controller, done } = this.#running;
    const running = run(controller.signal).finally(() => done.delete(running));
    done.add(running);
  }

  #checkWaiters(): void {
    for (const waiter of [...this.#waiters]) waiter.check();
  }

  #shared(request: CacheRequest, namespaces: readonly (string | undefined)[], isOptional: () => boolean): SharedInformer {
    const { kind, metadataOnly = false } = request;
    const { client, clock, log, transform, random = Math.random, pageSize = 250 } = this.#options;
    return new SharedInformer({
      client,
      clock,
      breather: this.#breather,
      log,
      observer: this.#observer,
      transform,
      random,
      pageSize,
      kind,
      asked: metadataOnly ? metadataOf(kind) : kind,
      metadataOnly,
      namespaces,
      selection: selectionOf(request),
      interner: this.#interner,
      abilities: this.#abilities,
      isOptional,
      synced: () => this.#checkWaiters(),
    });
  }
}
