export { OperatorError } from './errors.js';
export { apiVersionOf, type Kind, type KindInfo, type Manifest, type Scope } from './kind.js';
export type { Condition, KubernetesObject, ManagedFieldsEntry, NamedMeta, ObjectKey, ObjectMeta, OwnerReference } from './object.js';
export type { PolicyRule } from './policy-rule.js';
export type { Json, StructuralSchema, ValidationRule, ValueValidation } from './structural-schema.js';
