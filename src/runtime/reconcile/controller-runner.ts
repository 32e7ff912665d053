import { createHash, randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { ControllerModel, Events, Logger } from '../../keelson/definition/index.js';
import { type KindInfo, messageOf, type ObjectKey } from '../../kubernetes/apimachinery/index.js';
import type { Cache, CacheChange, Informer, StoredObject } from '../cache/index.js';
import { ChildrenWriter, type OwnedHandle } from '../children/index.js';
import type { ApiClient } from '../client/index.js';
import { Breather, type Clock } from '../clock/index.js';
import { type Journal, type RunRecord, recordingClient } from '../journal/index.js';
import { type BackgroundActivity, type Given, Outside, type OutsideObserver } from '../outside/index.js';
import { type QueueBackoff, type QueueItem, type QueueObserver, type QueueResult, WorkQueue } from '../queue/index.js';
import { Share, StatusWriter, statusFormOf } from '../status/index.js';
import { formerManagersOf } from '../takeover/index.js';
import { backgroundReads } from './background-reads.js';
import { withFields } from './context.js';
import { RunAbortedError } from './errors.js';
import { Finalizer } from './finalizer.js';
import { HotRests } from './hot-rests.js';
import { isPassing, isRetryLater, isTerminal, ObjectRunner, type RunReport } from './object-runner.js';
import { NO_TRACING, type ReconcileObserver, type ReconcileTracing, type RunResult } from './observer.js';
import type { Hold } from './referenced-informer.js';
import { refreshInformers } from './refresh-informers.js';
import type { Rivals } from './rivals.js';
import { type Informers, listen } from './triggers.js';

export interface ControllerRunnerOptions {
  readonly controller: ControllerModel;
  /** With the controller's name it makes the field manager. */
  readonly operatorName: string;
  /** @defaultValue none: it is the only controller of its kind */
  readonly rivals?: Rivals | undefined;
  readonly cache: Cache;
  readonly client: ApiClient;
  readonly clock: Clock;
  /** @defaultValue one of its own */
  readonly breather?: Breather | undefined;
  readonly log: Logger;
  readonly events: (object: StoredObject, log: Logger) => Events;
  /** Objects that are worked on at the same time. @defaultValue 10 */
  readonly concurrency?: number | undefined;
  /** How long one call of `reconcile` or `finalize` may take. @defaultValue 300000, 5 minutes */
  readonly timeLimitMs?: number | undefined;
  /** Every object is looked at again after this time, ±10 %, whatever happens. @defaultValue 36000000, 10 hours */
  readonly resyncMs?: number | undefined;
  /** Share by which `requeueAfter` is longer at random. @defaultValue 0.1 */
  readonly requeueJitter?: number | undefined;
  readonly backoff?: QueueBackoff | undefined;
  readonly random?: (() => number) | undefined;
  readonly observer?: ReconcileObserver | undefined;
  readonly queueObserver?: QueueObserver | undefined;
  readonly tracing?: ReconcileTracing | undefined;
  /** Externals, settings and metrics of the process. @defaultValue none, for a controller that uses none */
  readonly given?: Given | undefined;
  readonly outsideObserver?: OutsideObserver | undefined;
  /** Keeps the runs. @defaultValue none */
  readonly journal?: Journal | undefined;
}

export interface Term {
  /** No object is begun any more; what is under way may end. */
  readonly stop: AbortSignal;
  /** Runs under way are given up, and nothing is written any more. */
  readonly abort: AbortSignal;
  /** Another process may have worked until now: what this one's caches hold may be older than that. @defaultValue false */
  readonly isElected?: boolean | undefined;
}

/** A kind that is not served may be installed again at any time. */
const NOT_SERVED_MS = 1_000;
/** First lists take less; what takes longer has a reason. */
const TELL_WAIT_MS = 1_000;
/** Time that a run has to return after its signal was aborted, before a warning says that it does not. */
const RETURN_WITHIN_MS = 1_000;

/**
 * Runs one controller: what happens in the cluster becomes keys in its queue, and workers take them.
 *
 * Flow: made → listens (a standby's queue fills, deduplicated) → {@link run} for a term of leadership → drained.
 * Guarantees: nothing is reconciled before all the caches that the controller reads are complete (H18), nor while the API server does not serve the kind
 * (H28); an object is with one worker at a time; an error of one object is reported once, with object and cause, and does not affect the others.
 */
export class ControllerRunner {
  readonly queue: WorkQueue;
  readonly #options: ControllerRunnerOptions;
  readonly #log: Logger;
  readonly #informers: Informers;
  readonly #stopListening: () => void;
  readonly #children: ChildrenWriter;
  readonly #status: StatusWriter | undefined;
  readonly #runner: ObjectRunner;
  /** Absent where the controller declares nothing of the world outside. */
  readonly #outside: Outside | undefined;
  readonly #rests: HotRests;
  readonly #breather: Breather;
  /** The runs under way that `abortOn` can end. */
  readonly #aborts = new Map<string, AbortController>();
  /** Runs that were given up and whose functions have not returned, since when. */
  readonly #left = new Map<string, number>();
  /** Objects that wait for what they name to be read. */
  readonly #awaiting = new Map<string, AbortController>();
  /** The last error of each failing object: a print of it. */
  readonly #failures = new Map<string, string>();

  constructor(options: ControllerRunnerOptions) {
    this.#options = options;
    const { controller, operatorName, cache, clock, journal } = options;
    const client = journal === undefined ? options.client : recordingClient(options.client, journal, (kind, key) => this.#known(kind, key));
    this.#log = withFields(options.log, { controller: controller.name });
    this.#rests = new HotRests(clock, this.#log);
    this.#breather = options.breather ?? new Breather(clock);
    this.queue = new WorkQueue({ clock, observer: options.queueObserver, backoff: options.backoff, keepsCauses: journal !== undefined });
    const fieldManager = `${operatorName}/${controller.name}`;
    const onGone = (object: StoredObject): void => this.#forget(object);
    const onPrimary = (change: CacheChange): void => {
      this.#abortBy(change);
      this.#outside?.changed(change);
    };
    const { controllers: others = [], enqueue: enqueueFor } = options.rivals ?? {};
    const share = new Share(controller, others);
    const hearsStatus = (object: StoredObject): boolean => this.#hearsStatus(object);
    const parts = { controller, needed: share.needed, cache, queue: this.queue, log: this.#log };
    const { informers, stop } = listen({ ...parts, hearsStatus, onGone, onPrimary });
    this.#informers = informers;
    this.#stopListening = stop;
    this.#outside = outsideOf(options, { informer: informers.primary, queue: this.queue, log: this.#log });
    const formerManagers = formerManagersOf(controller, { client, log: this.#log, fieldManager });
    const managers = others.map(({ name }) => `${operatorName}/${name}`);
    this.#children = new ChildrenWriter({
      client,
      log: this.#log,
      fieldManager,
      rivals: managers,
      handles: handlesOf(controller, informers),
      formerManagers,
      primary: informers.primary,
      eventsOf: (object) => options.events(object, this.#log),
    });
    const primary = { client, log: this.#log, kind: controller.for, informer: informers.primary, fieldManager };
    const onLost = (name: string, object: StoredObject): void => enqueueFor?.(name, keyOf(object));
    const onOthers = (object: StoredObject): void => this.#statusChanged(object);
    this.#status = controller.writesStatus ? new StatusWriter({ ...primary, share, formerManagers, onLost, onOthers }) : undefined;
    this.#runner = new ObjectRunner({
      controller,
      client,
      clock,
      log: this.#log,
      informers,
      children: this.#children,
      finalizer: controller.finalizer === undefined ? undefined : new Finalizer({ ...primary, finalizer: controller.finalizer }),
      status: this.#status,
      statusForm: statusFormOf(controller, share),
      share,
      fieldManager,
      rivals: new Set(managers),
      served: cache.namespaces,
      timeLimitMs: options.timeLimitMs ?? 300_000,
      events: options.events,
      outside: this.#outside,
    });
  }

  get kind(): KindInfo {
    return this.#options.controller.for;
  }

  get name(): string {
    return this.#options.controller.name;
  }

  /** Nothing is under way: no run, no first read of a polled value. Background work may go on: {@link background}. */
  get isIdle(): boolean {
    return this.queue.isIdle && this.#awaiting.size === 0 && (this.#outside?.underway ?? 0) === 0;
  }

  /** Everything that is there has been looked at, nothing is under way, and nothing failed that will be tried again. */
  get isSettled(): boolean {
    return this.isIdle && this.queue.failing === 0;
  }

  get background(): BackgroundActivity {
    return this.#outside?.background ?? { running: 0, signs: 0 };
  }

  /** Objects whose run was given up but has not returned: nothing else is run for them until it does. */
  get unreturned(): readonly { readonly object: string; readonly forMs: number }[] {
    const nowMs = this.#options.clock.monotonicMs();
    return [...this.#left].map(([object, sinceMs]) => ({ object, forMs: nowMs - sinceMs }));
  }

  /** Whether all that the controller reads from is complete. */
  get hasSynced(): boolean {
    return this.#reads.every(({ hasSynced }) => hasSynced);
  }

  get #reads(): readonly Informer[] {
    const { primary, owns, watches, namespaces = primary } = this.#informers;
    return [primary, namespaces, ...Object.values(owns), ...Object.values(watches)];
  }

  /** Works for one term; ends when a signal is aborted and nothing is under way any more. */
  async run({ stop, abort, isElected = false }: Term): Promise<void> {
    const ended = new AbortController();
    // One listener for each worker, source and pause: Node would take more than ten for a leak.
    setMaxListeners(0, ended.signal);
    const end = (): void => ended.abort();
    for (const signal of [stop, abort]) {
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
    }
    try {
      // Only its own reads: a kind that cannot be listed holds up the controllers that need it, and no others.
      await this.#options.cache.synced(ended.signal, this.#reads).catch((error: unknown) => {
        if (!ended.signal.aborted) throw error;
      });
      if (ended.signal.aborted) return;
      if (isElected)
        await refreshInformers([this.#informers.primary, ...Object.values(this.#informers.owns)], {
          ...this.#options,
          log: this.#log,
          signal: ended.signal,
        });
      if (ended.signal.aborted) return;
      this.#log.info('reconciling', { kind: this.#options.controller.for.kind });
      const workers = Array.from({ length: this.#options.concurrency ?? 10 }, () => this.#work(ended.signal, abort));
      await Promise.all([...workers, this.#outside?.run(this.#informers.primary.list(), ended.signal)]);
    } finally {
      for (const signal of [stop, abort]) signal.removeEventListener('abort', end);
    }
  }

  /** Puts an object to work from outside. One that does not exist is left alone. */
  enqueue(key: ObjectKey): void {
    this.queue.add(key, { trigger: { cause: 'enqueued' } });
  }

  /** Listens no longer. The runner cannot be used again. */
  close(): void {
    this.#stopListening();
    this.queue.shutDown();
  }

  async #work(stop: AbortSignal, abort: AbortSignal): Promise<void> {
    for (let item = await this.queue.take(stop); item !== undefined; item = await this.queue.take(stop)) {
      await this.#process(item, stop, abort);
      // Runs that find all as desired wait for nothing: of thousands of objects, after a restart, they would be one task of seconds.
      await this.#breather.breathe();
    }
  }

  async #process(item: QueueItem, stop: AbortSignal, abort: AbortSignal): Promise<void> {
    const { controller, clock, observer, tracing = NO_TRACING } = this.#options;
    const object = this.#informers.primary.get(item.key);
    if (object === undefined) {
      this.queue.done(item, { type: 'done' });
      return;
    }
    // The held object is from before: its deletion may have been missed, and children must not come back for it.
    if (!this.#informers.primary.isServed) {
      this.queue.done(item, { type: 'later', afterMs: NOT_SERVED_MS });
      return;
    }
    if (this.#waitsForOutside(item, object)) return;
    const hold = this.#hold(object);
    if (this.#waitsForReferenced(item, hold, { object, stop })) return;
    observer?.started?.(controller.name);
    const startMs = clock.monotonicMs();
    const attributes = {
      'keelson.controller': controller.name,
      'k8s.object.name': item.key.name,
      'k8s.namespace.name': item.key.namespace ?? '',
    };
    const record = this.#record(item, object);
    const run = (signal: AbortSignal): Promise<RunReport> =>
      this.#runner.run({ object, trigger: item.trigger, attempt: item.attempt, signal, record });
    const report = await tracing.inSpan(`reconcile ${controller.name}`, attributes, () =>
      this.#abortable(item.key, abort, (signal) => this.#within(record, () => run(signal))),
    );
    const { metric, queue } = this.#judge(item, report, abort);
    const tookMs = clock.monotonicMs() - startMs;
    observer?.finished?.(controller.name, metric, tookMs / 1000);
    record?.end({ result: metric, tookMs, error: report.error, ...('afterMs' in queue ? { nextInMs: queue.afterMs } : {}) });
    const end = (): void => {
      hold.release();
      this.queue.done(item, queue, this.#rests.after(textOf(item.key), report));
    };
    if (report.left === undefined) end();
    else this.#leave(item.key, report.left, end);
  }

  /** The first run of an object begins when its polled values have been read for: without them it would know less than it asked for. */
  #waitsForOutside(item: QueueItem, { metadata: { uid, deletionTimestamp } }: StoredObject): boolean {
    const ready = deletionTimestamp === undefined ? this.#outside?.ready(uid) : undefined;
    if (ready === undefined) return false;
    this.queue.done(item, { type: 'done' });
    void ready.then(() => this.#addAgain(item));
    return true;
  }

  #addAgain({ key, trigger, also }: QueueItem): void {
    this.queue.add(key, { trigger, also });
  }

  #record({ key, trigger, also = [], attempt, waitedMs = 0 }: QueueItem, { metadata }: StoredObject): RunRecord | undefined {
    const { journal, controller, clock } = this.#options;
    return journal?.begin({
      id: randomUUID(),
      controller: controller.name,
      kind: controller.for.kind,
      object: textOf(key),
      version: metadata.resourceVersion,
      startedAt: new Date(clock.wallMs()),
      triggers: [trigger, ...also],
      queuedMs: waitedMs,
      attempt,
    });
  }

  #within<T>(record: RunRecord | undefined, act: () => T): T {
    const { journal } = this.#options;
    return journal === undefined || record === undefined ? act() : journal.within(record, act);
  }

  /** The state of an object of any kind that the controller caches. */
  #known(kind: KindInfo, key: ObjectKey): StoredObject | undefined {
    const { primary, owns, watches } = this.#informers;
    const informers = [primary, ...Object.values(owns), ...Object.values(watches)];
    return informers.find(({ kind: held }) => held.group === kind.group && held.kind === kind.kind)?.get(key);
  }

  /** Holds the objects that this one names, from before its run until after it. */
  #hold(object: StoredObject): Hold {
    const holds = (this.#informers.referenced ?? []).map((informer) => informer.hold(object));
    return {
      problems: () => holds.flatMap(({ problems }) => problems()),
      ready: (signal) => {
        const waiting = holds.flatMap(({ ready }) => ready(signal) ?? []);
        return waiting.length === 0 ? undefined : Promise.all(waiting).then(() => undefined);
      },
      release: () => {
        for (const { release } of holds) release();
      },
    };
  }

  /** An object whose named objects have not been read yet would take them for missing (H18). Others go on meanwhile. */
  #waitsForReferenced(
    { key, trigger, ...item }: QueueItem,
    { ready, release, problems }: Hold,
    { object, stop }: { readonly object: StoredObject; readonly stop: AbortSignal },
  ): boolean {
    const id = textOf(key);
    // It may name others by now.
    this.#awaiting.get(id)?.abort();
    const own = new AbortController();
    const waiting = ready(own.signal);
    if (waiting === undefined) return false;
    this.#awaiting.set(id, own);
    this.queue.done({ key, trigger, ...item }, { type: 'done' });
    const abort = (): void => own.abort();
    stop.addEventListener('abort', abort, { once: true });
    const told = this.#tellWait(object, problems, own.signal);
    const end = async (): Promise<void> => {
      // The run's own words come after these.
      await told.end();
      stop.removeEventListener('abort', abort);
      if (this.#awaiting.get(id) === own) this.#awaiting.delete(id);
      // A next term begins with it too; an overtaken wait has its place in the queue already.
      if (!own.signal.aborted || stop.aborted) this.#addAgain({ key, trigger, ...item });
      release();
    };
    waiting.then(end, end).catch((error: unknown) => this.#log.error('a wait could not be ended', { object: id, error }));
    return true;
  }

  /** An object that no run can begin for says so itself: its user sees no log of the operator. */
  #tellWait(object: StoredObject, problems: () => readonly string[], signal: AbortSignal): { readonly end: () => Promise<void> } {
    const { clock, events } = this.#options;
    let saying: Promise<void> = Promise.resolve();
    const look = (): void => {
      const [problem] = problems();
      if (problem === undefined) cancel = clock.schedule(TELL_WAIT_MS, look);
      else {
        events(object, this.#log).warning('Waiting', problem);
        saying = this.#runner.waits(object, problem, signal);
      }
    };
    let cancel = clock.schedule(TELL_WAIT_MS, look);
    return {
      end: () => {
        cancel();
        return saying;
      },
    };
  }

  /** The worker goes on; the object stays taken until the function has returned, as two of them would act at once. */
  #leave(key: ObjectKey, returned: Promise<unknown>, end: () => void): void {
    const id = textOf(key);
    const { clock, controller, observer } = this.#options;
    this.#left.set(id, clock.monotonicMs());
    observer?.left?.(controller.name);
    // A run that heeds its signal returns at once: that is not worth a warning.
    const cancel = clock.schedule(RETURN_WITHIN_MS, () =>
      this.#log.warn('a run was given up and has not returned: until it does, the object is not reconciled; heed the signal', {
        object: id,
      }),
    );
    void returned.then(() => {
      cancel();
      this.#left.delete(id);
      observer?.returned?.(controller.name);
      end();
    });
  }

  /** With a signal that what the controller names under `abortOn` aborts too. */
  async #abortable<T>(key: ObjectKey, outer: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#options.controller.abortOn.length === 0) return run(outer);
    const id = textOf(key);
    const own = new AbortController();
    const end = (): void => own.abort(outer.reason);
    outer.addEventListener('abort', end, { once: true });
    if (outer.aborted) end();
    this.#aborts.set(id, own);
    try {
      return await run(own.signal);
    } finally {
      this.#aborts.delete(id);
      outer.removeEventListener('abort', end);
    }
  }

  #abortBy({ type, object, previous }: CacheChange): void {
    const { abortOn } = this.#options.controller;
    const running = this.#aborts.get(textOf(keyOf(object)));
    if (running === undefined) return;
    const [now, before] = [object.metadata, previous?.metadata];
    const isDeletion = type === 'deleted' || (now.deletionTimestamp !== undefined && before?.deletionTimestamp === undefined);
    const isNewSpec = type === 'modified' && now.generation !== before?.generation && !isDeletion;
    if (isDeletion && abortOn.includes('deletion')) running.abort(new RunAbortedError('the object is being deleted'));
    else if (isNewSpec && abortOn.includes('spec')) running.abort(new RunAbortedError('the spec of the object has changed'));
  }

  #hearsStatus(object: StoredObject): boolean {
    const isNews = this.#status?.hears(object) === true;
    if (isNews) this.#rests.statusChanged(textOf(keyOf(object)));
    return isNews;
  }

  /** As what {@link #hearsStatus} hears, found at the end of a write. */
  #statusChanged(object: StoredObject): void {
    const key = keyOf(object);
    this.#rests.statusChanged(textOf(key));
    this.queue.add(key, { trigger: { cause: 'object' } });
  }

  #judge(item: QueueItem, report: RunReport, abort: AbortSignal): { readonly metric: RunResult; readonly queue: QueueResult } {
    const { error } = report;
    // Given up, not failed: the next term, or the change that ended it, begins with it.
    if (error !== undefined && (abort.aborted || error instanceof RunAbortedError))
      return { metric: 'requeue', queue: { type: 'again', afterMs: 0, trigger: item.trigger, lane: 'fresh' } };
    if (error === undefined) {
      this.#recovered(item);
      const resyncMs = this.#resyncMs();
      const afterMs = this.#nextRunMs(report);
      if (afterMs < resyncMs)
        return { metric: 'requeue_after', queue: { type: 'again', afterMs, trigger: { cause: 'timer' }, lane: 'fresh' } };
      return { metric: 'success', queue: { type: 'again', afterMs: resyncMs, trigger: { cause: 'resync' }, lane: 'slow' } };
    }
    if (isRetryLater(error)) {
      this.#log.debug('it waits', { object: textOf(item.key), why: error.message });
      return { metric: 'requeue_after', queue: { type: 'later', afterMs: error.afterMs } };
    }
    this.#failed(item, error);
    if (isTimeLimit(error)) this.#options.observer?.timedOut?.(this.#options.controller.name);
    if (isFault(error)) this.#options.observer?.panicked?.(this.#options.controller.name);
    if (isTerminal(error))
      return { metric: 'terminal', queue: { type: 'again', afterMs: this.#resyncMs(), trigger: { cause: 'resync' }, lane: 'slow' } };
    return { metric: 'error', queue: { type: 'failed' } };
  }

  /** @returns how long until the run that the last one asked for; infinite if it asked for none */
  #nextRunMs({ requeueAfterMs, requeueAtMs }: RunReport): number {
    const { clock, random = Math.random, requeueJitter = 0.1 } = this.#options;
    // Objects that were made together would come together for ever.
    const spanMs = requeueAfterMs === undefined ? Number.POSITIVE_INFINITY : requeueAfterMs * (1 + requeueJitter * random());
    const untilMs = requeueAtMs === undefined ? Number.POSITIVE_INFINITY : Math.max(0, requeueAtMs - clock.wallMs());
    return Math.min(spanMs, untilMs);
  }

  /** Logged once as an error: further failures for the same reason are logged at `debug`. */
  #failed({ key, attempt }: QueueItem, error: unknown): void {
    const id = textOf(key);
    const message = printOf(messageOf(error));
    const fields = { object: id, attempt, error };
    if (isPassing(error, { attempt })) {
      this.#log.debug('another client was quicker; trying again', fields);
      return;
    }
    if (this.#failures.get(id) === message) this.#log.debug('reconciling failed again', fields);
    else this.#log.error('reconciling failed', fields);
    this.#failures.set(id, message);
  }

  #recovered({ key }: QueueItem): void {
    if (this.#failures.delete(textOf(key))) this.#log.info('reconciling works again', { object: textOf(key) });
  }

  #forget(object: StoredObject): void {
    const { name, namespace, uid } = object.metadata;
    const id = textOf(namespace === undefined ? { name } : { name, namespace });
    this.#awaiting.get(id)?.abort();
    this.#failures.delete(id);
    this.#rests.forget(id);
    this.#children.forget(uid);
    this.#runner.forget(uid);
    this.#status?.forget(uid);
  }

  #resyncMs(): number {
    const { resyncMs = 36_000_000, random = Math.random } = this.#options;
    return resyncMs * (0.9 + 0.2 * random());
  }
}

