import { hash as digest } from 'node:crypto';
import {
  apiVersionOf,
  canonicalJson,
  type KindInfo,
  type KubernetesObject,
  type ObjectMeta,
  type OwnerReference,
} from '../../kubernetes/index.js';
import type { StoredObject } from '../cache/index.js';
import type { UntypedObject } from '../client/index.js';
import { ChildInvalidError } from './errors.js';

/** The annotation that says what was applied last: a hash, by which a field that is desired no longer is noticed after a restart. */
export const APPLIED_ANNOTATION = 'keelson.dev/applied';

export interface Owner {
  readonly kind: KindInfo;
  readonly object: StoredObject;
}

/** A child as it is to be applied. */
export interface Child {
  readonly kind: KindInfo;
  readonly key: { readonly name: string; readonly namespace?: string | undefined };
  readonly hash: string;
  readonly manifest: UntypedObject;
}

/** What the server writes: it comes along when a live object is changed and returned, and must not be applied. */
const SERVER_FIELDS: readonly (keyof ObjectMeta)[] = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
];

/**
 * Makes the desired objects what is applied: in the owner's namespace, with the owner as controller, with the hash of all that.
 *
 * @param kinds what the controller declares under `owns`
 * @throws ChildInvalidError naming the child, what is wrong and how to mend it
 */
export function childrenOf(desired: readonly object[], owner: Owner, kinds: readonly KindInfo[]): Child[] {
  const seen = new Set<string>();
  return desired.map((object, index) => {
    const child = childOf(object as KubernetesObject, owner, kinds, index);
    const id = childId(child.kind, child.key);
    if (seen.has(id)) throw new ChildInvalidError(`owned[${index}]: ${describe(child.manifest)} is listed twice; give each child once`);
    seen.add(id);
    return child;
  });
}

function childOf(desired: KubernetesObject, owner: Owner, kinds: readonly KindInfo[], index: number): Child {
  const at = `owned[${index}]`;
  if (typeof desired !== 'object' || desired === null || typeof desired.metadata !== 'object' || desired.metadata === null) {
    throw new ChildInvalidError(
      `${at}: is no object with metadata; make it with its kind, for example Deployment({ metadata: { name }, spec })`,
    );
  }
  const kind = kinds.find((candidate) => candidate.kind === desired.kind && apiVersionOf(candidate) === desired.apiVersion);
  if (kind === undefined) {
    const declared = kinds.map((candidate) => `${candidate.kind} ${apiVersionOf(candidate)}`).join(', ');
    throw new ChildInvalidError(`${at}: ${describe(desired)} is of no kind that the controller owns (${declared}); declare it under owns`);
  }
  const { name } = desired.metadata;
  if (name === undefined || name === '') {
    throw new ChildInvalidError(
      `${at}: ${desired.kind} has no metadata.name; children are found again by name, so generateName cannot serve`,
    );
  }
  const namespace = namespaceOf(desired, kind, owner, at);
  const { status: _, ...content } = withData(desired as UntypedObject, at);
  const metadata = metadataOf(desired.metadata, name, namespace, owner);
  const hash = digest('sha256', canonicalJson({ ...content, metadata }), 'base64url').slice(0, 22);
  const manifest = {
    ...content,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [APPLIED_ANNOTATION]: hash } },
  } as UntypedObject;
  return { kind, key: { name, ...(namespace === undefined ? {} : { namespace }) }, hash, manifest };
}

/** Owners are in their children's namespace or cluster-scoped: the garbage collector deletes all others, at once and without a word (H48). */
function namespaceOf(desired: KubernetesObject, kind: KindInfo, { object, kind: ownerKind }: Owner, at: string): string | undefined {
  const own = object.metadata.namespace;
  const { namespace } = desired.metadata;
  if (kind.scope === 'Cluster') {
    if (ownerKind.scope === 'Cluster') return undefined;
    throw new ChildInvalidError(
      `${at}: ${describe(desired)} is cluster-scoped, its owner ${ownerKind.kind} is not: it would be deleted as an orphan; create it by other means and clean up in finalize`,
    );
  }
  if (own === undefined) {
    if (namespace !== undefined) return namespace;
    throw new ChildInvalidError(`${at}: ${describe(desired)} needs metadata.namespace: its owner ${ownerKind.kind} is cluster-scoped`);
  }
  if (namespace === undefined || namespace === own) return own;
  throw new ChildInvalidError(
    `${at}: ${describe(desired)} is in namespace ${namespace}, its owner in ${own}: it would be deleted as an orphan; children share the namespace of their owner`,
  );
}

function metadataOf(metadata: ObjectMeta, name: string, namespace: string | undefined, owner: Owner): ObjectMeta {
  const kept = Object.fromEntries(Object.entries(metadata).filter(([field]) => !(SERVER_FIELDS as readonly string[]).includes(field)));
  const annotations = { ...metadata.annotations };
  delete annotations[APPLIED_ANNOTATION];
  const others = (metadata.ownerReferences ?? []).filter(({ uid, controller }) => uid !== owner.object.metadata.uid && controller !== true);
  return {
    ...kept,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(Object.keys(annotations).length === 0 ? { annotations: undefined } : { annotations }),
    ownerReferences: [...others, controllerReference(owner)],
  };
}

function controllerReference({ kind, object }: Owner): OwnerReference {
  const { name, uid } = object.metadata;
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** `stringData` is never read back: as `data` it can be compared. What is no text is refused, as the API server does; its message would quote it. */
function withData(object: UntypedObject, at: string): UntypedObject {
  const { stringData, ...rest } = object;
  if (object.kind !== 'Secret' || object.apiVersion !== 'v1' || typeof stringData !== 'object' || stringData === null) return object;
  const encoded = Object.entries(stringData).map(([key, value]): [string, string] => {
    if (typeof value === 'string') return [key, Buffer.from(value).toString('base64')];
    throw new ChildInvalidError(`${at}: ${describe(object)}: stringData.${key} is no text (${typeof value}); write a string`);
  });
  return { ...rest, data: { ...(rest['data'] as object | undefined), ...Object.fromEntries(encoded) } } as UntypedObject;
}

/** Tells children of one owner apart. */
export function childId({ group, kind }: Pick<KindInfo, 'group' | 'kind'>, { name, namespace = '' }: Child['key']): string {
  return `${group}/${kind}/${namespace}/${name}`;
}

export function describe({ kind, metadata: { name, namespace } }: KubernetesObject): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name ?? '(no name)'}`;
}
