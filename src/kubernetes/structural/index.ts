/**
 * Structural schemas as the API server holds them, without zod: {@link checkStructural} judges a schema, {@link createValidator} the values under it,
 * {@link applyDefaults} and {@link prune} change values as the API server does, {@link compareSchemas} compares two versions of a schema.
 */
export { applyDefaults, dropForbiddenNulls, fillDefaults } from './apply-defaults.js';
export {
  type CheckOptions,
  checkAs,
  checkStructural,
  type Judge,
  type RuleCost,
  re2Problem,
  type Wording,
} from './check/index.js';
export { compareSchemas, interchangeProblems, type SchemaChange, type SchemaChangeKind } from './compare.js';
export { type PruneOptions, prune } from './prune.js';
export { type Fullness, Sampler } from './samples/index.js';
export type { SchemaProblem } from './schema-problem.js';
export {
  createKeywordJudge,
  createValidator,
  hasEmbeddedObjects,
  type KeywordJudge,
  type ScaleValidation,
  type ValidateOptions,
  type Validator,
  validate,
} from './validate/index.js';
