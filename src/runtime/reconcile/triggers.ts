import { type ControllerModel, type Logger, type ReferrersModel, referencedKeys, type Trigger } from '../../definition/index.js';
import type { KindInfo, ObjectKey } from '../../kubernetes/index.js';
import type { Cache, CacheChange, IndexFunction, Informer, StoredObject } from '../cache/index.js';
import { controllerUids, OWNER_INDEX, ownerKeys } from '../children/index.js';
import type { Lane, WorkQueue } from '../queue/index.js';
import { selectionOf } from './handles.js';
import { isNewGeneration, isRelevant } from './relevance.js';

export interface TriggersOptions {
  readonly controller: ControllerModel;
  readonly cache: Pick<Cache, 'informer'>;
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
}

/**
 * Turns what happens in the cluster into keys of objects to be reconciled.
 *
 * @returns the informers that the controller reads from, and what ends the listening
 */
export function listen(options: TriggersOptions): { readonly informers: Informers; readonly stop: () => void } {
  const { controller, cache } = options;
  const primary = cache.informer({ kind: controller.for, indexes: referrerIndexes(controller) });
  const owns = mapValues(controller.owns, ({ kind }) => cache.informer({ kind, indexes: { [OWNER_INDEX]: controllerUids } }));
  const watches = mapValues(controller.watches, ({ kind, select, indexes, metadataOnly = false }) =>
    cache.informer({ kind, ...selectionOf(select), metadataOnly, indexes: indexes as Readonly<Record<string, IndexFunction>> }),
  );
  const stops = [
    primary.onChange((change) => onPrimary(change, options)),
    ...Object.entries(owns).map(([handle, informer]) => informer.onChange((change) => onOwned(change, handle, primary, options))),
    ...Object.entries(watches).map(([handle, informer]) => informer.onChange((change) => onWatched(change, handle, primary, options))),
  ];
  return {
    informers: { primary, owns, watches },
    stop: () => {
      for (const end of stops) end();
    },
  };
}

function onPrimary(change: CacheChange, { controller, queue, onGone, onPrimary: told }: TriggersOptions): void {
  const key = keyOf(change.object);
  told?.(change);
  if (change.type === 'deleted') {
    queue.forget(key);
    onGone(change.object);
    return;
  }
  if (!isRelevant(change, controller.finalizer)) return;
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

function onWatched(change: CacheChange, handle: string, primary: Informer, { controller, queue, log }: TriggersOptions): void {
  const watch = controller.watches[handle];
  const { enqueue } = watch ?? {};
  if (watch === undefined || enqueue === undefined) return;
  const trigger: Trigger = { cause: 'watched', handle, object: keyOf(change.object) };
  if (typeof enqueue !== 'function') {
    add(referrersOf(change.object, handle, primary), trigger, change, { primary, queue });
    return;
  }
  for (const object of [change.object, ...(change.previous === undefined ? [] : [change.previous])]) {
    try {
      const keys = enqueue(object as never).map((key) => placed(key, controller.for, key.namespace ?? object.metadata.namespace));
      add(keys, trigger, change, { primary, queue });
    } catch (error) {
      log.error(`watches.${handle}.enqueue threw: the change reconciles nothing`, { object: keyOf(object), error });
    }
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

function referrersOf(object: StoredObject, handle: string, primary: Informer): ObjectKey[] {
  // Before the first complete list each of them is going to be reconciled anyway.
  if (!primary.hasSynced) return [];
  return primary.list({ index: { [referrerIndex(handle)]: keyText(keyOf(object)) } }).map(keyOf);
}

/** One index of the reconciled objects per watch that enqueues by reference. */
function referrerIndexes({ watches }: ControllerModel): Readonly<Record<string, IndexFunction>> {
  return Object.fromEntries(
    Object.entries(watches).flatMap(([handle, { kind, enqueue }]) =>
      enqueue === undefined || typeof enqueue === 'function'
        ? []
        : [[referrerIndex(handle), (object: StoredObject) => referencedKeys(object, enqueue as ReferrersModel, kind).map(keyText)]],
    ),
  );
}

function referrerIndex(handle: string): string {
  return `referrers-by-${handle}`;
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

function mapValues<T, R>(record: Readonly<Record<string, T>>, map: (value: T) => R): Readonly<Record<string, R>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
