import type { Logger, ReleasedModel } from 'keelson/internal/definition';
import type { Informer, StoredObject } from '../cache/index.js';
import type { ApiClient } from '../client/index.js';
import { describe, isAdopted } from './child.js';
import { OWNER_INDEX } from './marks.js';
import { orphan } from './release.js';
import { deleteChild, letGo } from './removal.js';

/** A handle that was taken out of `owns`. */
export interface ReleasedHandle {
  /** With {@link OWNER_INDEX} among its indexes. Metadata suffice. */
  readonly informer: Informer;
  readonly children: ReleasedModel['children'];
}

export interface ReleasedChildrenOptions {
  readonly client: Pick<ApiClient, 'delete' | 'patch'>;
  readonly fieldManager: string;
  readonly log: Logger;
  readonly handles: Readonly<Record<string, ReleasedHandle>>;
  /** Whether this controller has applied the object, under whichever of its names. */
  readonly isMine: (live: StoredObject) => boolean;
  readonly onTaken?: (() => void) | undefined;
}

/**
 * Deletes the children of handles that are not declared any more, or lets them go.
 *
 * Guarantees: only what the controller has applied; an object that was there before its owner is let go of in either case; what is done is a function of what
 * stands on the children, so that a process that was killed is followed by one that goes on.
 */
export class ReleasedChildren {
  readonly #options: ReleasedChildrenOptions;

  constructor(options: ReleasedChildrenOptions) {
    this.#options = options;
  }

  /** The children that are still there. */
  get left(): number {
    return Object.values(this.#options.handles).reduce((sum, { informer }) => sum + informer.list().filter(this.#options.isMine).length, 0);
  }

  /** @returns the number of children that went, or were let go of */
  async release({ metadata: { uid } }: StoredObject, signal: AbortSignal): Promise<number> {
    let released = 0;
    for (const [handle, { informer, children }] of Object.entries(this.#options.handles))
      for (const live of informer.list({ index: { [OWNER_INDEX]: uid } })) {
        if (live.metadata.deletionTimestamp !== undefined || !this.#options.isMine(live)) continue;
        if (await this.#releaseOne(informer, live, { children, uid, signal })) released += 1;
        else continue;
        this.#options.onTaken?.();
        this.#options.log.info('child of a former handle released', { child: describe(live), handle, children });
      }
    return released;
  }

  #releaseOne(
    informer: Informer,
    live: StoredObject,
    { children, uid, signal }: { readonly children: ReleasedModel['children']; readonly uid: string; readonly signal: AbortSignal },
  ): Promise<boolean> {
    const { client, fieldManager } = this.#options;
    if (isAdopted(live)) return letGo(informer, live, { client, fieldManager, signal });
    if (children === 'delete') return deleteChild(informer, live, { client, fieldManager, signal });
    return orphan(live, uid, { informer, client, fieldManager, signal, isMarkTaken: true });
  }
}
