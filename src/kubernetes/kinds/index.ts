/** `keelson/kinds`: the built-in kinds of Kubernetes, each a type, a descriptor and a factory. They are generated; what they stand on is `defineKind`. */
// biome-ignore lint/performance/noReExportAll: the generated index lists its 600 names one by one.
export * from '../../../imports/kinds/index.js';
export type { BuiltinTypeName, BuiltinTypes } from '../../../imports/schemas/builtin-types.js';
export { KUBERNETES_MINOR, KUBERNETES_VERSION } from '../../../imports/version.js';
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
} from '../object/index.js';
export { builtinSchema, builtinTypeNames } from './builtin-schemas.js';
export { defineKind, type KindDescription } from './define-kind.js';
export { BuiltinSchemaError, KindError } from './errors.js';
