import { hash as digest } from 'node:crypto';
import {
  canonicalJson,
  groupVersionOf,
  type KindInfo,
  nameInGroup,
  type ObjectKey,
  type OwnerReference,
} from '@keelson/kubernetes/apimachinery';
import type { StoredObject } from '../cache/index.js';

/**
 * The annotation of desired state: which controller applied it, and a hash of what was applied. By the first, nothing else is ever pruned; by the second, a field
 * that is desired no longer is noticed after a restart.
 */
export const APPLIED_ANNOTATION = 'keelson.dev/applied';
/** The owner of a child that stays when the owner goes: an owner reference would have the garbage collector delete it, however the owner is deleted. */
export const OWNER_ANNOTATION = 'keelson.dev/owner';
/** The same of an object that was there before: it is let go of, not deleted. */
export const ADOPTED_ANNOTATION = 'keelson.dev/adopted';
/** On the owner, one for each controller: names of the children that were made once. Two controllers of a kind write at the same time. */
const MADE_PREFIX = 'made.keelson.dev/';

/** @param fieldManager `<operator>/<controller>` */
export function madeAnnotation(fieldManager: string): string {
  return `${MADE_PREFIX}${fieldManager.slice(fieldManager.lastIndexOf('/') + 1)}`;
}

export function isMadeAnnotation(name: string): boolean {
  return name.startsWith(MADE_PREFIX);
}

export interface Owner {
  readonly kind: KindInfo;
  readonly object: StoredObject;
}

/** Finds the children of an owner by its uid. */
export const OWNER_INDEX = 'controller-uid';

/** The uids of those whose child it is: of its controller, or of whom its annotations name. */
export function controllerUids({ metadata }: StoredObject): readonly string[] {
  const controllers = (metadata.ownerReferences ?? []).flatMap(({ controller, uid }) => (controller === true ? [uid] : []));
  const named = namedOwner(metadata.annotations);
  return named === undefined ? controllers : [...controllers, named.uid];
}

/** The owner that an annotation names, instead of a reference. */
export interface NamedOwner {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

export function namedOwner(annotations: Readonly<Record<string, string>> | undefined): NamedOwner | undefined {
  const text = annotations?.[OWNER_ANNOTATION] ?? annotations?.[ADOPTED_ANNOTATION];
  if (text === undefined) return undefined;
  const [resource = '', name, uid] = text.split('/');
  if (name === undefined || uid === undefined) return undefined;
  const dot = resource.indexOf('.');
  return dot < 0 ? { kind: resource, group: '', name, uid } : { kind: resource.slice(0, dot), group: resource.slice(dot + 1), name, uid };
}

/** `EtcdCluster.etcd.example.com/a/<uid>`. */
export function ownerText({ kind: { kind, group }, object }: Owner): string {
  const { name, uid } = object.metadata;
  return `${nameInGroup(kind, group)}/${name}/${uid}`;
}

/** The owners of an object by the names that it gives them: its controllers of that kind, and whom its annotations name. */
export function ownerKeys({ metadata }: StoredObject, kind: KindInfo): string[] {
  const controllers = (metadata.ownerReferences ?? []).filter((reference) => reference.controller === true && isOfKind(reference, kind));
  const named = namedOwner(metadata.annotations);
  const isNamed = named !== undefined && named.kind === kind.kind && named.group === kind.group;
  return [...controllers.map(({ name }) => name), ...(isNamed ? [named.name] : [])];
}

/** A version in the reference says nothing: it is that of the day it was written (H41). */
export function isOfKind({ apiVersion, kind: name }: Pick<OwnerReference, 'apiVersion' | 'kind'>, { group, kind }: KindInfo): boolean {
  return name === kind && groupVersionOf(apiVersion).group === group;
}

/** The content of `keelson.dev/applied`. */
export interface AppliedMark {
  /** Absent in what keelson 0.1 wrote, which knew one controller for each kind. */
  readonly manager?: string | undefined;
  readonly hash: string;
}

export function appliedMark({ metadata }: StoredObject): AppliedMark | undefined {
  const text = metadata.annotations?.[APPLIED_ANNOTATION];
  if (text === undefined) return undefined;
  const colon = text.lastIndexOf(':');
  return colon < 0 ? { hash: text } : { manager: text.slice(0, colon), hash: text.slice(colon + 1) };
}

export function hashOf(content: object): string {
  return digest('sha256', canonicalJson(content), 'base64url').slice(0, 22);
}

/** Tells children of one owner apart. */
export function childId({ group, kind }: Pick<KindInfo, 'group' | 'kind'>, { name, namespace = '' }: ObjectKey): string {
  return `${group}/${kind}/${namespace}/${name}`;
}
