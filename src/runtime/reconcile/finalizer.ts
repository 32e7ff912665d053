import type { KindInfo, ObjectKey } from '@keelson/kubernetes/apimachinery';
import type { StoredObject } from '../cache/index.js';
import { type ApiClient, isConflict, isInvalid, isNotFound, jsonPatch, type PatchOperation } from '../client/index.js';
import type { ClusterNames } from './cluster-names.js';
import { keyOf } from './object-id.js';

/** The finalizers of a controller: see {@link ClusterNames}. Without one of its own, the controller takes off those of before. */
export type FinalizerNames = Pick<ClusterNames, 'finalizer' | 'isFormerFinalizer' | 'isOtherFinalizer' | 'isOwnFinalizer'>;

export interface FinalizerOptions {
  readonly client: Pick<ApiClient, 'get' | 'patch'>;
  readonly kind: KindInfo;
  readonly names: FinalizerNames;
  readonly fieldManager: string;
  /** Whether an object is one of this instance. @defaultValue every one */
  readonly isMine?: ((object: StoredObject) => boolean) | undefined;
  /** Those of before have been replaced, or taken off. */
  readonly onTaken?: (() => void) | undefined;
}

/** Reading anew helps against others who change the same list; endless changes are left to the next run. */
const TRIES = 4;

/**
 * The framework's own entry in `metadata.finalizers`, and no other but those that it had under former names.
 *
 * A former one stands for the own one: it holds a deletion until the own cleanup is over, and is replaced in one write while the object lives. The API server takes
 * no new finalizer during a deletion, so that it is then taken off instead.
 *
 * By JSON Patch that tests what it is about to change: entries of others survive whatever happens at the same time, and none is doubled (H43). An entry of another
 * instance of the operator is replaced by the own one in the same patch, so that an object that changes hands is held all the while.
 */
export class Finalizer {
  readonly #options: FinalizerOptions;

  constructor(options: FinalizerOptions) {
    this.#options = options;
  }

  get name(): string | undefined {
    return this.#options.names.finalizer;
  }

  isMine(object: StoredObject): boolean {
    return this.#options.isMine?.(object) !== false;
  }

  /** Whether the deletion of the object waits for this controller of this instance, under whichever of its names. */
  isOn({ metadata }: StoredObject): boolean {
    return (metadata.finalizers ?? []).some(this.#options.names.isOwnFinalizer);
  }

  /** Whether the object has the finalizer of this very instance. */
  isMarked({ metadata: { finalizers = [] } }: StoredObject): boolean {
    const { finalizer } = this.#options.names;
    return finalizer !== undefined && finalizers.includes(finalizer);
  }

  /** Whether the own one stands there, and none of before or of another instance. */
  isSettled(object: StoredObject): boolean {
    const isHeld = this.#options.names.finalizer === undefined || this.isMarked(object);
    return isHeld && !(object.metadata.finalizers ?? []).some(this.#options.names.isOtherFinalizer);
  }

  /** Whether one of before stands there. */
  hasFormer({ metadata }: StoredObject): boolean {
    return (metadata.finalizers ?? []).some(this.#options.names.isFormerFinalizer);
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

  /**
   * @returns the object with it, and without those of before and of other instances; `undefined` when it is gone or going, so that nothing can be added to it any
   * more (H44), or another instance's
   */
  async add(object: StoredObject, signal: AbortSignal): Promise<StoredObject | undefined> {
    const { finalizer, isOtherFinalizer } = this.#options.names;
    return this.#change(object, signal, (current) => {
      if (current.metadata.deletionTimestamp !== undefined || !this.isMine(current)) return 'gone';
      if (this.isSettled(current)) return 'done';
      const { finalizers = [] } = current.metadata;
      const guard = guardOf(current);
      if (finalizers.some(isOtherFinalizer)) return this.#replaced(current);
      if (finalizers.length === 0) {
        // Nothing to test yet: only this very version is known to have none.
        const { resourceVersion } = current.metadata;
        return [
          guard,
          { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
          { op: 'add', path: '/metadata/finalizers', value: [finalizer] },
        ];
      }
      return [
        guard,
        { op: 'test', path: '/metadata/finalizers', value: finalizers },
        { op: 'add', path: '/metadata/finalizers/-', value: finalizer },
      ];
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

  /** @returns the object without it and those of before; `undefined` when it is gone: nothing is left to be done */
  async remove(object: StoredObject, signal: AbortSignal): Promise<StoredObject | undefined> {
    return this.#change(object, signal, (current) => removal(current, this.#options.names.isOwnFinalizer));
  }

  /** The list with the own one, or none, in place of all that it replaces: at the place of the first. */
  #replaced(current: StoredObject): readonly PatchOperation[] {
    const { finalizer: own, isOtherFinalizer } = this.#options.names;
    const isReplaced = (finalizer: string): boolean => finalizer === own || isOtherFinalizer(finalizer);
    const { finalizers = [] } = current.metadata;
    const first = finalizers.findIndex(isReplaced);
    const value = finalizers.flatMap((each, index) => {
      if (!isReplaced(each)) return [each];
      return index === first && own !== undefined ? [own] : [];
    });
    const path = '/metadata/finalizers';
    return [
      guardOf(current),
      { op: 'test', path, value: finalizers },
      value.length === 0 ? { op: 'remove', path } : { op: 'replace', path, value },
    ];
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
        const answer = (await client.patch(kind, key, jsonPatch(steps), { fieldManager, signal })) as StoredObject;
        if (this.hasFormer(current)) this.#options.onTaken?.();
        return answer;
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
