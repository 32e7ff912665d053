import {
  apiVersionOf,
  type KindInfo,
  type KubernetesObject,
  type ObjectMeta,
  type OwnerReference,
  SERVER_FIELDS,
} from '@keelson/kubernetes/apimachinery';
import type { OwnPolicy } from 'keelson/internal/definition';
import type { StoredObject } from '../cache/index.js';
import type { UntypedObject } from '../client/index.js';
import { ChildInvalidError } from './errors.js';
import { ADOPTED_ANNOTATION, APPLIED_ANNOTATION, hashOf, namedOwner, OWNER_ANNOTATION, type Owner, ownerText } from './marks.js';

/** A child as its reconciler wants it. */
export interface Child {
  readonly kind: KindInfo;
  readonly key: { readonly name: string; readonly namespace?: string | undefined };
  readonly policy: OwnPolicy;
  /** Without what the server writes, and without owner and marks. */
  readonly content: UntypedObject;
}

/** A child as it is applied. */
export interface Manifest {
  readonly hash: string;
  readonly object: UntypedObject;
}

/** How a child hangs on its owner: by an owner reference, so that it goes with it; or by an annotation, so that it stays. */
export type Hold = 'reference' | 'owner' | 'adopted';

const MARKS: readonly string[] = [APPLIED_ANNOTATION, OWNER_ANNOTATION, ADOPTED_ANNOTATION];

interface Declared {
  readonly kind: KindInfo;
  readonly policy: OwnPolicy;
}

/**
 * The handle of `owns` that desired children are listed under.
 *
 * @throws ChildInvalidError for a name that is not one of them, or a handle that is acted upon by its verbs alone
 */
export function desiredHandle<T extends { readonly policy: OwnPolicy }>(handles: Readonly<Record<string, T>>, name: string): T {
  const declared = Object.hasOwn(handles, name) ? handles[name] : undefined;
  if (declared?.policy.desired === true) return declared;
  const known = Object.keys(handles).filter((other) => handles[other]?.policy.desired);
  const wrong = declared === undefined ? 'is not a handle of owns' : 'is acted upon by its verbs, and no desired state';
  throw new ChildInvalidError(`owned.${name}: ${wrong}; known are ${known.join(', ') || 'none'}`);
}

/**
 * Checks the children of one handle, and takes off what is not theirs to say.
 *
 * @throws ChildInvalidError naming the child, what is wrong and how to mend it
 */
export function childrenOf(handle: string, desired: readonly object[], owner: Owner, declared: Declared): Child[] {
  const seen = new Set<string>();
  return desired.map((object, index) => {
    const at = `owned.${handle}[${index}]`;
    const child = childOf(object as KubernetesObject, owner, declared, at);
    const id = `${child.key.namespace ?? ''}/${child.key.name}`;
    if (seen.has(id)) throw new ChildInvalidError(`${at}: ${describe(child.content)} is listed twice; give each child once`);
    seen.add(id);
    return child;
  });
}

function childOf(desired: KubernetesObject, owner: Owner, { kind, policy }: Declared, at: string): Child {
  if (typeof desired !== 'object' || desired === null || typeof desired.metadata !== 'object' || desired.metadata === null) {
    throw new ChildInvalidError(
      `${at}: is not an object with metadata; make it with its kind, for example Deployment({ metadata: { name }, spec })`,
    );
  }
  if (kind.kind !== desired.kind || apiVersionOf(kind) !== desired.apiVersion) {
    throw new ChildInvalidError(
      `${at}: ${describe(desired)} (${desired.apiVersion}) is not of the handle's kind, ${kind.kind} ${apiVersionOf(kind)}; list it under the handle of its own kind`,
    );
  }
  const { name } = desired.metadata;
  if (name === undefined || name === '') {
    throw new ChildInvalidError(
      `${at}: ${desired.kind} has no metadata.name; children are found again by name, so generateName cannot serve: create such a child through a handle with verbs: ['create']`,
    );
  }
  const namespace = namespaceOf(desired, kind, owner, at);
  refuseOtherTypes(desired, at);
  const { status: _, ...content } = withData(desired as UntypedObject);
  const metadata = metadataOf(desired.metadata, owner);
  const key = { name, ...(namespace === undefined ? {} : { namespace }) };
  const whole = { ...content, metadata: { ...metadata, ...key } } as UntypedObject;
  const other = otherLabel(whole, policy);
  if (other !== undefined)
    throw new ChildInvalidError(`${at}: ${describe(desired)} has the label ${other}; leave it out, it is written with each child`);
  return { kind, key, policy, content: labelled(whole, policy) };
}

