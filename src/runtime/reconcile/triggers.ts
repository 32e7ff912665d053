import {
  type ControllerModel,
  isAll,
  isReferrers,
  isSelecting,
  isThrough,
  type Logger,
  leadsOn,
  referencedKeys,
  type Trigger,
  type WatchModel,
} from '../../keelson/definition/index.js';
import type { KindInfo, ObjectKey } from '../../kubernetes/apimachinery/index.js';
import type { Cache, CacheChange, IndexFunction, Informer, StoredObject } from '../cache/index.js';
import { controllerUids, OWNER_INDEX, ownerKeys } from '../children/index.js';
import type { Lane, WorkQueue } from '../queue/index.js';
import { selectionOf } from './handles.js';
import { ReferencedInformer } from './referenced-informer.js';
import { isNewGeneration, isRelevant } from './relevance.js';
import { namespacesFor, Selections } from './selections.js';

export interface TriggersOptions {
  readonly controller: ControllerModel;
  /** Condition types of other controllers whose changes count. @defaultValue none */
  readonly needed?: readonly string[] | undefined;
  /** Whether others have changed what the controller states in the status. @defaultValue it states nothing */
  readonly hearsStatus?: ((object: StoredObject) => boolean) | undefined;
  readonly cache: Pick<Cache, 'informer' | 'borrow' | 'synced'>;
  readonly queue: WorkQueue;
  readonly log: Logger;
  /** A reconciled object has changed, in whatever way. */
  readonly onPrimary?: ((change: CacheChange) => void) | undefined;
  /** A reconciled object is gone. */
  readonly onGone: (object: StoredObject) => void;
}

/** The informers of a controller, by the names of its handles. */
export interface Informers {
  readonly primary: Informer;
  readonly owns: Readonly<Record<string, Informer>>;
  readonly watches: Readonly<Record<string, Informer>>;
  /** Metadata of all namespaces; `undefined` unless a watch selects by their labels. */
  readonly namespaces?: Informer | undefined;
  /** Those of `watches` that hold only what the reconciled objects name. */
  readonly referenced?: readonly ReferencedInformer[] | undefined;
}

/**
 * Turns what happens in the cluster into keys of objects to be reconciled.
 *
 * @returns the informers that the controller reads from, and what ends the listening
 */
export function listen(options: TriggersOptions): { readonly informers: Informers; readonly stop: () => void } {
  const { controller, cache } = options;
  const selections = selectionsOf(controller);
  const indexes = Object.fromEntries(
    [referrerIndexes(controller), ...selections.map((each) => each.indexes)].flatMap(Object.entries<IndexFunction>),
  );
  const primary = cache.informer({ kind: controller.for, indexes });
  const owns = mapValues(controller.owns, ({ kind, policy: { labels } }) =>
    cache.informer({ kind, ...selectionOf(labels === undefined ? undefined : { labels }), indexes: { [OWNER_INDEX]: controllerUids } }),
  );
  const referenced: ReferencedInformer[] = [];
  const watches = mapValues(controller.watches, ({ kind, select, only, indexes: declared, metadataOnly = false }, handle): Informer => {
    const indexes = { ...(declared as Readonly<Record<string, IndexFunction>>), ...throughIndexes(controller, handle) };
    if (only === undefined) return cache.informer({ kind, ...selectionOf(select), metadataOnly, indexes });
    const informer = new ReferencedInformer({ handle, kind, only, cache, log: options.log, metadataOnly, indexes });
    referenced.push(informer);
    return informer;
  });
  const namespaces = namespacesFor(selections, cache);
  const informers: Informers = { primary, owns, watches, namespaces, referenced };
  const listening: Listening = { ...options, informers, selections: new Map(selections.map((selection) => [selection.handle, selection])) };
  const stops = [
    ...referenced.map((informer) => primary.onChange((change) => informer.follow(change))),
    primary.onChange((change) => onPrimary(change, options)),
    ...Object.entries(owns).map(([handle, informer]) => informer.onChange((change) => onOwned(change, handle, primary, options))),
    ...Object.entries(watches).map(([handle, informer]) => informer.onChange((change) => onWatched(change, handle, listening))),
    ...(namespaces === undefined ? [] : [namespaces.onChange((change) => onNamespace(change, listening))]),
  ];
  return {
    informers,
    stop: () => {
      for (const end of stops) end();
    },
  };
}

