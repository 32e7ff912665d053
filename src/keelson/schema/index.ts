/**
 * Schemas as authors write them: zod for the types, {@link k} for what Kubernetes has and zod has not. {@link structuralSchemaOf} turns them into the
 * structural schemas of a CRD, {@link checkResourceSchema} judges those in the author's terms.
 */
import * as k from './k/index.js';

export { type AdmissionExpressions, admissionExpressionProblems } from './admission-expressions.js';
export type { BuiltinTypes } from './builtin-types.js';
export { checkResourceSchema } from './check-resource-schema.js';
export type { CheckPayload, KeelsonCheck, Mark } from './marks.js';
export { SchemaError } from './schema-error.js';
export { type Conversion, type ConversionOptions, convertSchema, structuralSchemaOf } from './structural-schema-of.js';
export type { ZodLike } from './zod-internals.js';
export { k };
