import type { ControllerModel, Events, Logger } from 'keelson/internal/definition';
import type { CacheChange, StoredObject } from '../../cache/index.js';
import type { ApiClient } from '../../client/index.js';
import type { QueueItem, WorkQueue } from '../../queue/index.js';
import { isExempt, isPaused, pauseMessage } from '../../steering/index.js';
import type { ManagerNames } from '../../takeover/index.js';
import { idOf } from '../object-id.js';
import type { ObjectRunner } from '../object-runner.js';
import type { ReconcileObserver } from '../observer.js';

export interface PausesOptions {
  readonly controller: Pick<ControllerModel, 'name' | 'for' | 'annotations'>;
  readonly client: Pick<ApiClient, 'list'>;
  readonly log: Logger;
  /** The whole operator is paused: its objects do not say so. */
  readonly isPaused?: boolean | undefined;
  readonly queue: Pick<WorkQueue, 'done'>;
  /** Field managers of this operator, the present ones and those before it. */
  readonly managers: ManagerNames;
  readonly runner: Pick<ObjectRunner, 'saysPaused' | 'tellPaused'>;
  readonly events: (object: StoredObject, log: Logger) => Events;
  readonly observer?: Pick<ReconcileObserver, 'paused'> | undefined;
}

/**
 * Objects that people have paused.
 *
 * Flow: {@link changed} for every change of a reconciled object → {@link holds} for an item of the queue → {@link rest} instead of a run.
 * Guarantees: a paused object is not run, and nothing is read or watched for it; the condition `Paused` is written once for each pause. An object that is
 * resumed is run because its annotations have changed.
 */
export class Pauses {
  readonly #options: PausesOptions;
  /** Uids of the paused objects. */
  readonly #paused = new Set<string>();
  /** Those that were paused while this process listened, and have not been reported yet. */
  readonly #unreported = new Set<string>();
  /** Those whose status another operator writes. */
  readonly #foreign = new Set<string>();

  constructor(options: PausesOptions) {
    this.#options = options;
  }

  holds(object: StoredObject): boolean {
    const { controller, isPaused: isAllPaused = false } = this.#options;
    return (isAllPaused || isPaused(object, controller.annotations)) && !isExempt(object, controller.annotations);
  }

  /** A reconciled object has changed, or is gone. */
  changed({ type, object, isInitial }: CacheChange): void {
    const { uid } = object.metadata;
    const isHeld = type !== 'deleted' && this.holds(object);
    if (isHeld === this.#paused.has(uid)) return;
    const { controller, log, observer } = this.#options;
    if (isHeld) {
      this.#paused.add(uid);
      if (!isInitial) this.#unreported.add(uid);
    } else {
      this.#paused.delete(uid);
      this.#unreported.delete(uid);
      this.#foreign.delete(uid);
      if (type !== 'deleted') log.info('resumed', { object: idOf(object.metadata) });
    }
    observer?.paused?.(controller.name, this.#paused.size);
  }

  /** Ends the item of a paused object, whose status says so then. */
  async rest(item: QueueItem, object: StoredObject, signal: AbortSignal): Promise<void> {
    const { log, queue } = this.#options;
    try {
      await this.#report(object, signal);
      queue.done(item, { type: 'done' });
    } catch (error) {
      log.debug('the status could not report that the object is paused', { object: idOf(item.key), error });
      queue.done(item, { type: 'failed' });
    }
  }

  async #report(object: StoredObject, signal: AbortSignal): Promise<void> {
    const { controller, events, log, managers, runner } = this.#options;
    if (!isPaused(object, controller.annotations)) return;
    const { uid } = object.metadata;
    const isNews = this.#unreported.has(uid);
    const isDue = runner.saysPaused(object) === false;
    if (!isNews && (!isDue || this.#foreign.has(uid))) return;
    const { paused = '' } = controller.annotations ?? {};
    const entries = (await this.#read(object, signal))?.metadata.managedFields ?? [];
    this.#unreported.delete(uid);
    // Whether a reconciler ignores the object is known to its runs alone: the status of another operator is left alone.
    const writers = entries.filter(({ subresource }) => subresource === 'status').map(({ manager = '' }) => manager);
    if (writers.length > 0 && !writers.some((manager) => managers.has(manager))) {
      this.#foreign.add(uid);
      return;
    }
    const message = pauseMessage(paused, entries);
    if (isDue) await runner.tellPaused(object, message, signal);
    events(object, log).normal('Paused', message);
    log.info(`paused: ${message}`, { object: idOf(object.metadata) });
  }

  /** The caches hold no managed fields. A list of one: the rights of the cache suffice for it. */
  async #read({ metadata: { name, namespace, uid } }: StoredObject, signal: AbortSignal): Promise<StoredObject | undefined> {
    const { client, controller } = this.#options;
    const selection = { ...(namespace === undefined ? {} : { namespace }), fieldSelector: { 'metadata.name': name } };
    const { items } = await client.list(controller.for, { ...selection, signal } as never);
    return (items as readonly StoredObject[]).find((item) => item.metadata.uid === uid);
  }
}
