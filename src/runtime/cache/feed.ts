import { type KindInfo, stackOf } from '@keelson/kubernetes/apimachinery';
import type { Logger } from 'keelson/internal/definition';
import { type ApiClient, type ListOptions, PageGuard, type PageOptions, type WatchEvent, type WatchOptions } from '../client/index.js';
import { type Breather, type Clock, pause, turn } from '../clock/index.js';
import { type Backoff, fullJitter } from '../http/index.js';
import { failureOf, type WatchFailure } from './failure.js';
import { type FeedFacts, FeedReport } from './feed-report.js';
import type { CacheChange, StoredObject } from './informer.js';
import type { ObjectStore } from './object-store.js';
import type { ObjectSelection } from './selection.js';
import { initialState, step, type WatchEffect, type WatchInput, type WatchRequest, type WatchState } from './step.js';

/** All that the cache asks the API server for. */
export type CacheClient = Pick<ApiClient, 'discover' | 'list' | 'watch'>;

type Stream = Awaited<ReturnType<CacheClient['watch']>>;

/** Facts about one server that its feeds have found out. */
export interface ServerAbilities {
  streamsLists: boolean;
}

export interface FeedOptions extends FeedFacts {
  readonly client: CacheClient;
  readonly clock: Clock;
  /** Shared by all feeds. */
  readonly breather: Breather;
  readonly log: Logger;
  readonly random: () => number;
  readonly pageSize: number;
  readonly abilities: ServerAbilities;
  /** The kind, or its metadata alone: what is asked for. */
  readonly kind: KindInfo;
  readonly namespace: string | undefined;
  readonly selection: ObjectSelection;
  readonly store: ObjectStore;
  /** Calls the listeners; resolves when all of them have returned. */
  readonly changed: (changes: readonly CacheChange[]) => Promise<void> | undefined;
}

/** As kube-rs: fifty informers must not storm a server that is coming up (H29). */
const BACKOFF: Backoff = Object.freeze({ baseMs: 800, maxMs: 30_000 });
/** If no initial event arrives for this time, the server is assumed to never end them. */
const STALLED_MS = 10_000;
/** If the initial events take longer than this, the server is assumed to make them up. */
const STREAMED_MS = 300_000;
/** Far more initial events than a cluster works with. */
const MAX_STREAMED = 2_000_000;
/** Objects taken in before others get their turn: some five milliseconds of Pods. */
const SLICE = 50;

/**
 * One list and watch of one kind in one namespace, or in all: drives {@link step} with what the client answers.
 *
 * Guarantees: one request at a time, whatever happens (H26); it ends on abort only, never on an error (H13); the event loop gets its turn between pages and
 * within them.
 */
