import { deepFreeze, type KindInfo, type ObjectKey, type ObjectMeta } from '@keelson/kubernetes/apimachinery';
import { type ListOptions, namespaceMeant, type ReadModel, type SelectModel, type Verb } from 'keelson/internal/definition';
import { type Informer, KindNotServedError, type Presence, type StoredObject, withPresence } from '../cache/index.js';
import {
  appliedMark,
  controllerUids,
  heldBy,
  holdOf,
  labelled,
  OWNER_INDEX,
  type OwnedHandle,
  type Owner,
  otherLabel,
} from '../children/index.js';
import { type ApiClient, isNotFound, isTooManyRequests, mergePatch, type UntypedObject } from '../client/index.js';
import type { FormerManagers, ManagerNames } from '../takeover/index.js';
import { HandleError } from './errors.js';
import type { RunCalls } from './run-calls.js';

/** State that a run's handles share. */
export interface HandleScope {
  readonly client: ApiClient;
  /** The reconciled object. */
  readonly object: StoredObject;
  readonly fieldManager: string;
  /** @defaultValue none */
  readonly formerManagers?: Pick<FormerManagers, 'takeApplied'> | undefined;
  /** Once aborted, nothing is written any more: the run has been given up. */
  readonly signal: AbortSignal;
  readonly calls: RunCalls;
  /** Field managers of the operator's other controllers for the kind. */
  readonly rivals: ManagerNames;
  /** Those that the operator serves, and has rights in. Absent: all. */
  readonly served?: readonly string[] | undefined;
  /** The only namespaces of the handle. Absent: all. */
  readonly namespaces?: readonly string[] | undefined;
  /** The only name of the handle. Absent: all. */
  readonly onlyName?: string | undefined;
  /** Whether the kind is served, which may be missing. Absent: it is needed. */
  readonly presence?: Presence | undefined;
}

/** State that handles need to read from the API server. */
export type ReadScope = Pick<HandleScope, 'client' | 'object' | 'signal' | 'calls' | 'served' | 'presence'>;

interface IndexedListOptions extends ListOptions {
  readonly index?: Readonly<Record<string, string | undefined>> | undefined;
}

/** An object that a write means. */
type WriteTarget = string | ObjectKey | { readonly metadata: ObjectMeta };

/** Children of the object, with the declared verbs: no others, even if they are asked for, nor those that another controller of the kind has applied. */
export function ownsHandle(name: string, { informer, policy }: OwnedHandle, owner: Owner, scope: HandleScope): object {
  const { object, rivals } = scope;
  const { uid } = object.metadata;
  const isMine = (found: StoredObject): boolean => !rivals.has(appliedMark(found)?.manager ?? '');
  const isChild = (found: StoredObject): boolean => controllerUids(found).includes(uid) && isMine(found);
  const place: Placing = {
    made: (given) => {
      const other = otherLabel(given, policy);
      if (other !== undefined)
        throw new HandleError(`${name}: the object has the label ${other}; leave it out, it is written with each child`);
      return labelled(heldBy(given, owner, holdOf(policy)), policy);
    },
    meant: (key) => {
      const found = informer.get(key);
      if (found !== undefined && !isChild(found))
        throw new HandleError(
          isMine(found)
            ? `${name}: ${informer.kind.kind} ${found.metadata.name} is not a child of ${owner.kind.kind} ${object.metadata.name}; declare the kind under watches to write to objects of others`
            : `${name}: ${informer.kind.kind} ${found.metadata.name} is desired by the controller ${appliedMark(found)?.manager ?? ''} for the same ${owner.kind.kind}; leave it to that one`,
        );
      return found;
    },
  };
  return Object.freeze({
    get(key: string | ObjectKey): StoredObject | undefined {
      const found = informer.get(keyOf(key, informer.kind, object));
      return found !== undefined && isChild(found) ? found : undefined;
    },
    list({ namespace, labels, labelSelector }: ListOptions = {}): StoredObject[] {
      const index = { [OWNER_INDEX]: uid };
      return informer.list({ ...(namespace === '*' ? {} : { namespace }), labels, labelSelector, index }).filter(isMine);
    },
    ...declared(name, { kind: informer.kind, verbs: policy.verbs }, writesOf(informer.kind, scope, informer, place), scope),
  });
}

