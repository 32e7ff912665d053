import type { KindInfo, ObjectKey } from '@keelson/kubernetes/apimachinery';
import { type ControllerModel, isAll, isThrough, type Logger, type Trigger } from 'keelson/internal/definition';
import type { CacheChange, Informer, StoredObject } from '../cache/index.js';
import { ownerKeys } from '../children/index.js';
import type { Lane, WorkQueue } from '../queue/index.js';
import { type Informers, indexText, referrerIndex, throughIndex, watchesThrough } from './informers.js';
import { keyOf } from './object-id.js';
import { isNewGeneration, isRelevant } from './relevance.js';
import type { Selections } from './selections.js';

export interface TriggersOptions {
  readonly controller: ControllerModel;
  /** The finalizer that the controller puts on its objects. @defaultValue none */
  readonly finalizer?: string | undefined;
  /** Condition types of other controllers whose changes count. @defaultValue none */
  readonly needed?: readonly string[] | undefined;
  /** Whether others have changed what the controller states in the status. @defaultValue it states nothing */
  readonly hearsStatus?: ((object: StoredObject) => boolean) | undefined;
  readonly informers: Informers;
  readonly queue: WorkQueue;
  readonly log: Logger;
  /** A reconciled object has changed, in whatever way. */
  readonly onPrimary?: ((change: CacheChange) => void) | undefined;
  /** Whether nothing is to be watched for a reconciled object. @defaultValue for none */
  readonly isHeld?: ((object: StoredObject) => boolean) | undefined;
  /** A reconciled object is gone. */
  readonly onGone: (object: StoredObject) => void;
}

/**
 * Turns what happens in the cluster into keys of objects to be reconciled.
 *
 * @returns what ends the listening
 */
export function listen(options: TriggersOptions): () => void {
  const { informers } = options;
  const { primary, owns, released = {}, watches, namespaces, referenced = [], optional = {}, selections = [] } = informers;
  const listening: Listening = { ...options, selections: new Map(selections.map((selection) => [selection.handle, selection])) };
  const stops = [
    ...referenced.map((informer) => primary.onChange((change) => informer.follow(asWatched(change, options)))),
    primary.onChange((change) => onPrimary(change, options)),
    ...Object.entries(owns).map(([handle, informer]) => informer.onChange((change) => onOwned(change, handle, primary, options))),
    // A child of before that comes late, from a process that is ending.
    ...Object.entries(released).map(([handle, informer]) => informer.onChange((change) => onReleased(change, handle, options))),
    ...Object.entries(watches).map(([handle, informer]) => informer.onChange((change) => onWatched(change, handle, listening))),
    ...Object.entries(optional).map(([handle, presence]) => presence.onServed(() => onServed(handle, options))),
    ...(namespaces === undefined ? [] : [namespaces.onChange((change) => onNamespace(change, listening))]),
  ];
  return () => {
    for (const end of stops) end();
  };
}

interface Listening extends TriggersOptions {
  /** By the names of their watches. */
  readonly selections: ReadonlyMap<string, Selections>;
}

/** For the watches of what it names, an object that is held back is as one that is gone. */
function asWatched(change: CacheChange, { isHeld }: TriggersOptions): CacheChange {
  return isHeld?.(change.object) === true ? { ...change, type: 'deleted' } : change;
}

function onPrimary(change: CacheChange, options: TriggersOptions): void {
  const { controller, finalizer, needed, hearsStatus, queue, onGone, onPrimary: told } = options;
  const key = keyOf(change.object);
  told?.(change);
  if (change.type === 'deleted') {
    queue.forget(key);
    onGone(change.object);
    return;
  }
  // Asked in any case: what has been heard is not heard again.
  const isStatusNews = change.type === 'modified' && hearsStatus?.(change.object) === true;
  if (!isStatusNews && !isRelevant(change, { finalizer, formerFinalizers: controller.formerFinalizers, needed })) return;
  queue.add(key, { trigger: { cause: 'object' }, lane: laneOf(change), resetBackoff: isNewGeneration(change) });
}

/** The old owner of a child is reconciled as well as the new one. */
function onOwned(change: CacheChange, handle: string, primary: Informer, { controller, queue }: TriggersOptions): void {
  const owners = [change.object, ...(change.previous === undefined ? [] : [change.previous])].flatMap((object) =>
    ownersOf(object, controller.for),
  );
  add(owners, { cause: 'owned', handle, object: keyOf(change.object) }, change, { primary, queue });
}

function onReleased(change: CacheChange, handle: string, options: TriggersOptions): void {
  if (change.type !== 'deleted') onOwned(change, handle, options.informers.primary, options);
}

