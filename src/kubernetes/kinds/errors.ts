import { OperatorError } from '../object/index.js';

/** A kind is described in a way that no API server could serve. */
export class KindError extends OperatorError {
  readonly actor = 'author';
  readonly code = 'KEELSON_KIND_INVALID';
}

/** A built-in type was asked for that has no structural schema. */
export class BuiltinSchemaError extends OperatorError {
  readonly actor = 'author';
  readonly code = 'KEELSON_BUILTIN_SCHEMA_UNKNOWN';
}