/** Objects of a watched kind, with the declared verbs and no others. In a namespace or under a name that is not watched there is nothing to read, and nothing may be written. */
export function watchesHandle(name: string, informer: Informer, verbs: readonly Verb[], scope: HandleScope): object {
  const home = homeOf(scope);
  return Object.freeze({
    get: (key: string | ObjectKey) => informer.get(keyOf(key, informer.kind, home)),
    list({ namespace, labels, labelSelector, index }: IndexedListOptions = {}): StoredObject[] {
      const where = namespaceOf(namespace, informer.kind, home);
      return informer.list({ namespace: where, labels, labelSelector, index });
    },
    ...declared(name, { kind: informer.kind, verbs }, writesOf(informer.kind, scope, informer), scope),
  });
}

/** The declared verbs, each of whose calls the run knows. */
function declared(
  name: string,
  { kind, verbs }: { readonly kind: KindInfo; readonly verbs: readonly Verb[] },
  writes: Readonly<Record<Verb, Write>>,
  { calls, presence, signal }: HandleScope,
): Readonly<Record<string, Write>> {
  return Object.fromEntries(
    verbs.map((verb): [string, Write] => [
      verb,
      (...given) =>
        calls.track(`${name}.${verb}(...)`, async () => {
          signal.throwIfAborted();
          if (presence?.isServed === false) throw new KindNotServedError(name, kind);
          return writes[verb](...given);
        }),
    ]),
  );
}

/** The handles of `reads`. */
export function readsHandles(
  reads: Readonly<Record<string, ReadModel>>,
  optional: Readonly<Record<string, Presence>>,
  scope: ReadScope,
): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(reads).map(([name, read]) => {
      const presence = optional[name];
      return [name, withPresence(readsHandle(name, read, { ...scope, presence }), presence)];
    }),
  );
}

