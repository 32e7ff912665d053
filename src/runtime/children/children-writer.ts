import { messageOf } from '@keelson/kubernetes/apimachinery';
import { type Events, type Logger, type OwnPolicy, RetryLater } from 'keelson/internal/definition';
import { type Informer, KindNotServedError, type Presence, type StoredObject } from '../cache/index.js';
import { type ApiClient, isAlreadyExists, isMethodNotAllowed, isNotFound } from '../client/index.js';
import { covers, hasSameContent } from '../drift/index.js';
import type { FormerManagers, ManagerNames } from '../takeover/index.js';
import { type Child, childrenOf, describe, desiredHandle, holdOf, isAdopted, type Manifest, manifestOf } from './child.js';
import { claim } from './claim.js';
import { immutableError, isImmutability } from './immutable.js';
import { MadeOnce } from './made-once.js';
import { appliedMark, childId, type NamedOwner, OWNER_INDEX, type Owner } from './marks.js';
import { release } from './release.js';
import { ReleasedChildren, type ReleasedHandle } from './released.js';
import { deleteChild, letGo } from './removal.js';
import { Verified } from './verified.js';

/** The children of one handle of `owns`. */
export interface OwnedHandle {
  /** With {@link OWNER_INDEX} among its indexes. */
  readonly informer: Informer;
  readonly policy: OwnPolicy;
  /** Whether the kind is served, which may be missing. @defaultValue it is needed */
  readonly presence?: Presence | undefined;
  /** Names of the handle in releases before. @defaultValue none */
  readonly formerNames?: readonly string[] | undefined;
}

export interface ChildrenWriterOptions {
  readonly client: Pick<ApiClient, 'apply' | 'create' | 'delete' | 'list' | 'patch'>;
  readonly log: Logger;
  /** Server-side apply remembers under this name what is ours; the mark of what was applied has it too. */
  readonly fieldManager: string;
  /** Those of other controllers for the same kind. @defaultValue none */
  readonly rivals?: ManagerNames | undefined;
  readonly handles: Readonly<Record<string, OwnedHandle>>;
  /** Field managers whose fields become one's own. @defaultValue none */
  readonly formerManagers?: FormerManagers | undefined;
  /** Field managers of the controller in releases before: their marks and memories are its own. @defaultValue none */
  readonly formerNames?: readonly string[] | undefined;
  /** Handles that were taken out of `owns`. @defaultValue none */
  readonly released?: Readonly<Record<string, ReleasedHandle>> | undefined;
  /** Something of before has been taken over. */
  readonly onTaken?: ((what: 'memory' | 'released') => void) | undefined;
  /** The informer of the kind that the controller is for. */
  readonly primary: Informer;
  /** Records events about an object. @defaultValue nowhere */
  readonly eventsOf?: ((object: StoredObject) => Events) | undefined;
}

export interface ChildrenRequest {
  readonly owner: Owner;
  /** By handle all children that should exist; of a handle that is left out nothing is looked at. */
  readonly desired: Readonly<Record<string, readonly object[] | undefined>>;
  readonly signal: AbortSignal;
  /** Whether what is desired no longer is deleted. @defaultValue true */
  readonly prunes?: boolean | undefined;
}

export interface ChildrenResult {
  readonly applied: number;
  readonly deleted: number;
  /** Existing children are unknown at the moment: those that are no longer desired go with a later run, which the caller must ask for (H17). */
  readonly pruneWaits: boolean;
  /** Names a child that is being deleted, and is made anew when it is gone: that is a change, and the owner's turn again. `undefined`: all that is desired is there. */
  readonly waitsFor?: string | undefined;
}

interface Step extends OwnedHandle {
  readonly handle: string;
  readonly children: readonly Child[];
  readonly owner: Owner;
  readonly signal: AbortSignal;
}

/**
 * Makes the children of an object what is desired.
 *
 * Flow: all are checked; then each child in the given order is compared, and applied when it differs; then what is desired no longer is deleted.
 * Guarantees: nothing is written when nothing differs, after a restart neither; no write that was meant as a change creates (H46); objects of others are
 * neither taken nor deleted, and nothing that this controller has not applied itself; a deletion means the object that was looked at (H47); nothing is deleted
 * unless all was applied and it is known what exists (H17, H48).
 * Errors: {@link ChildInvalidError}, ChildTakenError, TerminalError for an immutable field, RetryLater while children of a deleted object of the same name are
 * still there, those of the client; what was written before stays.
 */
export class ChildrenWriter {
  readonly #options: ChildrenWriterOptions;
  readonly #rivals: ManagerNames;
  readonly #made: MadeOnce;
  readonly #verified = new Verified();
  readonly #released: ReleasedChildren;

