/**
 * Server-side apply as functions over values: no store, no HTTP, no clock of its own.
 *
 * A server asks {@link applyPatch} for an apply and {@link trackUpdate} for every other write, with one {@link Endpoint} for each version and subresource
 * of a resource, whose types come from {@link customResourceType} or {@link builtinTypes}. Source of the rules: structured-merge-diff v6 and
 * apimachinery `pkg/util/managedfields`, as Kubernetes has them.
 */
export { type AppliedPatch, type ApplyPatch, applyPatch } from './apply-patch.js';
// The parts that the above is made of, for tests.

export { type Comparison, compareTyped } from './compare.js';
export { emptyObject } from './empty-object.js';
export type { Endpoint } from './endpoint.js';
export { type ApplyRefusal, ApplyRefused, type ConflictCause } from './errors.js';
export { FieldSet } from './field-set.js';
export { decodeFieldsV1, encodeFieldsV1 } from './fields-v1.js';
export { decodeManagedFields, type Managed } from './managed-fields.js';
export type { Managers, OwnedSet, Versions } from './managers.js';
export { mergeValues } from './merge.js';
export { mergeConfiguration } from './merge-configuration.js';
export type { ApiObject } from './object-fields.js';
export type { Definitions, OpenApiSchema } from './open-api-schema.js';
export {
  comparePathElements,
  fieldElement,
  fieldPath,
  indexElement,
  keyElement,
  type Path,
  type PathElement,
  parsePathElement,
  pathText,
  valueElement,
} from './path-element.js';
export { extractFields, removeFields } from './remove-fields.js';
export { revertTimes } from './revert-times.js';
export { type ScaleEndpoint, toParentEntries, toScaleEntries } from './scale-entries.js';
export { toFieldSet } from './to-field-set.js';
export { type TrackedUpdate, type TrackUpdate, trackUpdate } from './track-update.js';
export { builtinTypes, customResourceType } from './type-from-open-api.js';
export { typesFromSmd } from './type-from-smd.js';
export { type Atom, type TypeRef, UNTYPED_DEDUCED } from './type-ref.js';
export { type TypedValue, typedValue } from './typed-value.js';
export { type ApplyOutcome, type ApplyRequest, applyConfig, type Conflict, type UpdateRequest, updateManagers } from './updater.js';