/** Objects from the API server. */
function readsHandle(name: string, { kind, verbs, namespaces }: ReadModel, scope: ReadScope): object {
  const { client, signal, calls, served, presence } = scope;
  const home = homeOf({ ...scope, namespaces });
  const isMissing = (): boolean => presence?.isServed === false;
  const listed = async (namespace: string | undefined, { labels, labelSelector }: ListOptions): Promise<readonly unknown[]> => {
    try {
      return (await client.listAll(kind, { namespace, labels, labelSelector, signal } as never)).items;
    } catch (error) {
      // The kind has gone since discovery was asked.
      if (presence !== undefined && isNotFound(error)) return [];
      throw error;
    }
  };
  const methods = {
    async get(key: string | ObjectKey): Promise<unknown> {
      const meant = keyOf(key, kind, home);
      mustBeNamed(kind, meant.namespace, namespaces);
      if (isMissing()) return undefined;
      try {
        return deepFreeze(await client.get(kind, meant as never, { signal }));
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
    },
    async list({ namespace: asked, ...selection }: ListOptions = {}): Promise<unknown[]> {
      const namespace = namespaceOf(asked, kind, home);
      if (namespace !== undefined) mustBeNamed(kind, namespace, namespaces);
      if (isMissing()) return [];
      // One request for all namespaces would need a right on all.
      const all = kind.scope === 'Cluster' ? undefined : (namespaces ?? served);
      const places = namespace === undefined && all !== undefined ? all : [namespace];
      const items = await Promise.all(places.map((place) => listed(place, selection)));
      return items.flat().map((item) => deepFreeze(item));
    },
  };
  type Method = (given?: never) => Promise<unknown>;
  return Object.freeze(
    Object.fromEntries(
      verbs.map((verb) => [verb, (given?: never) => calls.track(`${name}.${verb}(...)`, () => (methods[verb] as Method)(given))]),
    ),
  );
}

type Write = (...given: never[]) => Promise<unknown>;

/** The additions of a handle of children: the owner of new objects, and whose objects are meant. */
interface Placing {
  readonly made: (object: UntypedObject) => UntypedObject;
  /** The known state of a named object, which must be a child. @throws HandleError for an object of others */
  readonly meant: (key: ObjectKey) => StoredObject | undefined;
}

interface Aim {
  readonly placed: (object: UntypedObject) => never;
  readonly keyFor: (target: WriteTarget) => { readonly key: never; readonly uid: string | undefined };
  readonly existing: (object: UntypedObject) => void;
}

/** The target of a handle's writes: in which namespace, by which uid, and whether the handle may write it. */
function aim(kind: KindInfo, scope: HandleScope, placing: Placing | undefined): Aim {
  const owner = homeOf(scope);
  const placed = (object: UntypedObject): never => {
    const there = inNamespace(object, kind, owner);
    mustBeNamed(kind, there.metadata.namespace, scope.namespaces);
    mustHaveName(kind, there.metadata.name, scope.onlyName);
    return (placing === undefined ? there : placing.made(there)) as never;
  };
  const keyFor = (target: WriteTarget): { readonly key: never; readonly uid: string | undefined } => {
    const { key, uid } = targetOf(target, kind, owner);
    mustBeNamed(kind, key.namespace, scope.namespaces);
    mustHaveName(kind, key.name, scope.onlyName);
    // A child is meant as it was seen: what has its name by then is another object.
    const seen = placing?.meant(key)?.metadata.uid;
    return { key: key as never, uid: uid ?? seen };
  };
  const existing = ({ metadata: { name, namespace } }: UntypedObject): void => {
    if (name !== undefined) placing?.meant(keyOf({ name, namespace }, kind, owner));
  };
  return { placed, keyFor, existing };
}

interface Eviction {
  readonly client: ApiClient;
  readonly kind: KindInfo;
  readonly key: never;
  readonly options: { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined };
  readonly signal: AbortSignal;
}

/** @returns `false` when a disruption budget forbids it */
async function evicted({ client, kind, key, options: { uid, resourceVersion, ...rest }, signal }: Eviction): Promise<boolean> {
  const deleteOptions = { ...rest, ...(uid === undefined ? {} : { preconditions: { uid, resourceVersion } }) };
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: key, deleteOptions };
  try {
    await client.subresource(kind, 'eviction').create(key, body, { signal });
    return true;
  } catch (error) {
    if (isTooManyRequests(error) && error.causes.some(({ reason }) => reason === 'DisruptionBudget')) return false;
    if (isNotFound(error)) return true;
    throw error;
  }
}

