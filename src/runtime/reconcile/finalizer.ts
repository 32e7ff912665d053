import type { KindInfo } from '@keelson/kubernetes/apimachinery';
import type { StoredObject } from '../cache/index.js';
import { type ApiClient, isConflict, isInvalid, isNotFound, jsonPatch, type PatchOperation } from '../client/index.js';

export interface FinalizerOptions {
  readonly client: Pick<ApiClient, 'get' | 'patch'>;
  readonly kind: KindInfo;
  /** Absent: the controller has none, and takes off those of before. */
  readonly finalizer?: string | undefined;
  /** Those of releases before, in whose place the own one comes. @defaultValue none */
  readonly former?: readonly string[] | undefined;
  readonly fieldManager: string;
  /** Former ones have been replaced, or taken off. */
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
 * By JSON Patch that tests what it is about to change: entries of others survive whatever happens at the same time, and none is doubled (H43).
 */
export class Finalizer {
  readonly #options: FinalizerOptions;

  constructor(options: FinalizerOptions) {
    this.#options = options;
  }

  /** Whether a deletion waits for this controller, under whichever of its names. */
  isOn({ metadata }: StoredObject): boolean {
    return (metadata.finalizers ?? []).some((finalizer) => this.#isOwn(finalizer));
  }

  /** Whether the own one stands there, and none of before. */
  isSettled(object: StoredObject): boolean {
    const { finalizer } = this.#options;
    const own = (object.metadata.finalizers ?? []).filter((each) => this.#isOwn(each));
    return finalizer === undefined ? own.length === 0 : own.length === 1 && own[0] === finalizer;
  }

  /** Whether one of before stands there. */
  hasFormer({ metadata }: StoredObject): boolean {
    return (metadata.finalizers ?? []).some((finalizer) => this.#isFormer(finalizer));
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

  /** @returns the object with it, and without those of before; `undefined` when it is gone or going: nothing can be added to it any more (H44) */
  async add(object: StoredObject, signal: AbortSignal): Promise<StoredObject | undefined> {
    const { finalizer } = this.#options;
    return this.#change(object, signal, (current) => {
      if (current.metadata.deletionTimestamp !== undefined) return 'gone';
      if (this.isSettled(current)) return 'done';
      const { finalizers } = current.metadata;
      const guard = guardOf(current);
      if (this.hasFormer(current)) return this.#replaced(current, finalizer);
      if (finalizers === undefined || finalizers.length === 0) {
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

  /** @returns the object without it and those of before; `undefined` when it is gone: nothing is left to be done */
  async remove(object: StoredObject, signal: AbortSignal): Promise<StoredObject | undefined> {
    const { finalizer = '' } = this.#options;
    return this.#change(object, signal, (current) => {
      if (this.hasFormer(current)) return this.#replaced(current, undefined);
      const index = (current.metadata.finalizers ?? []).indexOf(finalizer);
      if (index < 0) return 'done';
      const path = `/metadata/finalizers/${index}`;
      return [guardOf(current), { op: 'test', path, value: finalizer }, { op: 'remove', path }];
    });
  }

  /** The list with one entry, or none, in place of all own ones, old and new: at the place of the first. */
  #replaced(current: StoredObject, finalizer: string | undefined): readonly PatchOperation[] {
    const { finalizers = [] } = current.metadata;
    const first = finalizers.findIndex((each) => this.#isOwn(each));
    const value = finalizers.flatMap((each, index) =>
      !this.#isOwn(each) ? [each] : index === first && finalizer !== undefined ? [finalizer] : [],
    );
    const path = '/metadata/finalizers';
    return [
      guardOf(current),
      { op: 'test', path, value: finalizers },
      value.length === 0 ? { op: 'remove', path } : { op: 'replace', path, value },
    ];
  }

  #isOwn(finalizer: string): boolean {
    return finalizer === this.#options.finalizer || this.#isFormer(finalizer);
  }

  #isFormer(finalizer: string): boolean {
    return this.#options.former?.includes(finalizer) === true;
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
