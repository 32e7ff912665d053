/** Types of CEL: declarations, overloads, and the types that structural schemas have. */
export { acceptedSince, hasSortBy, type Libraries, type Overload, overloadsOf, patchOverloadsOf, typeIdentifier } from './declarations.js';
export { fieldTypeOf } from './field-type.js';
export { resolveOverload } from './overloads.js';
export { APPLIED_OBJECT, JSON_PATCH, messageType, PATCH_RESULTS } from './patch-types.js';
export { escapePropertyName, isIdentifier, unescapePropertyName } from './property-name.js';
export { celTypeOf, type SchemaTypeOptions, withResourceFields } from './schema-type.js';
export {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DYN,
  ERROR,
  formatRuntimeType,
  formatType,
  INT,
  listOf,
  mapOf,
  NULL,
  type ObjectType,
  opaque,
  optionalOf,
  runtimeTypeName,
  STRING,
  sameType,
  TIMESTAMP,
  typeOf,
  UINT,
  unwrapOptional,
} from './type.js';
export { mostGeneral, Unifier } from './unify.js';