function ownersOf(object: StoredObject, kind: KindInfo): ObjectKey[] {
  return ownerKeys(object, kind).map((name) => placed({ name }, kind, object.metadata.namespace));
}

function onWatched(change: CacheChange, handle: string, listening: Listening): void {
  const trigger: Trigger = { cause: 'watched', handle, object: keyOf(change.object) };
  const { enqueue, ignoreStatus = false } = listening.controller.watches[handle] ?? {};
  if (ignoreStatus && !isRelevant(change, {})) return;
  if (!isThrough(enqueue)) {
    follow(change, { handle, trigger }, listening);
    return;
  }
  const key = indexText(keyOf(change.object));
  for (const next of watchesThrough(listening.controller, handle)) {
    const informer = listening.informers.watches[next];
    // Before its first complete list each of its objects is going to enqueue by itself.
    if (informer?.hasSynced !== true) continue;
    for (const object of informer.list({ index: { [throughIndex(handle)]: key } }))
      follow({ type: 'modified', object, isInitial: change.isInitial, isLastStateUnknown: false }, { handle: next, trigger }, listening);
  }
}

interface Lead {
  /** The watch that says whom the change concerns. */
  readonly handle: string;
  readonly trigger: Trigger;
}

function follow(change: CacheChange, { handle, trigger }: Lead, listening: Listening): void {
  const { controller, queue, log, informers } = listening;
  const { primary } = informers;
  const { enqueue } = controller.watches[handle] ?? {};
  if (enqueue === undefined) return;
  if (typeof enqueue !== 'function') {
    // Before the first complete list of the reconciled objects each of them is going to be reconciled anyway.
    if (primary.hasSynced) add(concerned(change, handle, listening).map(keyOf), trigger, change, { primary, queue });
    return;
  }
  for (const object of statesOf(change)) {
    try {
      const keys = enqueue(object as never).map((key) => placed(key, controller.for, key.namespace ?? object.metadata.namespace));
      add(keys, trigger, change, { primary, queue });
    } catch (error) {
      log.error(`watches.${handle}.enqueue threw: the change reconciles nothing`, { object: keyOf(object), error });
    }
  }
}

/** Reconciled objects that refer to the changed object, or select it as it is or was; or all. */
function concerned(change: CacheChange, handle: string, { controller, informers, selections }: Listening): StoredObject[] {
  const { primary, namespaces } = informers;
  if (isAll(controller.watches[handle]?.enqueue)) return primary.list();
  const selection = selections.get(handle);
  if (selection === undefined) return primary.list({ index: { [referrerIndex(handle)]: indexText(keyOf(change.object)) } });
  return [...new Set(statesOf(change).flatMap((object) => selection.of(object, primary, namespaces)))];
}

function statesOf({ object, previous }: CacheChange): readonly StoredObject[] {
  return previous === undefined ? [object] : [object, previous];
}

/** A namespace that was there from the beginning brings nothing new: its objects enqueue by themselves. */
function onNamespace(change: CacheChange, { informers, selections, queue }: Listening): void {
  const { primary, watches } = informers;
  if (change.isInitial || !primary.hasSynced) return;
  for (const [handle, selection] of selections) {
    const watched = watches[handle];
    if (watched?.hasSynced !== true || !selection.followsNamespaces) continue;
    for (const { selecting, selected } of selection.changedBy(change, primary, watched))
      add([keyOf(selecting)], { cause: 'watched', handle, object: keyOf(selected) }, change, { primary, queue });
  }
}

/** Objects that did without a kind have their turn with it, and those that had it do without. Before the first list all of them are going to be reconciled anyway. */
function onServed(handle: string, { informers: { primary }, queue }: TriggersOptions): void {
  if (!primary.hasSynced) return;
  for (const object of primary.list()) queue.add(keyOf(object), { trigger: { cause: 'served', handle }, lane: 'slow', resetBackoff: true });
}

interface Target {
  readonly primary: Informer;
  readonly queue: WorkQueue;
}

/** A reference to an object that does not exist reconciles nothing; before the cache is complete that cannot be known. */
function add(keys: readonly ObjectKey[], trigger: Trigger, change: CacheChange, { primary, queue }: Target): void {
  for (const key of keys) {
    if (primary.hasSynced && primary.get(key) === undefined) continue;
    queue.add(key, { trigger, lane: laneOf(change) });
  }
}

/** Initial objects have their turn after those that change now. */
function laneOf({ isInitial }: CacheChange): Lane {
  return isInitial ? 'slow' : 'fresh';
}

/** Cluster-scoped objects have no namespace, whatever the function said. */
function placed({ name }: ObjectKey, kind: KindInfo, namespace: string | undefined): ObjectKey {
  return kind.scope === 'Cluster' || namespace === undefined ? { name } : { name, namespace };
}