/** Every write is refused once the run has been given up, and its answer is in the cache before the reconciler has it. */
function writesOf(kind: KindInfo, scope: HandleScope, informer: Informer, placing?: Placing): Readonly<Record<Verb, Write>> {
  const { client, fieldManager, formerManagers, signal } = scope;
  const call = { fieldManager, signal };
  const done = (answer: unknown): StoredObject => {
    const written = deepFreeze(answer as StoredObject);
    informer.written(written);
    return written;
  };
  const { placed, keyFor, existing } = aim(kind, scope, placing);
  return {
    create: async (object: UntypedObject) => done(await client.create(kind, placed(object), call)),
    update: async (object: UntypedObject) => {
      existing(object);
      return done(await client.update(kind, placed(object), call));
    },
    patch: async (target: WriteTarget, patch: object) => {
      const { key, uid } = keyFor(target);
      const { metadata, ...rest } = patch as { readonly metadata?: object };
      const whole = placing === undefined || uid === undefined ? patch : { ...rest, metadata: { ...metadata, uid } };
      return done(await client.patch(kind, key, mergePatch(whole) as never, call));
    },
    apply: async (object: UntypedObject) => {
      existing(object);
      const applied = placed(object) as UntypedObject;
      const live = applied.metadata.name === undefined ? undefined : informer.get(keyOf(applied.metadata as ObjectKey, kind, scope.object));
      if (live !== undefined) await formerManagers?.takeApplied(kind, live, signal);
      return done(await client.apply(kind, applied as never, { ...call, force: true }));
    },
    delete: async (target: WriteTarget, options: object = {}): Promise<void> => {
      const { key, uid } = keyFor(target);
      // A child that is not there: an object that has its name by now is not the one that was meant.
      if (placing !== undefined && uid === undefined) return;
      try {
        const answer = await client.delete(kind, key, { uid, ...options, signal });
        if (answer?.metadata.deletionTimestamp !== undefined) informer.written(answer as StoredObject);
        else if (uid !== undefined) informer.deleted({ key, uid });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
    evict: async (target: WriteTarget, options: object = {}): Promise<boolean> => {
      const { key, uid } = keyFor(target);
      return evicted({ client, kind, key, options: { uid, ...options }, signal });
    },
  };
}

/** Where a plain name is looked for. */
interface Home {
  readonly metadata: { readonly namespace?: string | undefined };
}

function homeOf({ namespaces, object }: Pick<HandleScope, 'namespaces' | 'object'>): Home {
  return { metadata: { namespace: namespaceMeant(namespaces, object.metadata.namespace) } };
}

/** The API server would answer 403: there is no right elsewhere. */
function mustBeNamed(kind: KindInfo, namespace: string | undefined, named: readonly string[] | undefined): void {
  if (named === undefined || kind.scope === 'Cluster' || (namespace !== undefined && named.includes(namespace))) return;
  throw new HandleError(
    `${kind.kind}: the handle is for ${named.length === 1 ? 'the namespace' : 'the namespaces'} ${named.join(', ')}, and not for ${namespace ?? 'all'}; give { namespace, name } with one of them, or declare more`,
  );
}

/** The same for a name. */
function mustHaveName(kind: KindInfo, name: string | undefined, only: string | undefined): void {
  if (only === undefined || name === only) return;
  throw new HandleError(
    `${kind.kind}: the handle is for the name ${only} alone, and not for ${name ?? 'a generated name'}; write that name, or declare a watch whose select leaves it out`,
  );
}

function targetOf(target: WriteTarget, kind: KindInfo, owner: Home): { readonly key: ObjectKey; readonly uid: string | undefined } {
  if (typeof target !== 'object' || !('metadata' in target)) return { key: keyOf(target, kind, owner), uid: undefined };
  const { name, namespace, uid } = target.metadata;
  if (name === undefined) throw new HandleError(`${kind.kind}: the object has no name`);
  return { key: keyOf({ name, ...(namespace === undefined ? {} : { namespace }) }, kind, owner), uid };
}

function keyOf(key: string | ObjectKey, kind: KindInfo, { metadata }: Home): ObjectKey {
  const { name, namespace } = typeof key === 'string' ? { name: key, namespace: undefined } : key;
  if (typeof name !== 'string' || name === '')
    throw new HandleError(`${kind.kind}: ${JSON.stringify(key)} is not a key; give a name, or { namespace, name }`);
  if (kind.scope === 'Cluster') return { name };
  const place = namespace ?? metadata.namespace;
  if (place === undefined) {
    throw new HandleError(`${kind.kind} ${name}: which namespace? The reconciled object is cluster-scoped; give { namespace, name }`);
  }
  return { name, namespace: place };
}

/** `undefined`: all. */
function namespaceOf(asked: string | undefined, kind: KindInfo, { metadata }: Home): string | undefined {
  if (kind.scope === 'Cluster' || asked === '*') return undefined;
  return asked ?? metadata.namespace;
}

function inNamespace(object: UntypedObject, kind: KindInfo, { metadata }: Home): UntypedObject {
  if (kind.scope === 'Cluster' || object.metadata.namespace !== undefined || metadata.namespace === undefined) return object;
  return { ...object, metadata: { ...object.metadata, namespace: metadata.namespace } };
}

/** A selection as the cache takes it; nothing is restricted without one. */
export function selectionOf(select: SelectModel | undefined): { readonly select?: SelectModel } {
  return select === undefined ? {} : { select };
}