export class Feed {
  readonly #options: FeedOptions;
  readonly #report: FeedReport;
  #state: WatchState;
  #hasSynced = false;
  #isServed = true;
  #listedFromMs = 0;
  #pages: PageGuard;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#report = new FeedReport(options);
    this.#state = initialState({ mayStream: options.abilities.streamsLists });
    this.#pages = new PageGuard(this.#listName);
  }

  /** The first list is complete and the listeners have been called. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** False from when the API server said that it does not serve the kind until a list is complete, whatever else goes wrong meanwhile (H28). */
  get isServed(): boolean {
    return this.#isServed;
  }

  /** The store holds all objects of some moment, and nothing is known to be missing. */
  get isComplete(): boolean {
    return this.#state.phase === 'watching' || (this.#state.phase === 'waiting' && this.#state.resourceVersion !== undefined);
  }

  get report(): FeedReport {
    return this.#report;
  }

  /** Ends on abort. */
  async run(signal: AbortSignal): Promise<void> {
    // Another feed may have learned it since.
    this.#state = initialState({ mayStream: this.#options.abilities.streamsLists });
    let next = (): Promise<WatchRequest | undefined> => this.#take({ type: 'start' });
    while (!signal.aborted) {
      try {
        const request = await next();
        next = () => (request === undefined ? this.#take({ type: 'timer' }) : this.#perform(request, signal));
      } catch (error) {
        next = () => this.#take(this.#broken(error));
        await turn();
      }
    }
  }

  /** Beside the watch, whatever state that is in. @throws what the client throws */
  async refresh(signal: AbortSignal): Promise<void> {
    const { client, kind, namespace, pageSize, store } = this.#options;
    const pages = new PageGuard(this.#listName);
    const uids = new Set<string>();
    for (let token: string | undefined; ; ) {
      // Without a resourceVersion, as every list here: never older than the moment of asking.
      const options: PageOptions = { ...this.#selection, namespace, limit: pageSize, continue: token, signal };
      const page = await client.list(kind, options);
      pages.check(page);
      for (const object of this.#keyed(page.items)) {
        uids.add(object.metadata.uid);
        store.seen(object);
      }
      token = page.continue;
      if (token === undefined) return store.missing(uids, page.resourceVersion);
      await turn();
    }
  }

  #perform(request: WatchRequest, signal: AbortSignal): Promise<WatchRequest | undefined> {
    switch (request.do) {
      case 'list':
        return this.#list(request.continue, signal);
      case 'watch':
        return this.#watch(request, signal);
      case 'wait':
        return this.#wait(request, signal);
    }
  }

  async #wait({ attempt, atLeastMs }: WatchRequest & { readonly do: 'wait' }, signal: AbortSignal): Promise<WatchRequest | undefined> {
    const { clock, random } = this.#options;
    await pause(clock, atLeastMs + fullJitter(BACKOFF, attempt, random), signal);
    return signal.aborted ? undefined : this.#take({ type: 'timer' });
  }

  async #list(token: string | undefined, signal: AbortSignal): Promise<WatchRequest | undefined> {
    const { client, kind, namespace, pageSize } = this.#options;
    // Without a resourceVersion the answer is never older than any before it: a lagging server cannot turn back time (H6).
    const options: PageOptions = { ...this.#selection, namespace, limit: pageSize, continue: token, signal };
    let input: WatchInput;
    try {
      const { items, resourceVersion, continue: next } = await client.list(kind, options);
      this.#pages.check({ items, continue: next });
      input = { type: 'page', objects: this.#keyed(items), resourceVersion, continue: next };
    } catch (error) {
      input = { type: 'failed', failure: failureOf(kind, error) };
    }
    return signal.aborted ? undefined : this.#take(input);
  }

  get #listName(): string {
    const { kind, namespace } = this.#options;
    return `list of ${kind.plural}${namespace === undefined ? '' : ` in namespace ${namespace}`}`;
  }

  async #watch(
    { resourceVersion, sendInitialEvents }: WatchRequest & { readonly do: 'watch' },
    signal: AbortSignal,
  ): Promise<WatchRequest | undefined> {
    const { client, kind, namespace, observer } = this.#options;
    const from: WatchOptions = sendInitialEvents
      ? { sendInitialEvents, resourceVersionMatch: 'NotOlderThan' }
      : { resourceVersion: resourceVersion === '' ? undefined : resourceVersion };
    let stream: Stream;
    try {
      stream = await client.watch(kind, { ...this.#selection, namespace, ...from, signal } as WatchOptions);
    } catch (error) {
      return signal.aborted ? undefined : this.#take({ type: 'failed', failure: failureOf(kind, error) });
    }
    observer.watching(kind);
    const stall = new Stall(this.#options.clock, () => stream.close());
    try {
      return await this.#events(stream, stall, signal);
    } finally {
      stall.end();
      stream.close();
    }
  }

  /** Only what the stream throws is the stream's: a mistake of ours must not look like a broken connection (H23). */
  async #events(stream: Stream, stall: Stall, signal: AbortSignal): Promise<WatchRequest | undefined> {
    let request = await this.#take({ type: 'opened' });
    // Both are objects of the kind that is watched; the client names its type by the kind.
    const batches = stream.batches(this.#options.store.known as Parameters<Stream['batches']>[0]);
    let grows = true;
    try {
      for (;;) {
        if (this.#state.phase !== 'streaming') stall.end();
        else if (grows) stall.begin();
        const next = await batches.next().catch((error: unknown) => ({ error }));
        if (signal.aborted) return undefined;
        if ('error' in next) return await this.#take(this.#ended(next.error, stall));
        if (next.done === true) return await this.#take(stall.isOver ? this.#ended(undefined, stall) : { type: 'closed' });
        // Changes and bookmarks are not progress: a server that knows no streamed lists sends those for ever.
        grows = next.value.some(({ type }) => type === 'ADDED');
        stall.count(next.value.length);
        for (const event of next.value) {
          const input = this.#inputOf(event as WatchEvent<StoredObject>);
          if (input !== undefined) request = await this.#take(input);
          if (signal.aborted || request !== undefined) return request;
        }
        // Node reads two megabytes of one connection before it looks at a timer, if they are there.
        await this.#options.breather.breathe();
      }
    } finally {
      await batches.return();
    }
  }

  #ended(error: unknown, stall: Stall): WatchInput {
    const failure: WatchFailure = stall.isOver
      ? { reason: 'Silent', message: `no end of the initial events: ${stall.why}`, ...(error === undefined ? {} : { cause: error }) }
      : failureOf(this.#options.kind, error);
    return { type: 'failed', failure };
  }

  #inputOf(event: WatchEvent<StoredObject>): WatchInput | undefined {
    if (event.type === 'BOOKMARK')
      return { type: 'bookmark', resourceVersion: event.resourceVersion, initialEventsEnd: event.initialEventsEnd };
    const [object] = this.#keyed([event.object]);
    return object === undefined ? undefined : { type: 'event', event: event.type, object };
  }

  /** The one place that separates the server's objects from values that cannot be one: the step and the store take keyed objects alone. */
  #keyed(objects: readonly unknown[]): readonly StoredObject[] {
    return objects.filter((object): object is StoredObject => this.#options.store.isKeyed(object));
  }

  get #selection(): Pick<ListOptions, 'labelSelector' | 'fieldSelector'> {
    const { labelSelector, fieldSelector } = this.#options.selection;
    return { labelSelector, fieldSelector };
  }

  /** One transition and all of its effects on what is held. @returns what is to be asked next */
  async #take(input: WatchInput): Promise<WatchRequest | undefined> {
    const { clock, abilities } = this.#options;
    const [next, effects] = step(this.#state, input, clock.monotonicMs());
    if (input.type === 'failed' && input.failure.reason === 'Refused' && !next.memory.mayStream && this.#state.phase === 'streaming')
      abilities.streamsLists = false;
    this.#state = next;
    let request: WatchRequest | undefined;
    for (const effect of effects) {
      if (effect.do === 'list' || effect.do === 'watch' || effect.do === 'wait') request = effect;
      else await this.#do(effect);
    }
    return request;
  }

  #do(effect: Exclude<WatchEffect, WatchRequest>): Promise<void> | undefined {
    const { store, changed, clock } = this.#options;
    switch (effect.do) {
      case 'begin':
        this.#listedFromMs = clock.monotonicMs();
        this.#pages = new PageGuard(this.#listName);
        store.begin();
        return undefined;
      case 'collect':
        return this.#collect(effect.objects);
      case 'discard':
        store.discard(effect.object);
        return undefined;
      case 'replace':
        return this.#replace(effect);
      case 'apply':
        return changed(store.apply(effect.event, effect.object));
      case 'progress':
        store.progress(effect.resourceVersion);
        return undefined;
      case 'report':
        this.#report.failed(effect.failure, effect.failures, this.#hasSynced);
        if (effect.failure.reason === 'NotInstalled') {
          this.#isServed = false;
          this.#options.synced();
        }
        return undefined;
      case 'recovered':
        this.#report.recovered();
        return undefined;
    }
  }

  #collect(objects: readonly StoredObject[]): Promise<void> | undefined {
    const [first] = objects;
    if (objects.length === 1 && first !== undefined) this.#options.store.collect(first);
    return objects.length > 1 ? this.#collectMany(objects) : undefined;
  }

  async #collectMany(objects: readonly StoredObject[]): Promise<void> {
    for (let index = 0; index < objects.length; index += 1) {
      // Before the first, too: the page has only just been parsed, all at once.
      if (index % SLICE === 0) await turn();
      this.#options.store.collect(objects[index] as StoredObject);
    }
  }

  async #replace({ resourceVersion, wentBack }: WatchEffect & { readonly do: 'replace' }): Promise<void> {
    const { store, changed, observer, clock, kind, log } = this.#options;
    const isInitial = store.resourceVersion === undefined;
    if (wentBack)
      log.warn(
        `${kind.kind}: the API server has gone back to resourceVersion ${resourceVersion}; its state is taken over`,
        this.#report.fields,
      );
    const changes = store.replace(resourceVersion, wentBack);
    observer.listed(kind, { objects: store.size, durationMs: clock.monotonicMs() - this.#listedFromMs, isInitial });
    await changed(changes);
    this.#isServed = true;
    this.#hasSynced = true;
    this.#options.synced();
  }

  /** A mistake of ours, or of a clock that was passed in: what is held may be half changed, so it is listed anew. */
  #broken(error: unknown): WatchInput {
    const message = stackOf(error);
    this.#options.log.error(`${this.#options.kind.kind}: the cache failed; it lists anew`, { ...this.#report.fields, error: message });
    // A request under way is over, so that the state must be one that a failure leaves. A failure in `waiting` changes nothing, and the pause counts as over.
    if (this.#state.phase === 'empty') return { type: 'start' };
    return { type: 'failed', failure: { reason: 'Expired', message: `the cache failed: ${String(error)}`, cause: error } };
  }
}

