import { type Logger, RetryLater } from '../../definition/index.js';
import { groupVersionOf, type KindInfo, type OwnerReference } from '../../kubernetes/index.js';
import type { Informer, StoredObject } from '../cache/index.js';
import { type ApiClient, isConflict, isNotFound } from '../client/index.js';
import { covers, hasSameContent } from '../drift/index.js';
import { APPLIED_ANNOTATION, type Child, childId, childrenOf, describe, type Owner } from './child.js';
import { ChildTakenError } from './errors.js';

export interface ChildrenWriterOptions {
  readonly client: Pick<ApiClient, 'apply' | 'delete'>;
  readonly log: Logger;
  /** Server-side apply remembers under this name what is ours. */
  readonly fieldManager: string;
  /** One per kind of `owns`, with {@link OWNER_INDEX} among its indexes. */
  readonly informers: readonly Informer[];
}

/** Finds the children of an owner by its uid. */
export const OWNER_INDEX = 'controller-uid';

export function controllerUids({ metadata }: StoredObject): readonly string[] {
  return (metadata.ownerReferences ?? []).flatMap(({ controller, uid }) => (controller === true ? [uid] : []));
}

export interface ChildrenRequest {
  readonly owner: Owner;
  /** All children that should exist. */
  readonly desired: readonly object[];
  readonly signal: AbortSignal;
}

export interface ChildrenResult {
  readonly applied: number;
  readonly deleted: number;
  /** It is not known at the moment what exists: what is desired no longer goes with a later run, which nobody else will ask for (H17). */
  readonly pruneWaits: boolean;
}

/** What was there right after the last apply. */
interface Verified {
  readonly hash: string;
  readonly content: StoredObject;
}

/**
 * Makes the children of an object what is desired.
 *
 * Flow: each child in the given order: compared, applied when it differs; then what is desired no longer is deleted.
 * Guarantees: nothing is written when nothing differs, after a restart neither; no write that was meant as a change creates (H46); objects of others are
 * neither taken nor deleted; a deletion means the object that was looked at (H47); nothing is deleted unless all was applied and it is known what exists
 * (H17, H48).
 * Errors: ChildInvalidError, {@link ChildTakenError}, RetryLater while children of a deleted object of the same name are still there, those of the client; what
 * was written before stays.
 */
export class ChildrenWriter {
  readonly #options: ChildrenWriterOptions;
  readonly #informers: ReadonlyMap<string, Informer>;
  /** By owner's uid, then by child; only of children that {@link covers} cannot recognize, or each child would be held twice. */
  readonly #verified = new Map<string, Map<string, Verified>>();

  constructor(options: ChildrenWriterOptions) {
    this.#options = options;
    this.#informers = new Map(options.informers.map((informer) => [kindId(informer.kind), informer]));
  }

  async reconcile({ owner, desired, signal }: ChildrenRequest): Promise<ChildrenResult> {
    const children = childrenOf(
      desired,
      owner,
      this.#options.informers.map(({ kind }) => kind),
    );
    let applied = 0;
    for (const child of children) if (await this.#settle(child, owner, signal)) applied += 1;
    const pruneWaits = this.#options.informers.some(({ isComplete }) => !isComplete);
    const deleted = pruneWaits ? 0 : await this.#prune(children, owner, signal);
    return { applied, deleted, pruneWaits };
  }

  /** The owner is gone: nothing is remembered of its children. */
  forget(ownerUid: string): void {
    this.#verified.delete(ownerUid);
  }

  /** @returns whether it was written */
  async #settle(child: Child, owner: Owner, signal: AbortSignal): Promise<boolean> {
    const informer = this.#informerOf(child.kind);
    const live = informer.get(child.key);
    if (live !== undefined) {
      refuseForeign(live, owner);
      // It is about to go; when it has gone, that is a change and the owner's turn again.
      if (live.metadata.deletionTimestamp !== undefined) return false;
      if (isAsDesired(live, child, this.#verified.get(owner.object.metadata.uid)?.get(childId(child.kind, child.key)))) return false;
    }
    const written = await this.#apply(child, live, signal);
    informer.written(written);
    this.#remember(child, owner, written);
    return written.metadata.resourceVersion !== live?.metadata.resourceVersion;
  }

  #apply({ kind, manifest }: Child, live: StoredObject | undefined, signal: AbortSignal): Promise<StoredObject> {
    // With its uid the object is changed or not at all: what was deleted meanwhile does not come back as half an object.
    const metadata = live === undefined ? manifest.metadata : { ...manifest.metadata, uid: live.metadata.uid };
    const { fieldManager } = this.#options;
    return this.#options.client.apply(kind, { ...manifest, metadata }, { fieldManager, force: true, signal });
  }

  async #prune(children: readonly Child[], owner: Owner, signal: AbortSignal): Promise<number> {
    const wanted = new Set(children.map(({ kind, key }) => childId(kind, key)));
    let deleted = 0;
    for (const informer of this.#options.informers) {
      for (const live of informer.list({ index: { [OWNER_INDEX]: owner.object.metadata.uid } })) {
        const id = childId(informer.kind, live.metadata);
        if (wanted.has(id) || live.metadata.deletionTimestamp !== undefined) continue;
        if (await this.#delete(informer, live, signal)) deleted += 1;
        this.#forgetChild(owner, id);
      }
    }
    return deleted;
  }

  /** @returns `false` if there was nothing to delete any more: it is no write, and must not count as one (H38) */
  async #delete(informer: Informer, live: StoredObject, signal: AbortSignal): Promise<boolean> {
    const { name, namespace, uid } = live.metadata;
    const key = { name, ...(namespace === undefined ? {} : { namespace }) };
    try {
      const answer = await this.#options.client.delete(informer.kind, key as never, { uid, propagationPolicy: 'Background', signal });
      // An answer with the object: finalizers or a grace period still hold it.
      if (answer?.metadata.deletionTimestamp === undefined) informer.deleted({ key, uid });
      else informer.written(answer);
      this.#options.log.info('child deleted, it is desired no longer', { child: describe(live) });
      return true;
    } catch (error) {
      // Gone already, or another object of this name by now: the watch will tell.
      if (!isNotFound(error) && !isConflict(error)) throw error;
      return false;
    }
  }

