import type { ObjectKey } from '@keelson/kubernetes/apimachinery';
import { isNotFound } from '../client/index.js';
import type { CacheRequest, Informer, InformerListOptions, StoredObject } from './informer.js';
import { InformerView } from './informer-view.js';
import type { SharedInformer } from './shared-informer.js';

/** Whether the API server serves a kind that may be missing. */
export interface Presence {
  /** It is known. Stays true. */
  readonly hasSynced: boolean;
  readonly isServed: boolean;
  /**
   * Calls the listener when the kind has come or gone since it was known; then {@link isServed} says which.
   *
   * @returns what ends it
   */
  onServed(listener: () => void): () => void;
}

/** An informer of a kind that may be missing: it has nothing then, which is all that there is. */
export interface OptionalInformer extends Informer, Presence {}

/**
 * The view of a request that does not need its kind.
 *
 * Guarantees: while the API server does not serve the kind, reads are empty and complete, also where objects of before are held for others.
 */
export class OptionalInformerView extends InformerView implements OptionalInformer {
  readonly #shared: SharedInformer;

  constructor(shared: SharedInformer, request: CacheRequest) {
    super(shared, request);
    this.#shared = shared;
  }

  override get hasSynced(): boolean {
    return super.hasSynced || !this.isServed;
  }

  override get isComplete(): boolean {
    return !this.isServed || super.isComplete;
  }

  /** A kind that has gone since: the watch reports it. */
  override async refresh(signal: AbortSignal): Promise<void> {
    if (!this.isServed) return;
    try {
      await super.refresh(signal);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  override get(key: ObjectKey): StoredObject | undefined {
    return this.isServed ? super.get(key) : undefined;
  }

  override list(options?: InformerListOptions): StoredObject[] {
    return this.isServed ? super.list(options) : [];
  }

  onServed(listener: () => void): () => void {
    return this.#shared.onServed(listener);
  }
}

/** A handle that says whether its kind is served: at each reading, as its objects are. */
export function withPresence(handle: object, presence: Pick<Presence, 'isServed'> | undefined): object {
  if (presence === undefined) return handle;
  const isServed = { get: () => presence.isServed, enumerable: true };
  return Object.freeze(Object.defineProperty({ ...handle }, 'isServed', isServed));
}
