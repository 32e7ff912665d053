import type { ListOptions, SelectModel, Verb } from '../../definition/index.js';
import type { KindInfo, ObjectKey, ObjectMeta } from '../../kubernetes/index.js';
import type { Informer, StoredObject } from '../cache/index.js';
import { OWNER_INDEX } from '../children/index.js';
import { type ApiClient, isNotFound, isTooManyRequests, mergePatch, type UntypedObject } from '../client/index.js';
import { HandleError } from './errors.js';

/** What a run's handles share. */
export interface HandleScope {
  readonly client: ApiClient;
  /** The reconciled object. */
  readonly object: StoredObject;
  readonly fieldManager: string;
  /** Once aborted, nothing is written any more: the run has been given up. */
  readonly signal: AbortSignal;
}

interface IndexedListOptions extends ListOptions {
  readonly index?: Readonly<Record<string, string | undefined>> | undefined;
}

/** An object that a write means. */
type WriteTarget = string | ObjectKey | { readonly metadata: ObjectMeta };

/** Children of the object: no others, whatever is asked for. */
export function ownsHandle(informer: Informer, { object }: HandleScope): object {
  const { uid } = object.metadata;
  const isChild = ({ metadata }: StoredObject): boolean =>
    (metadata.ownerReferences ?? []).some((reference) => reference.controller === true && reference.uid === uid);
  return Object.freeze({
    get(key: string | ObjectKey): StoredObject | undefined {
      const found = informer.get(keyOf(key, informer.kind, object));
      return found !== undefined && isChild(found) ? found : undefined;
    },
    list({ namespace, labels, labelSelector }: ListOptions = {}): StoredObject[] {
      return informer.list({ ...(namespace === '*' ? {} : { namespace }), labels, labelSelector, index: { [OWNER_INDEX]: uid } });
    },
  });
}

/** Objects of a watched kind, with the declared verbs and no others. */
export function watchesHandle(informer: Informer, verbs: readonly Verb[], scope: HandleScope): object {
  const writes = writesOf(informer.kind, scope, informer);
  return Object.freeze({
    get: (key: string | ObjectKey) => informer.get(keyOf(key, informer.kind, scope.object)),
    list({ namespace, labels, labelSelector, index }: IndexedListOptions = {}): StoredObject[] {
      const where = namespaceOf(namespace, informer.kind, scope.object);
      return informer.list({ namespace: where, labels, labelSelector, index });
    },
    ...Object.fromEntries(verbs.map((verb) => [verb, writes[verb]])),
  });
}

/** Objects from the API server. */
export function readsHandle(kind: KindInfo, { client, object, signal }: HandleScope): object {
  return Object.freeze({
    async get(key: string | ObjectKey): Promise<unknown> {
      try {
        return await client.get(kind, keyOf(key, kind, object) as never, { signal });
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
    },
    async list({ namespace, labels, labelSelector }: ListOptions = {}): Promise<unknown[]> {
      const options = { namespace: namespaceOf(namespace, kind, object), labels, labelSelector, signal };
      const { items } = await client.listAll(kind, options as never);
      return [...items];
    },
  });
}

type Write = (...given: never[]) => Promise<unknown>;

/** Every write is refused once the run has been given up, and its answer is in the cache before the reconciler has it. */
function writesOf(
  kind: KindInfo,
  { client, object: owner, fieldManager, signal }: HandleScope,
  informer: Informer,
): Readonly<Record<Verb, Write>> {
  const call = { fieldManager, signal };
  const done = (answer: unknown): StoredObject => {
    const written = answer as StoredObject;
    informer.written(written);
    return written;
  };
  const placed = (object: UntypedObject): never => inNamespace(object, kind, owner) as never;
  const keyFor = (target: WriteTarget): { readonly key: never; readonly uid: string | undefined } => {
    if (typeof target === 'object' && 'metadata' in target) {
      const { name, namespace, uid } = target.metadata;
      if (name === undefined) throw new HandleError(`${kind.kind}: the object has no name`);
      return { key: keyOf({ name, ...(namespace === undefined ? {} : { namespace }) }, kind, owner) as never, uid };
    }
    return { key: keyOf(target, kind, owner) as never, uid: undefined };
  };
  return {
    create: async (object: UntypedObject) => done(await client.create(kind, placed(object), call)),
    update: async (object: UntypedObject) => done(await client.update(kind, placed(object), call)),
    patch: async (target: WriteTarget, patch: object) =>
      done(await client.patch(kind, keyFor(target).key, mergePatch(patch) as never, call)),
    apply: async (object: UntypedObject) => done(await client.apply(kind, placed(object), { ...call, force: true })),
    delete: async (target: WriteTarget, options: object = {}): Promise<void> => {
      const { key, uid } = keyFor(target);
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
      const { uid: _, resourceVersion, ...rest } = { uid, ...options } as { uid?: string; resourceVersion?: string };
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
    },
  };
}

function keyOf(key: string | ObjectKey, kind: KindInfo, { metadata }: StoredObject): ObjectKey {
  const { name, namespace } = typeof key === 'string' ? { name: key, namespace: undefined } : key;
  if (typeof name !== 'string' || name === '')
    throw new HandleError(`${kind.kind}: ${JSON.stringify(key)} is no key; give a name, or { namespace, name }`);
  if (kind.scope === 'Cluster') return { name };
  const place = namespace ?? metadata.namespace;
  if (place === undefined) {
    throw new HandleError(`${kind.kind} ${name}: which namespace? The reconciled object is cluster-scoped; give { namespace, name }`);
  }
  return { name, namespace: place };
}

/** `undefined`: all. */
function namespaceOf(asked: string | undefined, kind: KindInfo, { metadata }: StoredObject): string | undefined {
  if (kind.scope === 'Cluster' || asked === '*') return undefined;
  return asked ?? metadata.namespace;
}

function inNamespace(object: UntypedObject, kind: KindInfo, { metadata }: StoredObject): UntypedObject {
  if (kind.scope === 'Cluster' || object.metadata.namespace !== undefined || metadata.namespace === undefined) return object;
  return { ...object, metadata: { ...object.metadata, namespace: metadata.namespace } };
}

/** A selection as the cache takes it; nothing is restricted without one. */
export function selectionOf(select: SelectModel | undefined): { readonly select?: SelectModel } {
  return select === undefined ? {} : { select };
}