interface Listening extends TriggersOptions {
  readonly informers: Informers;
  /** By the names of their watches. */
  readonly selections: ReadonlyMap<string, Selections>;
}

function onPrimary(change: CacheChange, { controller, needed, hearsStatus, queue, onGone, onPrimary: told }: TriggersOptions): void {
  const key = keyOf(change.object);
  told?.(change);
  if (change.type === 'deleted') {
    queue.forget(key);
    onGone(change.object);
    return;
  }
  // Asked in any case: what has been heard is not heard again.
  const isStatusNews = change.type === 'modified' && hearsStatus?.(change.object) === true;
  if (!isStatusNews && !isRelevant(change, { finalizer: controller.finalizer, needed })) return;
  queue.add(key, { trigger: { cause: 'object' }, lane: laneOf(change), resetBackoff: isNewGeneration(change) });
}

/** The old owner of a child is reconciled as well as the new one. */
function onOwned(change: CacheChange, handle: string, primary: Informer, { controller, queue }: TriggersOptions): void {
  const owners = [change.object, ...(change.previous === undefined ? [] : [change.previous])].flatMap((object) =>
    ownersOf(object, controller.for),
  );
  add(owners, { cause: 'owned', handle, object: keyOf(change.object) }, change, { primary, queue });
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
  const key = keyText(keyOf(change.object));
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
  if (selection === undefined) return primary.list({ index: { [referrerIndex(handle)]: keyText(keyOf(change.object)) } });
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

/** One index of the reconciled objects per watch that enqueues by reference. */
function referrerIndexes({ watches }: ControllerModel): Readonly<Record<string, IndexFunction>> {
  return Object.fromEntries(
    Object.entries(watches).flatMap(([handle, { kind, enqueue }]) =>
      isReferrers(enqueue) ? [[referrerIndex(handle), (object: StoredObject) => referencedKeys(object, enqueue, kind).map(keyText)]] : [],
    ),
  );
}

function selectionsOf({ watches }: ControllerModel): readonly Selections[] {
  return Object.entries(watches).flatMap(([handle, { kind, enqueue }]) =>
    isSelecting(enqueue) ? [new Selections({ handle, model: enqueue, watched: kind })] : [],
  );
}

function referrerIndex(handle: string): string {
  return `referrers-by-${handle}`;
}

/** Watches through which the changes of another watch go on. */
function watchesThrough({ watches }: ControllerModel, handle: string): string[] {
  const enqueue = watches[handle]?.enqueue;
  return isThrough(enqueue) ? Object.keys(watches).filter((name) => leadsOn(enqueue, watches[name] as WatchModel)) : [];
}

/** One index of the watched objects for each watch whose changes go on through theirs. */
function throughIndexes(controller: ControllerModel, handle: string): Readonly<Record<string, IndexFunction>> {
  return Object.fromEntries(
    Object.entries(controller.watches).flatMap(([name, { kind, enqueue }]) =>
      isThrough(enqueue) && watchesThrough(controller, name).includes(handle)
        ? [[throughIndex(name), (object: StoredObject) => referencedKeys(object, enqueue, kind).map(keyText)]]
        : [],
    ),
  );
}

function throughIndex(handle: string): string {
  return `referred-to-by-${handle}`;
}

function keyText({ namespace = '', name }: ObjectKey): string {
  return `${namespace}/${name}`;
}

function keyOf({ metadata: { name, namespace } }: StoredObject): ObjectKey {
  return namespace === undefined ? { name } : { name, namespace };
}

/** Cluster-scoped objects have no namespace, whatever the function said. */
function placed({ name }: ObjectKey, kind: KindInfo, namespace: string | undefined): ObjectKey {
  return kind.scope === 'Cluster' || namespace === undefined ? { name } : { name, namespace };
}

function mapValues<T, R>(record: Readonly<Record<string, T>>, map: (value: T, name: string) => R): Readonly<Record<string, R>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
}
