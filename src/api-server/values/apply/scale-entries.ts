import type { ManagedFieldsEntry } from '@keelson/kubernetes/apimachinery';
import { FieldSet } from './field-set.js';
import { decodeManagedFields, encodeManagedFields } from './managed-fields.js';
import type { OwnedSet } from './managers.js';
import { fieldPath, type Path } from './path-element.js';

const SCALE_VERSION = 'autoscaling/v1';
const REPLICAS = fieldPath('spec', 'replicas');

/** The paths that the scale subresource of a resource needs. */
export interface ScaleEndpoint {
  /** Version of the resource at whose endpoint the scale is written. */
  readonly apiVersion: string;
  /** Where each version of the resource keeps its replicas; undefined: that version has no scale. A version that is not named is not served. */
  readonly replicasPaths: Readonly<Record<string, Path | undefined>>;
}

/** The entries of a resource as its Scale shows them: those that hold the replicas. */
export function toScaleEntries(entries: readonly ManagedFieldsEntry[], { replicasPaths }: ScaleEndpoint): ManagedFieldsEntry[] {
  const { managers, times } = decodeManagedFields(entries);
  const scaled = new Map<string, OwnedSet>();
  for (const [identifier, owned] of managers) {
    const path = replicasPaths[owned.apiVersion];
    if (path !== undefined && owned.set.has(path)) {
      scaled.set(identifier, { ...owned, set: FieldSet.of(REPLICAS), apiVersion: SCALE_VERSION });
    }
  }
  return encodeManagedFields({ managers: scaled, times });
}

/** The entries of a resource after a write of its Scale, whose entries then are {@link scaleEntries}: the replicas may have changed hands. */
export function toParentEntries(
  entries: readonly ManagedFieldsEntry[],
  scaleEntries: readonly ManagedFieldsEntry[],
  { apiVersion, replicasPaths }: ScaleEndpoint,
): ManagedFieldsEntry[] {
  const parent = decodeManagedFields(entries);
  const scale = new Map(decodeManagedFields(scaleEntries).managers);
  const managers = new Map<string, OwnedSet>();
  for (const [identifier, owned] of parent.managers) {
    if (!Object.hasOwn(replicasPaths, owned.apiVersion)) continue;
    const path = replicasPaths[owned.apiVersion];
    const kept = path === undefined || !owned.set.has(path) || scale.has(identifier);
    if (path !== undefined && owned.set.has(path)) scale.delete(identifier);
    const set = kept || path === undefined ? owned.set : owned.set.difference(FieldSet.of(path));
    if (!set.isEmpty) managers.set(identifier, { ...owned, set });
  }
  const path = replicasPaths[apiVersion];
  for (const [identifier, owned] of scale) {
    if (path === undefined || !owned.set.has(REPLICAS)) continue;
    managers.set(identifier, { ...owned, set: FieldSet.of(path), apiVersion });
  }
  // The time of a new entry is the parent's under the same name, which has none: so does the server.
  return encodeManagedFields({ managers, times: parent.times });
}
