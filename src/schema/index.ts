export type { BuiltinTypes } from './builtin-types.js';

import * as k from './k/index.js';

export type { CheckPayload, KeelsonCheck, Mark } from './marks.js';
export { SchemaError, type SchemaProblem } from './schema-error.js';
export { type Conversion, type ConversionOptions, convertSchema, structuralSchemaOf } from './structural-schema-of.js';
export type { ZodLike } from './zod-internals.js';
export { k };
