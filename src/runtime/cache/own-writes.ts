import { compareResourceVersions, type ObjectKey } from '@keelson/kubernetes/apimachinery';
import type { OwnDeletion, StoredObject } from './informer.js';
import { keyText } from './object-table.js';

/** The state that reads show of one key in place of the watch's. */
interface Entry {
  readonly key: ObjectKey;
  readonly uid: string;
  /** `undefined` for a deletion whose answer has no version. */
  readonly resourceVersion: string | undefined;
  /** `undefined`: the object is gone, or none that was asked for. */
  readonly object: StoredObject | undefined;
  /** The uid was deleted: it never comes back. */
  readonly ended: boolean;
  /** The own state of what was deleted since, where the watch had not reported it. */
  readonly last?: StoredObject | undefined;
}

/** The state of the watch so far. */
export interface Told {
  readonly get: (key: ObjectKey) => StoredObject | undefined;
  /** Up to where; `undefined` before the first list. */
  readonly resourceVersion: string | undefined;
}

/**
 * Own writes ahead of the watch, and writes of others that were seen beside it, so that a reconcile sees its own last write (H1). Events of the watch are passed
 * on all the same, own ones too: an event that is taken for an own one could be another client's, and the observed state has changed with either (H5).
 *
 * Guarantees: an answer that comes after the watch has reported as much, or more, changes nothing (H4). Every entry goes as soon as the watch, a bookmark or a
 * list has come as far: nothing waits for an exact event, which may never come (H2, H3). Without resource versions that can be ordered nothing is kept.
 */
export class OwnWrites {
  readonly #entries = new Map<string, Entry>();

  get size(): number {
    return this.#entries.size;
  }

  /** The state that reads show for a key, given that of the watch. */
  visible(key: ObjectKey, told: StoredObject | undefined): StoredObject | undefined {
    const entry = this.#entries.size === 0 ? undefined : this.#entries.get(keyText(key));
    if (entry === undefined) return told;
    if (entry.object !== undefined) return entry.object;
    return told === undefined || isBefore(told, entry) ? undefined : told;
  }

  /** The answer that reads show for a key, whatever the watch has. */
  at(key: ObjectKey): StoredObject | undefined {
    return this.#entries.get(keyText(key))?.object;
  }

  /** The objects that reads show in place of watched ones, or beside them. */
  *objects(): Generator<StoredObject, void, undefined> {
    for (const { object } of this.#entries.values()) if (object !== undefined) yield object;
  }

  /**
   * The answer of an own write, or another client's write that the watch has not reported yet.
   *
   * @param isSelected whether the object, as it is now, belongs to what is watched
   */
  seen(object: StoredObject, isSelected: boolean, told: Told): void {
    const { uid, resourceVersion } = object.metadata;
    const key = keyOf(object);
    if (!isAhead(resourceVersion, told.resourceVersion)) return;
    const entry = this.#entries.get(keyText(key));
    if (entry !== undefined && (compareResourceVersions(resourceVersion, entry.resourceVersion ?? '') ?? 1) <= 0) return;
    if (entry?.ended === true && entry.uid === uid) return;
    const ended = isEnded(object);
    const last = ended ? lastOf(entry, uid) : undefined;
    this.#entries.set(keyText(key), { key, uid, resourceVersion, object: ended || !isSelected ? undefined : object, ended, last });
  }

  deleted({ key, uid, resourceVersion }: OwnDeletion, told: Told): void {
    const entry = this.#entries.get(keyText(key));
    if (entry?.object !== undefined && entry.uid !== uid) return;
    const isKnown = told.get(key)?.metadata.uid === uid || entry?.uid === uid;
    // The watch has reported it already; or it may still report the object and its end, which the resourceVersion bounds.
    if (!isKnown && (resourceVersion === undefined || !isAhead(resourceVersion, told.resourceVersion))) return;
    const until = resourceVersion ?? (entry?.uid === uid ? entry.resourceVersion : undefined);
    this.#entries.set(keyText(key), { key, uid, resourceVersion: until, object: undefined, ended: true, last: lastOf(entry, uid) });
  }

  /** The watch has reported this object; `isGone`: that it is deleted, or does not belong to the watched ones any more. */
  told(object: StoredObject, isGone: boolean): void {
    if (this.#entries.size === 0) return;
    const text = keyText(keyOf(object));
    const entry = this.#entries.get(text);
    if (entry === undefined) return;
    const { uid, resourceVersion } = object.metadata;
    if (entry.ended && entry.uid === uid) {
      if (isGone) this.#entries.delete(text);
      return;
    }
    if (entry.resourceVersion === undefined || !isAhead(entry.resourceVersion, resourceVersion)) this.#entries.delete(text);
  }

  /**
   * Objects that reads have shown, that no listener ever got, and that a list does not have: made and deleted by any client while the watch was down (H3, TR1).
   *
   * @param everything the server was set back: none of them is there
   */
  ghosts(told: Told, before: Told['get'], everything: boolean): readonly StoredObject[] {
    const ghosts: StoredObject[] = [];
    for (const { key, uid, last, object = last, resourceVersion } of this.#entries.values()) {
      if (object === undefined || (!everything && isAhead(resourceVersion ?? '0', told.resourceVersion))) continue;
      if (before(key)?.metadata.uid !== uid && told.get(key)?.metadata.uid !== uid) ghosts.push(object);
    }
    return ghosts;
  }

  /** The watch has come as far as `resourceVersion`, or a list shows that moment: an entry that is not ahead of it was reported, or is gone (H3, TR1). */
  sweep(told: Told): void {
    for (const [text, entry] of this.#entries) {
      if (entry.resourceVersion !== undefined && isAhead(entry.resourceVersion, told.resourceVersion)) continue;
      // A list from the past may still have what was deleted since.
      if (entry.ended && told.get(entry.key)?.metadata.uid === entry.uid) continue;
      this.#entries.delete(text);
    }
  }

  clear(): void {
    this.#entries.clear();
  }
}

function lastOf(entry: Entry | undefined, uid: string): StoredObject | undefined {
  return entry?.uid === uid ? (entry.object ?? entry.last) : undefined;
}

/** The object of an entry, or one that had its name before: a list from the past may still have it, although an own write has met its successor (H4, H16). */
function isBefore({ metadata }: StoredObject, { uid, resourceVersion }: Entry): boolean {
  return metadata.uid === uid || (resourceVersion !== undefined && isAhead(resourceVersion, metadata.resourceVersion));
}

/** Where the two cannot be ordered, nothing is held to be ahead. */
function isAhead(resourceVersion: string, of: string | undefined): boolean {
  return (compareResourceVersions(resourceVersion, of ?? '0') ?? 0) > 0;
}

/**
 * The answer of the write that took the last finalizer away: the server has deleted the object with it (TR3). Only where the grace period is said to be none: a
 * Namespace that is being deleted says nothing, and lives on.
 */
function isEnded({ metadata: { deletionTimestamp, finalizers = [], deletionGracePeriodSeconds } }: StoredObject): boolean {
  return deletionTimestamp !== undefined && finalizers.length === 0 && deletionGracePeriodSeconds === 0;
}

function keyOf({ metadata: { namespace, name } }: StoredObject): ObjectKey {
  return { namespace, name };
}
