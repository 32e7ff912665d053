import type { KindInfo, ObjectKey } from '@keelson/kubernetes/apimachinery';
import type { Logger } from 'keelson/internal/definition';
import type { Informer, StoredObject } from '../../cache/index.js';
import { type ApiClient, metadataOf } from '../../client/index.js';
import { type Clock, pause } from '../../clock/index.js';
import type { WorkQueue } from '../../queue/index.js';
import type { Finalizer } from '../finalizer.js';
import { idOf, keyOf } from '../object-id.js';

/**
 * Time in which another instance takes the object, its finalizer with it. It begins with the event that both get: as long as it lasts this instance writes nothing,
 * and what is deleted meanwhile is still held.
 */
const HANDOVER_MS = 5_000;
/** The list of what an earlier process left is tried again after this time. */
const AGAIN_MS = 30_000;

export interface DeparturesOptions {
  readonly kind: KindInfo;
  readonly client: Pick<ApiClient, 'pages'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly finalizer: Finalizer;
  readonly primary: Pick<Informer, 'get'>;
  readonly queue: Pick<WorkQueue, 'add'>;
  /** Namespaces that the operator serves. @defaultValue all */
  readonly served?: readonly string[] | undefined;
}

/** The next step for an object that has left. */
export type DepartureStep =
  | { readonly type: 'done' }
  | { readonly type: 'later'; readonly afterMs: number }
  /** It is being deleted, and waits for this instance. */
  | { readonly type: 'finalize'; readonly object: StoredObject };

/** An object that was here, with the time at which it left. */
interface Departed {
  readonly object: StoredObject;
  readonly sinceMs: number;
}

/**
 * Objects that have left the selection of an installation, and may be held by its finalizer still.
 *
 * A watch reports them as deleted, with their last state here: whether they exist is found by their uid. Flow: {@link left} by an event, or {@link begin} for what
 * happened while no process of this instance ran → the queue gives the key → {@link step}.
 * Guarantees: an object that is another instance's is not finalized unless its deletion began under this instance's finalizer; nothing is written for one that another
 * instance has taken; nothing is remembered outside of a term.
 */
export class Departures {
  readonly #options: DeparturesOptions;
  readonly #departed = new Map<string, Departed>();
  #isActive = false;

  constructor(options: DeparturesOptions) {
    this.#options = options;
  }

  /** A term has begun: objects that left before are looked for. */
  async begin(signal: AbortSignal): Promise<void> {
    this.#isActive = true;
    const { clock, log } = this.#options;
    while (!signal.aborted) {
      try {
        await this.#sweep(signal);
        return;
      } catch (error) {
        if (signal.aborted) return;
        log.warn('objects that another instance has got meanwhile cannot be listed; they keep the finalizer of this one', { error });
        await pause(clock, AGAIN_MS, signal);
      }
    }
  }

  end(): void {
    this.#isActive = false;
    this.#departed.clear();
  }

  /** An object is no longer seen: it is gone, or another instance's. */
  left(object: StoredObject): void {
    if (!this.#isActive) return;
    const key = keyOf(object);
    this.#departed.set(idOf(key), { object, sinceMs: this.#options.clock.monotonicMs() });
    this.#options.queue.add(key, { trigger: { cause: 'object' }, lane: 'slow' });
  }

  has(key: ObjectKey): boolean {
    return this.#departed.has(idOf(key));
  }

  /** It is seen again, or nothing is left to be done. */
  forget(key: ObjectKey): void {
    this.#departed.delete(idOf(key));
  }

  async step(key: ObjectKey, signal: AbortSignal): Promise<DepartureStep> {
    const departed = this.#departed.get(idOf(key));
    if (departed === undefined) return { type: 'done' };
    const { clock, finalizer, log } = this.#options;
    const leftMs = departed.sinceMs + HANDOVER_MS - clock.monotonicMs();
    if (leftMs > 0) return { type: 'later', afterMs: leftMs };
    const object = await finalizer.letGo(departed.object, signal);
    const isOthers = object !== undefined && !finalizer.isMine(object);
    if (isOthers && finalizer.isMarked(object)) return { type: 'finalize', object };
    if (isOthers) log.info('let go: the object is no longer one of this instance', { object: idOf(key) });
    // An entry that is newer than this step belongs to another departure.
    if (this.#departed.get(idOf(key)) === departed) this.forget(key);
    return { type: 'done' };
  }

  /** Metadata alone, page by page: it says which finalizers an object has, and costs little. */
  async #sweep(signal: AbortSignal): Promise<void> {
    const { client, finalizer, kind, primary, served } = this.#options;
    const places = kind.scope === 'Cluster' ? [undefined] : (served ?? [undefined]);
    for (const namespace of places)
      for await (const { items } of client.pages(metadataOf(kind), { namespace, signal } as never))
        for (const object of items as unknown as readonly StoredObject[]) {
          const isHere = primary.get(keyOf(object))?.metadata.uid === object.metadata.uid;
          if (!isHere && finalizer.isMarked(object)) this.left(object);
        }
  }
}
