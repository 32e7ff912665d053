import * as k from './k/index.js';

export { type AdmissionExpressions, admissionExpressionProblems } from './admission-expressions.js';
export { applyDefaults, dropForbiddenNulls, fillDefaults } from './apply-defaults.js';
export type { BuiltinTypes } from './builtin-types.js';
export { type CheckOptions, type CheckResult, checkResourceSchema, checkStructural } from './check/index.js';
export { compareSchemas, interchangeProblems, type SchemaChange, type SchemaChangeKind } from './compare.js';
export type { CheckPayload, KeelsonCheck, Mark } from './marks.js';
export { type PruneOptions, prune } from './prune.js';
export { SchemaError, type SchemaProblem } from './schema-error.js';
export { type Conversion, type ConversionOptions, convertSchema, structuralSchemaOf } from './structural-schema-of.js';
export {
  createValidator,
  hasEmbeddedObjects,
  type ScaleValidation,
  type ValidateOptions,
  type Validator,
  validate,
} from './validate/index.js';
export type { ZodLike } from './zod-internals.js';
export { k };
