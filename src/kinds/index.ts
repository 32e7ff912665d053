export type { BuiltinTypeName, BuiltinTypes } from '../../imports/kinds/builtin-types.js';
// The generated index lists its names one by one.
export * from '../../imports/kinds/index.js';
export type {
  Condition,
  Kind,
  KindInfo,
  KubernetesObject,
  ManagedFieldsEntry,
  Manifest,
  NamedMeta,
  ObjectMeta,
  OwnerReference,
  Scope,
} from '../kubernetes/index.js';
export { builtinSchema, builtinTypeNames } from './builtin-schemas.js';
export { defineKind, type KindDescription } from './define-kind.js';
export { BuiltinSchemaError, KindError } from './errors.js';
