import type { KindInfo } from '@keelson/kubernetes/apimachinery';
import type { StoredObject } from '../cache/index.js';
import { type ApiClient, isConflict, isInvalid, isNotFound, jsonPatch, type PatchOperation } from '../client/index.js';

export interface FinalizerOptions {
  readonly client: Pick<ApiClient, 'get' | 'patch'>;
  readonly kind: KindInfo;
  readonly finalizer: string;
  readonly fieldManager: string;
}

/** Reading anew helps against others who change the same list; endless changes are left to the next run. */
const TRIES = 4;

/**
 * The framework's own entry in `metadata.finalizers`, and no other.
 *
 * By JSON Patch that tests what it is about to change: entries of others survive whatever happens at the same time, and none is doubled (H43).
 */
export class Finalizer {
  readonly #options: FinalizerOptions;

  constructor(options: FinalizerOptions) {
    this.#options = options;
  }

  isOn({ metadata }: StoredObject): boolean {
    return (metadata.finalizers ?? []).includes(this.#options.finalizer);
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

  /** @returns the object with it; `undefined` when it is gone or going: nothing can be added to it any more (H44) */
  async add(object: StoredObject, signal: AbortSignal): Promise<StoredObject | undefined> {
    return this.#change(object, signal, (current) => {
      if (current.metadata.deletionTimestamp !== undefined) return 'gone';
      if (this.isOn(current)) return 'done';
      const { finalizers } = current.metadata;
      const guard = guardOf(current);
      if (finalizers === undefined || finalizers.length === 0) {
        // Nothing to test yet: only this very version is known to have none.
        const { resourceVersion } = current.metadata;
        return [
          guard,
          { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
          { op: 'add', path: '/metadata/finalizers', value: [this.#options.finalizer] },
        ];
      }
      return [
        guard,
        { op: 'test', path: '/metadata/finalizers', value: finalizers },
        { op: 'add', path: '/metadata/finalizers/-', value: this.#options.finalizer },
      ];
    });
  }

  /** @returns the object without it; `undefined` when it is gone: nothing is left to be done */
  async remove(object: StoredObject, signal: AbortSignal): Promise<StoredObject | undefined> {
    return this.#change(object, signal, (current) => {
      const index = (current.metadata.finalizers ?? []).indexOf(this.#options.finalizer);
      if (index < 0) return 'done';
      const path = `/metadata/finalizers/${index}`;
      return [guardOf(current), { op: 'test', path, value: this.#options.finalizer }, { op: 'remove', path }];
    });
  }

  async #change(
    object: StoredObject,
    signal: AbortSignal,
    stepsFor: (current: StoredObject) => readonly PatchOperation[] | 'done' | 'gone',
  ): Promise<StoredObject | undefined> {
    const { client, kind, fieldManager } = this.#options;
    const { name, namespace, uid } = object.metadata;
    const key = { name, ...(namespace === undefined ? {} : { namespace }) } as never;
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

  async #read(key: never, signal: AbortSignal): Promise<StoredObject | undefined> {
    try {
      return (await this.#options.client.get(this.#options.kind, key, { signal })) as StoredObject;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}

function guardOf({ metadata: { uid } }: StoredObject): PatchOperation {
  return { op: 'test', path: '/metadata/uid', value: uid };
}
