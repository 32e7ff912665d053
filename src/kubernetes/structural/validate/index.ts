/** Validates values under a structural schema with the API server's errors. The way in is `createValidator`. */
export { hasEmbeddedObjects, validateEmbeddedObjects } from './embedded-objects.js';
export type { ScaleValidation } from './scale.js';
export { createKeywordJudge, createValidator, type KeywordJudge, type ValidateOptions, type Validator, validate } from './validator.js';