function handlesOf({ owns }: ControllerModel, informers: Informers): Readonly<Record<string, OwnedHandle>> {
  return Object.fromEntries(
    Object.entries(owns).flatMap(([name, { policy }]) => {
      const informer = informers.owns[name];
      return informer === undefined ? [] : [[name, { informer, policy }]];
    }),
  );
}

function keyOf({ metadata: { name, namespace } }: StoredObject): ObjectKey {
  return namespace === undefined ? { name } : { name, namespace };
}

/** Whether the engine threw it, and not a reconciler on purpose. */
function isFault(error: unknown): boolean {
  return error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError || !(error instanceof Error);
}

function isTimeLimit(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'KEELSON_TIME_LIMIT';
}

/** The identity of a message, remembered for each failing object: a long one is shortened. */
function printOf(message: string): string {
  return message.length > 256 ? createHash('sha256').update(message).digest('base64') : message;
}

function textOf({ namespace, name }: ObjectKey): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

interface OutsideParts {
  readonly informer: Informers['primary'];
  readonly queue: WorkQueue;
  readonly log: Logger;
}

/** @throws TypeError for a controller that uses something, and a process that was given nothing */
function outsideOf(options: ControllerRunnerOptions, { informer, queue, log }: OutsideParts): Outside | undefined {
  const { controller, given, clock, random, concurrency, outsideObserver: observer } = options;
  const uses = Object.keys(controller.uses);
  if (uses.length + Object.keys(controller.observes).length + Object.keys(controller.background).length === 0) return undefined;
  if (given === undefined) throw new TypeError(`controller ${controller.name} uses ${uses.join(', ') || 'sources'}, and nothing is given`);
  return new Outside({
    declared: { uses, observes: controller.observes, background: controller.background },
    given,
    scope: controller.for.scope,
    clock,
    log,
    random,
    concurrency,
    observer,
    newest: (key) => informer.get(key),
    enqueue: (key, trigger) => queue.add(key, { trigger }),
    reads: (object, signal) =>
      backgroundReads({ controller, client: options.client, log, served: options.cache.namespaces }, object, signal),
  });
}