  constructor(options: ChildrenWriterOptions) {
    this.#options = options;
    this.#rivals = options.rivals ?? new Set();
    const { client, primary, fieldManager, formerNames, onTaken, released = {} } = options;
    const memory = { formerManagers: formerNames, onTaken: () => onTaken?.('memory') };
    this.#made = new MadeOnce({ client, kind: primary.kind, informer: primary, fieldManager, ...memory });
    const isMine = (live: StoredObject): boolean => this.#isMine(live);
    this.#released = new ReleasedChildren({ ...options, handles: released, isMine, onTaken: () => onTaken?.('released') });
  }

  async reconcile({ owner, desired, signal, prunes = true }: ChildrenRequest): Promise<ChildrenResult> {
    const steps = Object.entries(desired).flatMap(([handle, objects]) =>
      objects === undefined ? [] : [this.#stepOf(handle, objects, { owner, signal })],
    );
    let applied = 0;
    let waitsFor: string | undefined;
    for (const step of steps) {
      const settled = await this.#settleAll(step).catch((error: unknown) => refusedAmidEnd(error, step));
      applied += settled.written;
      waitsFor ??= settled.waitsFor;
    }
    if (!prunes) return { applied, deleted: 0, pruneWaits: false, waitsFor };
    const pruneWaits = steps.some(({ informer }) => !informer.isComplete);
    let deleted = 0;
    if (!pruneWaits) for (const step of steps) deleted += await this.#prune(step);
    return { applied, deleted, pruneWaits, waitsFor };
  }

  /** Deletes the children of handles that are declared no longer, or lets them go, and forgets former names. @returns how many children */
  async release(owner: StoredObject, signal: AbortSignal): Promise<number> {
    await this.#made.take({ kind: this.#options.primary.kind, object: owner }, signal);
    return this.#released.release(owner, signal);
  }

  /** Children of handles that are declared no longer, and those that a former name still marks. */
  get left(): number {
    const { fieldManager, handles } = this.#options;
    const marked = Object.values(handles).flatMap(({ informer, policy }) =>
      // A child that is made once is never written again.
      policy.existence === 'once'
        ? []
        : informer.list().filter((live) => appliedMark(live)?.manager !== fieldManager && this.#isFormer(live)),
    );
    return marked.length + this.#released.left;
  }

  /** Whether the owner remembers children under a former name. */
  remembersFormer(owner: StoredObject): boolean {
    return this.#made.hasFormer(owner);
  }

  /** The owner is being deleted, and its children stay: no reference leads to it any more. */
  async keep(owner: StoredObject, signal: AbortSignal): Promise<void> {
    const { client, fieldManager, handles, log } = this.#options;
    for (const { informer } of Object.values(handles)) await release(owner, informer, { client, fieldManager, log, signal });
  }

  /** The owner is gone: nothing is remembered of its children. */
  forget(ownerUid: string): void {
    this.#verified.forget(ownerUid);
  }

  #stepOf(handle: string, objects: readonly object[], { owner, signal }: Pick<Step, 'owner' | 'signal'>): Step {
    const { informer, policy, presence, formerNames } = desiredHandle(this.#options.handles, handle);
    if (presence?.isServed === false && objects.length > 0) throw new KindNotServedError(handle, informer.kind);
    return {
      handle,
      informer,
      policy,
      presence,
      formerNames,
      owner,
      signal,
      children: childrenOf(handle, objects, owner, { kind: informer.kind, policy }),
    };
  }

  async #settleAll(step: Step): Promise<{ readonly written: number; readonly waitsFor?: string | undefined }> {
    if (step.policy.existence === 'once') return { written: await this.#makeOnce(step) };
    let written = 0;
    let waitsFor: string | undefined;
    for (const child of step.children) {
      const settled = await this.#settle(child, step);
      if (settled === 'written') written += 1;
      if (settled === 'waits') waitsFor ??= describe(child.content);
    }
    return { written, waitsFor };
  }

  /** Made by POST, which cannot change what is there. */
  async #makeOnce({ handle, formerNames, children, owner, informer, signal, policy }: Step): Promise<number> {
    const remembered = { handle, formerHandles: formerNames };
    const { client, fieldManager } = this.#options;
    const made = new Set(this.#made.names(owner, remembered));
    const ids = children.map(({ key }) => onceName(key, owner));
    let written = 0;
    for (const [index, child] of children.entries()) {
      const isMade = made.has(ids[index] as string);
      const live = informer.get(child.key) ?? (isMade ? undefined : await this.#unselected(child, signal));
      if (live !== undefined) claim(live, this.#claimant(owner, policy));
      else if (!isMade) {
        const manifest = manifestOf(child, owner, holdOf(policy), fieldManager);
        try {
          informer.written((await client.create(child.kind, manifest.object as never, { fieldManager, signal })) as StoredObject);
        } catch (error) {
          if (!isAlreadyExists(error)) throw error;
          throw new RetryLater('1s', `${describe(child.content)} is there already, and the cache has not heard of it yet`);
        }
        written += 1;
      }
    }
    await this.#made.remember(owner, remembered, ids, signal);
    return written;
  }

  /** @returns `waits` for a child that is being deleted */
  async #settle(child: Child, step: Step): Promise<'written' | 'unchanged' | 'waits'> {
    const { owner, informer, policy } = step;
    const { fieldManager } = this.#options;
    const held = informer.get(child.key);
    const live = held ?? (await this.#unselected(child, step.signal));
    const { hold, adopts } = live === undefined ? { hold: holdOf(policy), adopts: false } : claim(live, this.#claimant(owner, policy));
    const manifest = manifestOf(child, owner, hold, fieldManager);
    if (live !== undefined) {
      if (live.metadata.deletionTimestamp !== undefined) return 'waits';
      if (this.#isAsDesired(live, child, manifest, owner)) return 'unchanged';
    }
    if (live !== undefined) await this.#takeOver(live, step);
    const written = await this.#apply(child, manifest, live, step);
    if (written === undefined) {
      if (policy.onImmutable !== 'recreate') return 'unchanged';
      // The cache would not report the end of what it does not hold.
      if (held === undefined) throw new RetryLater('1s', `${describe(child.content)} is made anew when it is gone`);
      return 'waits';
    }
    informer.written(written);
    this.#remember(child, manifest, owner, written);
    if (adopts) this.#tellAdoption(written, owner);
    return written.metadata.resourceVersion === live?.metadata.resourceVersion ? 'unchanged' : 'written';
  }

  /**
   * An object of the child's name that lacks the labels of its handle, so that the cache does not hold it: of another owner, or a child that lost a label or was
   * made before there was one. An apply without a look would take it over. One request for each child that is made; none without `select`.
   *
   * @throws RetryLater while it is being deleted: the cache would not report its end
   */
  async #unselected({ kind, key: { name, namespace }, policy }: Child, signal: AbortSignal): Promise<StoredObject | undefined> {
    if (policy.labels === undefined) return undefined;
    const where = { ...(namespace === undefined ? {} : { namespace }), fieldSelector: { 'metadata.name': name } };
    const { items } = await this.#options.client.list(kind, { ...where, signal } as never);
    const [found] = items as readonly StoredObject[];
    if (found?.metadata.deletionTimestamp !== undefined) throw new RetryLater('1s', `${describe(found)} is still being deleted`);
    return found;
  }

  #claimant(owner: Owner, policy: OwnPolicy): Parameters<typeof claim>[1] {
    const { primary } = this.#options;
    const { namespace } = owner.object.metadata;
    const isThere = ({ name, uid }: NamedOwner): boolean =>
      primary.get({ name, ...(namespace === undefined ? {} : { namespace }) })?.metadata.uid === uid;
    return {
      owner,
      policy,
      isMine: (live) => appliedMark(live)?.manager !== undefined && this.#isMine(live),
      rivals: this.#rivals,
      isThere,
    };
  }

  /**
   * Whether the desired object is the one of before, and either nothing but the status has changed since, or all that is desired still holds. The annotation
   * alone would not do: other clients that change the object leave it as it is.
   */
  #isAsDesired(live: StoredObject, child: Child, { hash, object }: Manifest, owner: Owner): boolean {
    const id = childId(child.kind, child.key);
    const verified = this.#verified.get(owner.object.metadata.uid, id);
    const isVerified = verified?.hash === hash && verified.content.metadata.uid === live.metadata.uid;
    if (isVerified && verified.isKept === true) return true;
    const mark = appliedMark(live);
    if (mark?.hash !== hash || mark.manager !== this.#options.fieldManager) return false;
    return (isVerified && hasSameContent(verified.content, live)) || covers(live, object);
  }

  /** Before the first apply, which then takes away what is not desired. */
  async #takeOver(live: StoredObject, { informer, signal }: Step): Promise<void> {
    const { formerManagers, fieldManager } = this.#options;
    if (formerManagers !== undefined && appliedMark(live)?.manager !== fieldManager)
      await formerManagers.takeObject(informer.kind, live, signal);
  }

  /** @returns `undefined` when the child has been deleted to be made anew, or is left as it is */
  async #apply(child: Child, { object, hash }: Manifest, live: StoredObject | undefined, step: Step): Promise<StoredObject | undefined> {
    // With its uid the object is changed or not at all: what was deleted meanwhile does not come back as half an object.
    const metadata = live === undefined ? object.metadata : { ...object.metadata, uid: live.metadata.uid };
    const { client, fieldManager, log } = this.#options;
    const { signal, owner, policy, informer } = step;
    try {
      return (await client.apply(child.kind, { ...object, metadata } as never, { fieldManager, force: true, signal })) as StoredObject;
    } catch (error) {
      if (
        live === undefined ||
        !(await isImmutability(error, child, object, { client, fieldManager, signal, deletes: policy.onImmutable === 'recreate' }))
      )
        throw error;
      if (policy.onImmutable === 'fail') throw immutableError(live, error);
      if (policy.onImmutable === 'recreate') {
        log.info('child deleted to be made anew, an immutable field differs', { child: describe(live), error: (error as Error).message });
        await deleteChild(informer, live, this.#removal(step));
        return undefined;
      }
      log.info('child left as it is, an immutable field differs', { child: describe(live), error: (error as Error).message });
      this.#verified.set(owner.object.metadata.uid, childId(child.kind, child.key), { hash, content: live, isKept: true });
      return undefined;
    }
  }

  #removal({ policy: { propagation }, signal }: Step): Parameters<typeof deleteChild>[2] {
    const { client, fieldManager } = this.#options;
    return { client, fieldManager, propagation, signal };
  }

  async #prune(step: Step): Promise<number> {
    const { children, informer, owner } = step;
    const wanted = new Set(children.map(({ kind, key }) => childId(kind, key)));
    let deleted = 0;
    for (const live of informer.list({ index: { [OWNER_INDEX]: owner.object.metadata.uid } })) {
      const id = childId(informer.kind, live.metadata);
      if (wanted.has(id) || live.metadata.deletionTimestamp !== undefined || !this.#isMine(live)) continue;
      const isGone = await (isAdopted(live) ? letGo : deleteChild)(informer, live, this.#removal(step));
      this.#verified.remove(owner.object.metadata.uid, id);
      if (!isGone) continue;
      deleted += 1;
      this.#options.log.info(
        isAdopted(live) ? 'adopted child let go of, it is desired no longer' : 'child deleted, it is desired no longer',
        {
          child: describe(live),
        },
      );
    }
    return deleted;
  }

  /** Only what this controller has applied as desired state: not what was made through a verb, by another controller, or by hand. */
  #isMine(live: StoredObject): boolean {
    const mark = appliedMark(live);
    if (mark === undefined) return false;
    return mark.manager === undefined || mark.manager === this.#options.fieldManager || this.#isFormer(live);
  }

  #isFormer(live: StoredObject): boolean {
    const { formerManagers, formerNames = [] } = this.#options;
    const { manager } = appliedMark(live) ?? {};
    return manager !== undefined && (formerNames.includes(manager) || formerManagers?.has(manager) === true);
  }

