import type { KindInfo } from '../../kubernetes/index.js';
import type { Informer, StoredObject } from '../cache/index.js';
import { type ApiClient, isNotFound } from '../client/index.js';

export interface FirstLookOptions {
  readonly client: Pick<ApiClient, 'get'>;
  readonly kind: KindInfo;
  readonly informer: Informer;
}

/**
 * Asks the API server for each object once per term, before anything is done for it.
 *
 * A standby's cache may be behind by as much as a watch that has died without a word. What the leader before has finalized must not be made again outside of
 * the cluster, where no resource version and no garbage collector helps (H6, H52). Only controllers with a finalizer need that.
 */
export class FirstLook {
  readonly #options: FirstLookOptions;
  /** By uid. */
  readonly #seen = new Set<string>();

  constructor(options: FirstLookOptions) {
    this.#options = options;
  }

  /** Another process may have worked until now. */
  beginTerm(): void {
    this.#seen.clear();
  }

  forget(uid: string): void {
    this.#seen.delete(uid);
  }

  /** An answer of the API server showed it. */
  saw({ metadata: { uid } }: StoredObject): void {
    this.#seen.add(uid);
  }

  /** @returns the object as it is; `undefined` when it is gone, or when it is another one of this name: the watch brings that */
  async look(object: StoredObject, signal: AbortSignal): Promise<StoredObject | undefined> {
    const { name, namespace, uid } = object.metadata;
    if (this.#seen.has(uid)) return object;
    const { client, kind, informer } = this.#options;
    const key = { name, ...(namespace === undefined ? {} : { namespace }) };
    const live = (await client.get(kind, key as never, { signal }).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    })) as StoredObject | undefined;
    if (live?.metadata.uid !== uid) {
      informer.deleted({ key, uid });
      return undefined;
    }
    this.#seen.add(uid);
    informer.written(live);
    return informer.get(key) ?? live;
  }
}
