export { type Comparison, compareTyped } from './compare.js';
export { type ApplyRefusal, ApplyRefused, ApplySchemaError, type ConflictCause, FieldsV1Error, TypeMismatch } from './errors.js';
export { FieldSet, FieldSetBuilder } from './field-set.js';
export { decodeFieldsV1, encodeFieldsV1 } from './fields-v1.js';
export type { Managers, OwnedSet, Versions } from './managers.js';
export { mergeValues } from './merge.js';
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
export { toFieldSet } from './to-field-set.js';
export { typesFromSmd } from './type-from-smd.js';
export { type Atom, type TypeRef, UNTYPED_ATOMIC, UNTYPED_DEDUCED } from './type-ref.js';
export { type TypedValue, typedValue } from './typed-value.js';
export {
  type ApplyOutcome,
  type ApplyRequest,
  applyConfig,
  type Conflict,
  type UpdateRequest,
  updateManagers,
} from './updater.js';
