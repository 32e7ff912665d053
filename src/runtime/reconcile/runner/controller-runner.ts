import type { KindInfo, ObjectKey } from '@keelson/kubernetes/apimachinery';
import type { CacheChange, StoredObject } from '../../cache/index.js';
import type { BackgroundActivity } from '../../outside/index.js';
import type { QueueItem, WorkQueue } from '../../queue/index.js';
import { hasNeeded, readsOf } from '../informers.js';
import { idOf, keyOf } from '../object-id.js';
import { type HeldObjects, logStrays, type StrayNames, straysIn } from '../strays.js';
import { listen } from '../triggers.js';
import type { Departures } from './departures.js';
import type { UnreturnedRun } from './left-runs.js';
import type { ControllerRunnerOptions } from './options.js';
import { type ControllerParts, partsOf } from './parts.js';
import type { NotReady } from './ready-times.js';
import { RunningTerm, type Term } from './term.js';

/**
 * Runs one controller: what happens in the cluster becomes keys in its queue, and workers take them.
 *
 * Flow: made → listens (a standby's queue fills, deduplicated) → {@link run} for a term of leadership → drained.
 * Guarantees: nothing is reconciled before all the caches that the controller reads are complete (H18), nor while the API server does not serve the kind
 * (H28); an object is with one worker at a time; a paused object is not run; an error of one object is reported once, with object and cause, and does not affect the others.
 */
export class ControllerRunner {
  readonly #options: ControllerRunnerOptions;
  readonly #parts: ControllerParts;
  readonly #stopListening: () => void;
  #hasBegun = false;

