import { type Json, type ManagedFieldsEntry, METADATA_FIELDS, type OwnerReference } from '@keelson/kubernetes/apimachinery';
import { isObject, type JsonObject } from '../contract/index.js';

const MANAGED_FIELDS_ENTRY: readonly (keyof ManagedFieldsEntry)[] = [
  'manager',
  'operation',
  'apiVersion',
  'time',
  'fieldsType',
  'fieldsV1',
  'subresource',
];
const OWNER_REFERENCE: readonly (keyof OwnerReference)[] = ['apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion'];

/** The metadata of an object in the order of Go's type: custom resources have theirs sorted by name. */
export function orderedMetadata(object: JsonObject): JsonObject {
  const metadata = object['metadata'];
  if (!isObject(metadata)) return {};
  const ordered = inOrder(metadata, METADATA_FIELDS);
  orderItems(ordered, 'ownerReferences', OWNER_REFERENCE);
  orderItems(ordered, 'managedFields', MANAGED_FIELDS_ENTRY);
  return ordered;
}

function orderItems(object: Record<string, Json>, list: string, fields: readonly string[]): void {
  const items = object[list];
  if (Array.isArray(items)) object[list] = (items as readonly JsonObject[]).map((item) => inOrder(item, fields));
}

function inOrder(object: JsonObject, fields: readonly string[]): Record<string, Json> {
  const ordered: Record<string, Json> = {};
  for (const field of fields) {
    const value = object[field];
    if (value !== undefined) ordered[field] = value;
  }
  return ordered;
}
