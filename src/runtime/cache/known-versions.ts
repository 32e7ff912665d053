import type { EventIdentity, KnownObjects } from '../client/index.js';
import type { StoredObject } from './informer.js';
import type { OwnWrites } from './own-writes.js';

/**
 * The answers of own writes that the watch has not reported yet. The event that brings the same version brings nothing new: it is not parsed, and the object that
 * reads show already becomes the watched one.
 *
 * An answer with a problem is not among them: its event is parsed and reported as any other (H21).
 */
export class KnownVersions implements KnownObjects<StoredObject> {
  readonly #ownWrites: OwnWrites;
  readonly #whole = new WeakSet<StoredObject>();

  constructor(ownWrites: OwnWrites) {
    this.#ownWrites = ownWrites;
  }

  /** The object was taken in as one of the watch is. */
  add(object: StoredObject): void {
    this.#whole.add(object);
  }

  has(object: StoredObject): boolean {
    return this.#whole.has(object);
  }

  get hasAny(): boolean {
    return this.#ownWrites.size > 0;
  }

  find({ namespace, name, uid, resourceVersion }: EventIdentity): StoredObject | undefined {
    const object = this.#ownWrites.at({ namespace, name });
    const isThis = object !== undefined && object.metadata.uid === uid && object.metadata.resourceVersion === resourceVersion;
    return isThis && this.has(object) ? object : undefined;
  }
}