/** Watches over the initial events of a stream: that they go on, and that they end. */
class Stall {
  readonly #clock: Clock;
  readonly #over: () => void;
  #cancel: (() => void) | undefined;
  #cancelAll: (() => void) | undefined;
  #events = 0;
  #why: string | undefined;

  constructor(clock: Clock, over: () => void) {
    this.#clock = clock;
    this.#over = over;
  }

  get isOver(): boolean {
    return this.#why !== undefined;
  }

  get why(): string {
    return this.#why ?? '';
  }

  /** One more object has come, or the first is waited for. */
  begin(): void {
    this.#cancel?.();
    this.#cancel = this.#clock.schedule(STALLED_MS, () => this.#end(`no object for ${STALLED_MS} ms`));
    this.#cancelAll ??= this.#clock.schedule(STREAMED_MS, () => this.#end(`they have gone on for ${STREAMED_MS} ms`));
  }

  count(events: number): void {
    if (this.#cancel === undefined) return;
    this.#events += events;
    if (this.#events > MAX_STREAMED) this.#end(`there are more than ${MAX_STREAMED}`);
  }

  end(): void {
    this.#cancel?.();
    this.#cancelAll?.();
    this.#cancel = undefined;
    this.#cancelAll = undefined;
  }

  #end(why: string): void {
    this.end();
    this.#why ??= why;
    this.#over();
  }
}
