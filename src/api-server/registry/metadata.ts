import {
  compareUtf8,
  type ManagedFieldsEntry,
  METADATA_FIELDS,
  type ObjectMeta,
  type OwnerReference,
} from '@keelson/kubernetes/apimachinery';
import { type Draft, isObject, type JsonObject, type MutableJson, type RequestContext } from '../contract/index.js';
import { badRequest } from '../status/index.js';

/** The metadata of a draft. Fields are deleted, never set to undefined: a draft is JSON. */
export type DraftMetadata = { -readonly [Field in keyof ObjectMeta]: Exclude<ObjectMeta[Field], undefined> } & { selfLink?: string };

export function metadataOf(object: JsonObject): ObjectMeta {
  const { metadata } = object;
  return isObject(metadata) ? (metadata as ObjectMeta) : {};
}

/** The draft's own metadata, to be changed. */
export function draftMetadata(draft: Draft): DraftMetadata {
  const { metadata } = draft;
  if (isObject(metadata)) return metadata as DraftMetadata;
  const created: DraftMetadata = {};
  draft['metadata'] = created as MutableJson;
  return created;
}

/** RFC 3339 in seconds: the wire form of times. */
export function timeText(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

/** Fields that a client cannot set on an object that it creates. */
export function wipeSystemFields(metadata: DraftMetadata): void {
  delete metadata.creationTimestamp;
  delete metadata.uid;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
}

/** Gives the object the namespace of the request (`''`: none). @throws StatusError 400 when it names another. */
export function ensureNamespace(metadata: DraftMetadata, expected: string): void {
  const { namespace = '' } = metadata;
  if (namespace === expected) return;
  if (namespace !== '' && expected !== '') {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (expected === '') delete metadata.namespace;
  else metadata.namespace = expected;
}

/** Drops owner references that are there twice, with a warning. */
export function dropDuplicateOwners(draft: Draft, context: RequestContext, when: 'before admission' | 'after admission'): void {
  const metadata = draftMetadata(draft);
  const { ownerReferences } = metadata;
  if (ownerReferences === undefined || ownerReferences.length < 2) return;
  const kept: OwnerReference[] = [];
  const duplicates: string[] = [];
  for (const reference of ownerReferences) {
    if (kept.some((other) => isSameReference(other, reference))) duplicates.push(reference.uid);
    else kept.push(reference);
  }
  if (duplicates.length === 0) return;
  const moment = when === 'after admission' ? ' after mutating admission happens' : '';
  context.warn(
    `.metadata.ownerReferences contains duplicate entries${moment}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; ` +
      `please fix your requests; duplicate UID(s) observed: ${duplicates.join(', ')}`,
  );
  metadata.ownerReferences = kept;
}

function isSameReference(left: OwnerReference, right: OwnerReference): boolean {
  return (
    left.uid === right.uid &&
    left.name === right.name &&
    left.kind === right.kind &&
    left.apiVersion === right.apiVersion &&
    left.controller === right.controller &&
    left.blockOwnerDeletion === right.blockOwnerDeletion
  );
}

/** In the order of the Go type; custom resources are maps, whose keys are sorted. */
const SORTED_FIELDS: readonly (keyof DraftMetadata)[] = [...METADATA_FIELDS].sort(compareUtf8);

/** Brings the metadata into the order in which the server writes it, with a place for the resource version, and without the self link of old times. */
export function prepareForStorage(draft: Draft, isCustom: boolean): void {
  draftMetadata(draft).resourceVersion = '';
  orderMetadata(draft, isCustom);
}

/** For what is answered without having been stored. */
export function orderMetadata(draft: Draft, isCustom: boolean): void {
  const metadata = draftMetadata(draft) as Record<string, MutableJson>;
  const ordered: Record<string, MutableJson> = {};
  for (const field of isCustom ? SORTED_FIELDS : METADATA_FIELDS) {
    const value = metadata[field];
    if (value !== undefined && field !== 'selfLink') ordered[field] = value;
  }
  draft['metadata'] = ordered;
}

export function managedFieldsOf(metadata: ObjectMeta | DraftMetadata): readonly ManagedFieldsEntry[] {
  return metadata.managedFields ?? [];
}
