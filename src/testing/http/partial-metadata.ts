import type { Json } from '../../kubernetes/index.js';
import { isObject, type JsonObject } from '../resources/index.js';

/** Fields of Go's ObjectMeta, in its order. */
const FIELDS = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
];

/** The metadata of an object in the order of Go's type: custom resources have theirs sorted by name. */
export function orderedMetadata(object: JsonObject): JsonObject {
  const metadata = object['metadata'];
  if (!isObject(metadata)) return {};
  const ordered: Record<string, Json> = {};
  for (const field of FIELDS) {
    const value = (metadata as JsonObject)[field];
    if (value !== undefined) ordered[field] = value;
  }
  return ordered;
}
