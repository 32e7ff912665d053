import type { ObjectKey } from '@keelson/kubernetes/apimachinery';
import type { Informer, StoredObject } from '../../cache/index.js';
import type { Outside } from '../../outside/index.js';
import type { QueueItem, QueueResult, WorkQueue } from '../../queue/index.js';
import { idOf } from '../object-id.js';
import type { RunReport } from '../object-runner.js';
import type { Hold, ReferencedInformer } from '../referenced-informer.js';
import type { HotRests } from './hot-rests.js';
import type { Waits } from './waits.js';

/** A kind that is not served may be installed again at any time. */
const NOT_SERVED_MS = 1_000;

export interface SchedulerOptions {
  readonly queue: WorkQueue;
  readonly rests: HotRests;
  readonly waits: Waits;
  /** The reconciled objects. */
  readonly primary: Pick<Informer, 'get' | 'isServed'>;
  /** Those that hold what the reconciled objects name. @defaultValue none */
  readonly referenced?: readonly Pick<ReferencedInformer, 'hold'>[] | undefined;
  /** Absent where the controller polls nothing. */
  readonly outside?: Pick<Outside, 'ready' | 'underway'> | undefined;
}

/** An item of the queue whose run can begin now, with the object as it is. */
export interface ReadyRun {
  readonly item: QueueItem;
  readonly object: StoredObject;
  /** Ends the hold on the objects that it names. */
  readonly release: () => void;
}

/**
 * When an object is run: in its turn, when all that the run needs is there, and not too often.
 *
 * Flow: the queue gives an item → {@link ready} → the run → {@link done}.
 * Guarantees: an item that is not ready goes back to the queue, or waits without a worker; what a ready run names is held until {@link done}.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  /** Nothing waits for a worker or for its first reads, and nothing is worked on. */
  get isIdle(): boolean {
    const { queue, waits, outside } = this.#options;
    return queue.isIdle && waits.size === 0 && (outside?.underway ?? 0) === 0;
  }

  take(signal: AbortSignal): Promise<QueueItem | undefined> {
    return this.#options.queue.take(signal);
  }

  /** @returns `undefined` for an item that cannot be run now: it is no longer with its worker then */
  ready(item: QueueItem, stop: AbortSignal): ReadyRun | undefined {
    const { primary, referenced = [], waits } = this.#options;
    const object = primary.get(item.key);
    if (object === undefined) return this.#putBack(item, { type: 'done' });
    // The held object is from before: its deletion may have been missed, and children must not come back for it.
    if (!primary.isServed) return this.#putBack(item, { type: 'later', afterMs: NOT_SERVED_MS });
    if (this.#waitsForOutside(item, object)) return undefined;
    const hold = joined(referenced.map((informer) => informer.hold(object)));
    const onEnd = (isDue: boolean): void => {
      if (isDue) this.#addAgain(item);
      hold.release();
    };
    if (waits.begin({ object, hold, stop, onEnd })) return this.#putBack(item, { type: 'done' });
    return { item, object, release: hold.release };
  }

  /** The run has ended, and its function has returned. */
  done({ item, release }: ReadyRun, result: QueueResult, report: RunReport): void {
    const { queue, rests } = this.#options;
    release();
    queue.done(item, result, rests.after(idOf(item.key), report));
  }

  /** The object is gone. */
  forget(key: ObjectKey): void {
    const { rests, waits } = this.#options;
    waits.end(idOf(key));
    rests.forget(idOf(key));
  }

  /** The first run of an object begins when its polled values have been read for: without them it would know less than it asked for. */
  #waitsForOutside(item: QueueItem, { metadata: { uid, deletionTimestamp } }: StoredObject): boolean {
    const ready = deletionTimestamp === undefined ? this.#options.outside?.ready(uid) : undefined;
    if (ready === undefined) return false;
    this.#putBack(item, { type: 'done' });
    void ready.then(() => this.#addAgain(item));
    return true;
  }

  #putBack(item: QueueItem, result: QueueResult): undefined {
    this.#options.queue.done(item, result);
  }

  #addAgain({ key, trigger, also }: QueueItem): void {
    this.#options.queue.add(key, { trigger, also });
  }
}

/** One hold on all that an object names. */
function joined(holds: readonly Hold[]): Hold {
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