  #remember(child: Child, { hash, object }: Manifest, owner: Owner, written: StoredObject): void {
    const { uid } = owner.object.metadata;
    const id = childId(child.kind, child.key);
    // A child that `covers` recognizes is not held twice.
    if (covers(written, object)) this.#verified.remove(uid, id);
    else this.#verified.set(uid, id, { hash, content: contentOf(written) });
  }

  #tellAdoption(child: StoredObject, { object, kind }: Owner): void {
    const { eventsOf } = this.#options;
    const { name } = object.metadata;
    this.#options.log.info('child adopted, it was there and had no controller', { child: describe(child) });
    eventsOf?.(object).normal('Adopted', `${describe(child)} was there and had no controller`, { action: 'Adopt', related: child });
    eventsOf?.(child).normal('Adopted', `${kind.kind} ${name} has taken it over`, { action: 'Adopt', related: object });
  }
}

/**
 * The objects of a definition that is being deleted go first, and wake their owners: the child that is made again then is refused. The end of the kind is the owner's
 * next turn.
 */
function refusedAmidEnd(error: unknown, { handle, informer: { kind }, presence }: Step): never {
  const isEnd = presence !== undefined && (isMethodNotAllowed(error) || isNotFound(error));
  if (!isEnd) throw error;
  throw new RetryLater('10s', `${handle}: the API server takes no ${kind.plural} any more: ${messageOf(error)}`);
}

/** Children of a cluster-scoped owner may be in several namespaces. */
function onceName({ name, namespace }: Child['key'], { object }: Owner): string {
  return namespace === undefined || namespace === object.metadata.namespace ? name : `${namespace}/${name}`;
}

/** As much as {@link hasSameContent} looks at. */
function contentOf({ status: _, metadata: { managedFields: __, ...metadata }, ...content }: StoredObject): StoredObject {
  return { ...content, metadata };
}