  #remember(child: Child, owner: Owner, written: StoredObject): void {
    const { uid } = owner.object.metadata;
    const id = childId(child.kind, child.key);
    if (covers(written, child.manifest)) {
      this.#forgetChild(owner, id);
      return;
    }
    const known = this.#verified.get(uid) ?? new Map<string, Verified>();
    this.#verified.set(uid, known);
    known.set(id, { hash: child.hash, content: contentOf(written) });
  }

  #forgetChild({ object }: Owner, id: string): void {
    const known = this.#verified.get(object.metadata.uid);
    if (known?.delete(id) === true && known.size === 0) this.#verified.delete(object.metadata.uid);
  }

  #informerOf(kind: KindInfo): Informer {
    const informer = this.#informers.get(kindId(kind));
    if (informer === undefined) throw new TypeError(`no informer of ${kind.kind}`);
    return informer;
  }
}

/**
 * Desired what was desired before, and either nothing but the status has changed since, or all that is desired is still said. The annotation alone would not
 * do: whoever changes the object leaves it as it is.
 */
function isAsDesired(live: StoredObject, child: Child, verified: Verified | undefined): boolean {
  if (live.metadata.annotations?.[APPLIED_ANNOTATION] !== child.hash) return false;
  const isVerified = verified?.hash === child.hash && verified.content.metadata.uid === live.metadata.uid;
  return (isVerified && hasSameContent(verified.content, live)) || covers(live, child.manifest);
}

/** As much as {@link hasSameContent} looks at. */
function contentOf({ status: _, metadata: { managedFields: __, ...metadata }, ...content }: StoredObject): StoredObject {
  return { ...content, metadata };
}

function refuseForeign(live: StoredObject, { object, kind }: Owner): void {
  const controller = live.metadata.ownerReferences?.find((reference) => reference.controller === true);
  if (controller === undefined || controller.uid === object.metadata.uid) return;
  if (isPredecessor(controller, { object, kind }))
    throw new RetryLater(
      '5s',
      `${describe(live)} belongs to the ${kind.kind} ${controller.name} that was deleted; it is made anew when the garbage collector has deleted it`,
    );
  throw new ChildTakenError(
    `${describe(live)} has another controller, ${controller.kind} ${controller.name}; ` +
      `${kind.kind} ${object.metadata.name} needs a child of that name: rename one of the two, or delete the other`,
  );
}

function kindId({ group, kind }: KindInfo): string {
  return `${group}/${kind}`;
}

/** An object of the same kind and name that is gone, as two of a name cannot be. What it had goes after it. */
function isPredecessor({ apiVersion, kind: ownerKind, name }: OwnerReference, { object, kind }: Owner): boolean {
  const { group } = groupVersionOf(apiVersion);
  return group === kind.group && ownerKind === kind.kind && name === object.metadata.name;
}
