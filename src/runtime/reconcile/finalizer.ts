import type { KindInfo, ObjectKey } from '@keelson/kubernetes/apimachinery';
import type { StoredObject } from '../cache/index.js';
import { type ApiClient, isConflict, isInvalid, isNotFound, jsonPatch, type PatchOperation } from '../client/index.js';
import type { ClusterNames } from './cluster-names.js';
import { keyOf } from './object-id.js';

/** The finalizers of a controller: see {@link ClusterNames}. */
export type FinalizerNames = Pick<ClusterNames, 'isOtherFinalizer' | 'isOwnFinalizer'> & { readonly finalizer: string };

export interface FinalizerOptions {
  readonly client: Pick<ApiClient, 'get' | 'patch'>;
  readonly kind: KindInfo;
  readonly names: FinalizerNames;
  readonly fieldManager: string;
  /** Whether an object is one of this instance. @defaultValue every one */
  readonly isMine?: ((object: StoredObject) => boolean) | undefined;
}

/** Reading anew helps against others who change the same list; endless changes are left to the next run. */
const TRIES = 4;

/**
 * The framework's own entry in `metadata.finalizers`, and no other.
 *
 * By JSON Patch that tests what it is about to change: entries of others survive whatever happens at the same time, and none is doubled (H43). An entry of another
 * instance of the operator is replaced by the own one in the same patch, so that an object that changes hands is held all the while.
 */
export class Finalizer {
  readonly #options: FinalizerOptions;

  constructor(options: FinalizerOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.names.finalizer;
  }

  isMine(object: StoredObject): boolean {
    return this.#options.isMine?.(object) !== false;
  }

  /** Whether the deletion of the object waits for this instance. */
  isOn({ metadata }: StoredObject): boolean {
    return (metadata.finalizers ?? []).some(this.#options.names.isOwnFinalizer);
  }

  /** Whether the object has the finalizer of this very instance. */
  isMarked({ metadata: { finalizers = [] } }: StoredObject): boolean {
    return finalizers.includes(this.#options.names.finalizer);
  }

  /** Whether the object is held by this instance, and by no other. */
  holds(object: StoredObject): boolean {
    return this.isMarked(object) && !(object.metadata.finalizers ?? []).some(this.#options.names.isOtherFinalizer);
  }

  /** Milliseconds since the first of the deletions that wait for it has begun; 0 if none waits. */
  longestWaitMs(objects: readonly StoredObject[], nowMs: number): number {
    let longestMs = 0;
    for (const object of objects) {
      const { deletionTimestamp } = object.metadata;
      if (deletionTimestamp !== undefined && this.isOn(object)) longestMs = Math.max(longestMs, nowMs - Date.parse(deletionTimestamp));
    }
    return longestMs;
  }

  /** @returns the object with it; `undefined` when it is gone or going, so that nothing can be added to it any more (H44), or another instance's */
  async add(object: StoredObject, signal: AbortSignal): Promise<StoredObject | undefined> {
    return this.#change(object, signal, (current) => {
      if (current.metadata.deletionTimestamp !== undefined || !this.isMine(current)) return 'gone';
      if (this.holds(current)) return 'done';
      const { finalizers } = current.metadata;
      const guard = guardOf(current);
      if (finalizers === undefined || finalizers.length === 0) {
        // Nothing to test yet: only this very version is known to have none.
        const { resourceVersion } = current.metadata;
        return [
          guard,
          { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
          { op: 'add', path: '/metadata/finalizers', value: [this.#options.names.finalizer] },
        ];
      }
      const test: PatchOperation = { op: 'test', path: '/metadata/finalizers', value: finalizers };
      const { finalizer, isOtherFinalizer } = this.#options.names;
      if (!finalizers.some(isOtherFinalizer)) return [guard, test, { op: 'add', path: '/metadata/finalizers/-', value: finalizer }];
      const kept = finalizers.filter((other) => other !== finalizer && !isOtherFinalizer(other));
      return [guard, test, { op: 'replace', path: '/metadata/finalizers', value: [...kept, finalizer] }];
    });
  }

  /**
   * Takes the finalizer off an object that is another instance's now, unless the object is being deleted: then its instance finalizes it.
   *
   * @returns the object as it is then; `undefined` when it is gone
   */
  async letGo(object: StoredObject, signal: AbortSignal): Promise<StoredObject | undefined> {
    const fresh = await this.#read(keyOf(object), signal);
    if (fresh === undefined || fresh.metadata.uid !== object.metadata.uid) return undefined;
    return this.#change(fresh, signal, (current) => {
      if (this.isMine(current) || current.metadata.deletionTimestamp !== undefined) return 'done';
      const { resourceVersion } = current.metadata;
      // A deletion that begins meanwhile finds the finalizer.
      const test: PatchOperation = { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion };
      return removal(current, (finalizer) => finalizer === this.#options.names.finalizer, [test]);
    });
  }

  /** @returns the object without it; `undefined` when it is gone: nothing is left to be done */
  async remove(object: StoredObject, signal: AbortSignal): Promise<StoredObject | undefined> {
    return this.#change(object, signal, (current) => removal(current, this.#options.names.isOwnFinalizer));
  }

  async #change(
    object: StoredObject,
    signal: AbortSignal,
    stepsFor: (current: StoredObject) => readonly PatchOperation[] | 'done' | 'gone',
  ): Promise<StoredObject | undefined> {
    const { client, kind, fieldManager } = this.#options;
    const { uid } = object.metadata;
    const key = keyOf(object) as never;
    let current = object;
    for (let left = TRIES; ; left -= 1) {
      const steps = stepsFor(current);
      if (steps === 'gone') return undefined;
      if (steps === 'done') return current;
      try {
        return (await client.patch(kind, key, jsonPatch(steps), { fieldManager, signal })) as StoredObject;
      } catch (error) {
        if (isNotFound(error)) return undefined;
        if (!(isInvalid(error) || isConflict(error)) || left === 1) throw error;
        const fresh = await this.#read(key, signal);
        if (fresh === undefined || fresh.metadata.uid !== uid) return undefined;
        current = fresh;
      }
    }
  }

  async #read(key: ObjectKey, signal: AbortSignal): Promise<StoredObject | undefined> {
    try {
      return (await this.#options.client.get(this.#options.kind, key as never, { signal })) as StoredObject;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}

function guardOf({ metadata: { uid } }: StoredObject): PatchOperation {
  return { op: 'test', path: '/metadata/uid', value: uid };
}

/** From the last one to the first, so that the others keep their places. */
function removal(
  { metadata }: StoredObject,
  isRemoved: (finalizer: string) => boolean,
  tests: readonly PatchOperation[] = [],
): readonly PatchOperation[] | 'done' {
  const all = (metadata.finalizers ?? []).map((value, index) => ({ value, path: `/metadata/finalizers/${index}` }));
  const removed = all.filter(({ value }) => isRemoved(value)).reverse();
  if (removed.length === 0) return 'done';
  return [
    { op: 'test', path: '/metadata/uid', value: metadata.uid },
    ...tests,
    ...removed.flatMap(({ value, path }): PatchOperation[] => [
      { op: 'test', path, value },
      { op: 'remove', path },
    ]),
  ];
}