  /** @throws TypeError for a controller that uses externals, in a process that was given none */
  constructor(options: ControllerRunnerOptions) {
    this.#options = options;
    this.#parts = partsOf(options);
    const { informers, log, pauses, queue, share, writers } = this.#parts;
    this.#stopListening = listen({
      controller: options.controller,
      informers,
      log,
      queue,
      finalizer: writers.finalizer?.name,
      needed: share.needed,
      hearsStatus: (object) => this.#hearsStatus(object),
      onPrimary: (change) => this.#changed(change),
      isHeld: (object) => pauses.holds(object),
      onGone: (object) => this.#forget(object),
    });
  }

  get kind(): KindInfo {
    return this.#options.controller.for;
  }

  get name(): string {
    return this.#options.controller.name;
  }

  get queue(): WorkQueue {
    return this.#parts.queue;
  }

  /** Nothing is under way: no run, no first read of a polled value. Background work may go on: {@link background}. */
  get isIdle(): boolean {
    return this.#parts.scheduler.isIdle;
  }

  /** Everything that is there has been looked at, nothing is under way, and nothing failed that will be tried again. */
  get isSettled(): boolean {
    return this.isIdle && this.queue.failing === 0;
  }

  get background(): BackgroundActivity {
    return this.#parts.outside?.background ?? { running: 0, signs: 0 };
  }

  /** Objects whose run was given up but has not returned: nothing else is run for them until it does. */
  get unreturned(): readonly UnreturnedRun[] {
    return this.#parts.left.unreturned;
  }

  /** Milliseconds since the deletion that waits longest for the controller's finalizer has begun; 0 if none waits. */
  get longestDeletionMs(): number {
    const { informers, writers } = this.#parts;
    return writers.finalizer?.longestWaitMs(informers.primary.list(), this.#options.clock.wallMs()) ?? 0;
  }

  /** The objects whose summary condition is not `True`. */
  get notReady(): NotReady {
    const { informers, readyTimes } = this.#parts;
    return readyTimes.notReady(informers.primary.list());
  }

  /**
   * Objects and children that may still carry a former name: those that the caches show, and all objects while their statuses are looked at. `undefined` before the
   * first term, and for a controller without former names.
   */
  get formerLeft(): number | undefined {
    const { informers, takeover, writers } = this.#parts;
    const { released, formerFinalizers } = this.#options.controller;
    const isTaking = writers.isRenamed || (released ?? formerFinalizers) !== undefined;
    if (!this.#hasBegun || !isTaking) return undefined;
    const objects = informers.primary.list();
    if (takeover?.isDone === false) return objects.length + writers.children.left;
    const { children, finalizer } = writers;
    return objects.filter((object) => finalizer?.hasFormer(object) === true || children.remembersFormer(object)).length + children.left;
  }

  /** Names on its objects and on the kinds of its children that belong to no controller of the operator. */
  get strays(): readonly StrayNames[] {
    const { known } = this.#options;
    if (known === undefined) return [];
    const { primary, owns } = this.#parts.informers;
    // The domain of another kind belongs to others, who have finalizers in it too.
    const own: readonly HeldObjects[] =
      'customResource' in this.kind ? [{ what: 'finalizer', kind: this.kind, objects: primary.list() }] : [];
    const children = Object.values(owns).map((informer): HeldObjects => ({ what: 'child', kind: informer.kind, objects: informer.list() }));
    return straysIn([...own, ...children], known);
  }

  /** Whether all that the controller reads from is complete. */
  get hasSynced(): boolean {
    return readsOf(this.#parts.informers).every(({ hasSynced }) => hasSynced);
  }

  /** Whether it can work: all that it reads is complete and served, and every run that was given up has returned. */
  get isReady(): boolean {
    return this.hasSynced && hasNeeded(this.#parts.informers) && this.unreturned.length === 0;
  }

  /** Works for one term; ends when a signal is aborted and nothing is under way any more. */
  async run(signals: Term): Promise<void> {
    const { departures, informers, log, outside, pauses, readyTimes, runs, scheduler, takeover } = this.#parts;
    const { primary, owns } = informers;
    const term = new RunningTerm(signals);
    try {
      const reads = { reads: readsOf(informers), refreshed: [primary, ...Object.values(owns)] };
      if (!(await term.begin({ ...this.#options, ...reads, log }))) return;
      log.info('reconciling', { kind: this.kind.kind });
      readyTimes.begin();
      this.#hasBegun = true;
      logStrays(log, this.strays);
      await Promise.all([
        runs.work(
          () => scheduler.take(term.ended),
          (item) => this.#process(item, term),
        ),
        takeover?.run(term.ended),
        outside?.run(
          primary.list().filter((object) => !pauses.holds(object)),
          term.ended,
        ),
        departures?.begin(term.ended),
      ]);
    } finally {
      readyTimes.end();
      departures?.end();
      term.close();
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

  async #process(item: QueueItem, { ended, abort }: RunningTerm): Promise<void> {
    const { departures, informers, pauses, rate, runs, scheduler, verdicts } = this.#parts;
    // The next term begins with it.
    if (rate !== undefined && !(await rate.turn(ended)))
      return this.queue.done(item, { type: 'again', afterMs: 0, trigger: item.trigger, lane: 'fresh' });
    const object = informers.primary.get(item.key);
    if (object === undefined && departures?.has(item.key) === true) return this.#letGo(item, departures, abort);
    if (object !== undefined && pauses.holds(object)) return pauses.rest(item, object, abort);
    const ready = scheduler.ready(item, ended);
    if (ready === undefined) return;
    const run = await runs.run(ready, abort);
    const verdict = verdicts.judge(item, run.report, abort.aborted);
    runs.end(run, verdict, () => scheduler.done(ready, verdict.next, run.report));
  }

  /** The object has left the selection, or is gone. */
  async #letGo(item: QueueItem, departures: Departures, abort: AbortSignal): Promise<void> {
    const { queue, runs, verdicts } = this.#parts;
    try {
      const step = await departures.step(item.key, abort);
      if (step.type !== 'finalize') return queue.done(item, step);
      const run = await runs.run({ item, object: step.object, release: () => undefined }, abort);
      const { error, requeueAfterMs, requeueAtMs } = run.report;
      const verdict = verdicts.judge(item, run.report, abort.aborted);
      // Finalized: another look says that it is gone.
      const isOver = error === undefined && requeueAfterMs === undefined && requeueAtMs === undefined;
      runs.end(run, verdict, () => queue.done(item, isOver ? { type: 'later', afterMs: 0 } : verdict.next));
    } catch (error) {
      queue.done(item, verdicts.judge(item, { wrote: false, error }, abort.aborted).next);
    }
  }

  #changed(change: CacheChange): void {
    const { aborts, departures, outside, pauses, readyTimes } = this.#parts;
    if (change.type !== 'deleted') departures?.forget(keyOf(change.object));
    aborts.changed(change);
    pauses.changed(change);
    readyTimes.changed(change);
    outside?.changed(change, pauses.holds(change.object));
  }

  #hearsStatus(object: StoredObject): boolean {
    const { rests, writers } = this.#parts;
    const isNews = writers.status?.hears(object) === true;
    if (isNews) rests.statusChanged(idOf(object.metadata));
    return isNews;
  }

  #forget(object: StoredObject): void {
    const { departures, observing, runner, scheduler, verdicts, writers } = this.#parts;
    const { uid } = object.metadata;
    scheduler.forget(keyOf(object));
    verdicts.forget(idOf(object.metadata));
    for (const part of [runner, observing, writers.children, writers.status]) part?.forget(uid);
    departures?.left(object);
  }
}
