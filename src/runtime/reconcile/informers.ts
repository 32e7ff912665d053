import type { KindInfo, ObjectKey } from '@keelson/kubernetes/apimachinery';
import {
  type ControllerModel,
  type InstanceSelector,
  isReferrers,
  isSelecting,
  isThrough,
  type Logger,
  leadsOn,
  referencedKeys,
  selectedBy,
  type WatchModel,
} from 'keelson/internal/definition';
import type { Cache, CacheRequest, IndexFunction, Informer, OptionalInformer, Presence, StoredObject } from '../cache/index.js';
import { controllerUids, OWNER_INDEX } from '../children/index.js';
import { selectionOf } from './handles.js';
import { ReferencedInformer } from './referenced-informer.js';
import { namespacesFor, Selections } from './selections.js';

/** The informers of a controller, by the names of its handles. */
export interface Informers {
  readonly primary: Informer;
  readonly owns: Readonly<Record<string, Informer>>;
  readonly watches: Readonly<Record<string, Informer>>;
  /** Metadata of all namespaces; `undefined` unless a watch selects by their labels. */
  readonly namespaces?: Informer | undefined;
  /** Those of `watches` that hold only what the reconciled objects name. */
  readonly referenced?: readonly ReferencedInformer[] | undefined;
  /** Whether the kinds of optional handles are served, by handle. */
  readonly optional?: Readonly<Record<string, Presence>> | undefined;
  /** Metadata of the children of handles that were taken out of `owns`, by handle. */
  readonly released?: Readonly<Record<string, OptionalInformer>> | undefined;
  /** The selectors of the reconciled objects, for each watch that enqueues by selectors. */
  readonly selections?: readonly Selections[] | undefined;
}

export interface InformersOptions {
  readonly controller: ControllerModel;
  readonly cache: Pick<Cache, 'informer' | 'optional' | 'presence' | 'borrow' | 'synced'>;
  readonly log: Logger;
  /** Which objects the installation is for. @defaultValue all */
  readonly instance?: InstanceSelector | undefined;
}

/** Asks the cache for all that a controller reads, with the indexes that its triggers need. */
export function informersOf({ controller, cache, log, instance = {} }: InformersOptions): Informers {
  const selections = selectionsOf(controller);
  const indexes = Object.fromEntries(
    [referrerIndexes(controller), ...selections.map((each) => each.indexes)].flatMap(Object.entries<IndexFunction>),
  );
  const primary = cache.informer({ kind: controller.for, ...selectionOf(selectedBy(controller, instance)), indexes });
  const optional: Record<string, Presence> = {};
  const heldBy = (handle: string, isOptional: boolean | undefined, request: CacheRequest): Informer => {
    if (isOptional !== true) return cache.informer(request);
    const informer = cache.optional(request);
    optional[handle] = informer;
    return informer;
  };
  const owns = mapValues(controller.owns, ({ kind, policy: { labels }, optional: isOptional }, handle) => {
    const selection = selectionOf(labels === undefined ? undefined : { labels });
    return heldBy(handle, isOptional, { kind, ...selection, indexes: { [OWNER_INDEX]: controllerUids } });
  });
  const referenced: ReferencedInformer[] = [];
  const watches = mapValues(controller.watches, (watch, handle): Informer => {
    const { kind, select, only, indexes: declared, metadataOnly = false } = watch;
    const all = { ...(declared as Readonly<Record<string, IndexFunction>>), ...throughIndexes(controller, handle) };
    if (only === undefined) return heldBy(handle, watch.optional, { kind, ...selectionOf(select), metadataOnly, indexes: all });
    const informer = new ReferencedInformer({ handle, kind, only, cache, log, metadataOnly, indexes: all });
    referenced.push(informer);
    return informer;
  });
  for (const [handle, { kind, optional: isOptional }] of Object.entries(controller.reads))
    if (isOptional === true) optional[handle] = cache.presence(kind);
  // A kind that has gone as well leaves no children.
  const released = mapValues(controller.released ?? {}, ({ kind, labels }) =>
    cache.optional({
      kind,
      ...selectionOf(labels === undefined ? undefined : { labels }),
      metadataOnly: true,
      indexes: { [OWNER_INDEX]: controllerUids },
    }),
  );
  return { primary, owns, watches, released, namespaces: namespacesFor(selections, cache), referenced, optional, selections };
}

/** All that a controller reads from; it begins when they are complete, or known to be missing. */
export function readsOf({
  primary,
  owns,
  watches,
  namespaces = primary,
  optional = {},
  released = {},
}: Informers): readonly Pick<Informer, 'hasSynced'>[] {
  return [primary, namespaces, ...Object.values(owns), ...Object.values(watches), ...Object.values(optional), ...Object.values(released)];
}

/** Whether the API server serves every kind that a controller cannot do without. */
export function hasNeeded({ primary, owns, watches, optional = {} }: Informers): boolean {
  const needed = [...Object.entries(owns), ...Object.entries(watches)].filter(([handle]) => optional[handle] === undefined);
  return [primary, ...needed.map(([, informer]) => informer)].every(({ isServed }) => isServed);
}

/** The state of an object of any kind that the controller caches. */
export function cachedObject({ primary, owns, watches }: Informers, kind: KindInfo, key: ObjectKey): StoredObject | undefined {
  const informers = [primary, ...Object.values(owns), ...Object.values(watches)];
  return informers.find(({ kind: held }) => held.group === kind.group && held.kind === kind.kind)?.get(key);
}

/** One index of the reconciled objects per watch that enqueues by reference. */
function referrerIndexes({ watches }: ControllerModel): Readonly<Record<string, IndexFunction>> {
  return Object.fromEntries(
    Object.entries(watches).flatMap(([handle, { kind, enqueue }]) =>
      isReferrers(enqueue) ? [[referrerIndex(handle), (object: StoredObject) => referencedKeys(object, enqueue, kind).map(indexText)]] : [],
    ),
  );
}

function selectionsOf({ watches }: ControllerModel): readonly Selections[] {
  return Object.entries(watches).flatMap(([handle, { kind, enqueue }]) =>
    isSelecting(enqueue) ? [new Selections({ handle, model: enqueue, watched: kind })] : [],
  );
}

/** Name of the index of the reconciled objects by what they refer to through a watch. */
export function referrerIndex(handle: string): string {
  return `referrers-by-${handle}`;
}

/** Watches through which the changes of another watch go on. */
export function watchesThrough({ watches }: ControllerModel, handle: string): string[] {
  const enqueue = watches[handle]?.enqueue;
  return isThrough(enqueue) ? Object.keys(watches).filter((name) => leadsOn(enqueue, watches[name] as WatchModel)) : [];
}

/** One index of the watched objects for each watch whose changes go on through theirs. */
function throughIndexes(controller: ControllerModel, handle: string): Readonly<Record<string, IndexFunction>> {
  return Object.fromEntries(
    Object.entries(controller.watches).flatMap(([name, { kind, enqueue }]) =>
      isThrough(enqueue) && watchesThrough(controller, name).includes(handle)
        ? [[throughIndex(name), (object: StoredObject) => referencedKeys(object, enqueue, kind).map(indexText)]]
        : [],
    ),
  );
}

/** Name of the index of the objects of one watch through which the changes of another go on. */
export function throughIndex(handle: string): string {
  return `referred-to-by-${handle}`;
}

/** Value of an object in these indexes. */
export function indexText({ namespace = '', name }: ObjectKey): string {
  return `${namespace}/${name}`;
}

function mapValues<T, R>(record: Readonly<Record<string, T>>, map: (value: T, name: string) => R): Readonly<Record<string, R>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
}