/** The object that is applied for a child: with its owner, the mark of the controller that applied it, and the hash of all that. */
export function manifestOf({ content }: Child, owner: Owner, hold: Hold, fieldManager: string): Manifest {
  const held = heldBy(content, owner, hold);
  const hash = hashOf(held);
  const { metadata } = held;
  const annotations = { ...metadata.annotations, [APPLIED_ANNOTATION]: `${fieldManager}:${hash}` };
  return { hash, object: { ...held, metadata: { ...metadata, annotations } } as UntypedObject };
}

/** The object with its owner. */
export function heldBy(object: UntypedObject, owner: Owner, hold: Hold): UntypedObject {
  const { metadata } = object;
  if (hold === 'reference') {
    const others = (metadata.ownerReferences ?? []).filter(
      ({ controller, uid }) => controller !== true && uid !== owner.object.metadata.uid,
    );
    return { ...object, metadata: { ...metadata, ownerReferences: [...others, controllerReference(owner)] } };
  }
  const annotation = hold === 'owner' ? OWNER_ANNOTATION : ADOPTED_ANNOTATION;
  return { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, [annotation]: ownerText(owner) } } };
}

/** The object with the labels by which its handle is selected. */
export function labelled(object: UntypedObject, { labels }: Pick<OwnPolicy, 'labels'>): UntypedObject {
  const { metadata } = object;
  return labels === undefined ? object : { ...object, metadata: { ...metadata, labels: { ...metadata.labels, ...labels } } };
}

/** The label whose value keeps an object out of its handle's selection, as a text; `undefined` if every label fits. */
export function otherLabel({ metadata }: KubernetesObject, { labels = {} }: Pick<OwnPolicy, 'labels'>): string | undefined {
  const found = Object.entries(labels).find(([name, value]) => (metadata.labels?.[name] ?? value) !== value);
  return found === undefined ? undefined : `${found[0]}=${metadata.labels?.[found[0]]}, where its handle selects ${found[0]}=${found[1]}`;
}

/** How a child of a handle is held that is made now. */
export function holdOf({ onDelete }: OwnPolicy): Hold {
  return onDelete === 'orphan' ? 'owner' : 'reference';
}

/** Whether a live object was there before its owner took it. */
export function isAdopted({ metadata }: StoredObject): boolean {
  return metadata.annotations?.[ADOPTED_ANNOTATION] !== undefined && namedOwner(metadata.annotations) !== undefined;
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

function metadataOf(metadata: ObjectMeta, { object }: Owner): ObjectMeta {
  // They come along when a live object is changed and returned.
  const kept = Object.fromEntries(Object.entries(metadata).filter(([field]) => !SERVER_FIELDS.has(field)));
  const annotations = Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([name]) => !MARKS.includes(name)));
  const references = (metadata.ownerReferences ?? []).filter(({ uid, controller }) => uid !== object.metadata.uid && controller !== true);
  return {
    ...kept,
    annotations: Object.keys(annotations).length === 0 ? undefined : annotations,
    ownerReferences: references.length === 0 ? undefined : references,
  };
}

function controllerReference({ kind, object }: Owner): OwnerReference {
  const { name, uid } = object.metadata;
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** Maps of texts that every object, a ConfigMap and a Secret have. */
const TEXT_MAPS = ['data', 'stringData', 'binaryData'] as const;

/** The API server answers a value that is not a text with 500. Its message would quote the value, which may be a secret. */
function refuseOtherTypes(object: KubernetesObject, at: string): void {
  const { labels, annotations } = object.metadata;
  const isData = object.apiVersion === 'v1' && (object.kind === 'ConfigMap' || object.kind === 'Secret');
  const data = isData ? TEXT_MAPS.map((field) => [field, (object as unknown as UntypedObject)[field]] as const) : [];
  for (const [field, map] of [['metadata.labels', labels], ['metadata.annotations', annotations], ...data] as const) {
    const wrong = Object.entries(map ?? {}).find(([, value]) => value !== undefined && typeof value !== 'string');
    if (wrong === undefined) continue;
    throw new ChildInvalidError(
      `${at}: ${describe(object)}: ${field}.${wrong[0]} is not a text (${wrong[1] === null ? 'null' : typeof wrong[1]}); write a string`,
    );
  }
}

/** `stringData` is never read back: as `data` it can be compared. */
function withData(object: UntypedObject): UntypedObject {
  const { stringData, ...rest } = object;
  if (object.kind !== 'Secret' || object.apiVersion !== 'v1' || typeof stringData !== 'object' || stringData === null) return object;
  const encoded = Object.entries(stringData).map(([key, value]) => [key, Buffer.from(String(value)).toString('base64')]);
  return { ...rest, data: { ...(rest['data'] as object | undefined), ...Object.fromEntries(encoded) } } as UntypedObject;
}

export function describe({ kind, metadata: { name, namespace } }: KubernetesObject): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name ?? '(no name)'}`;
}
