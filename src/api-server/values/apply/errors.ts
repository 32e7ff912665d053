import { OperatorError } from '@keelson/kubernetes/apimachinery';

/** One field that another manager holds, as a cause in a Status carries it. */
export interface ConflictCause {
  readonly reason: 'FieldManagerConflict';
  readonly message: string;
  readonly field: string;
}

/** The API server's answer instead of the object. */
export interface ApplyRefusal {
  readonly status: 400 | 409 | 500;
  /** Absent where the server gives none (it answers 500 for a value that does not fit the schema). */
  readonly reason?: 'BadRequest' | 'Conflict';
  readonly message: string;
  /** The causes of a conflict: one for each field and manager. */
  readonly causes?: readonly ConflictCause[];
}

/** An applied configuration was refused. `message` is the server's own; `refusal` has what else the Status holds. */
export class ApplyRefused extends OperatorError {
  readonly actor = 'user';
  readonly code = 'KEELSON_APPLY_REFUSED';
  readonly refusal: ApplyRefusal;

  constructor(refusal: ApplyRefusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** A stored field set cannot be read. Users do not meet it: an update starts anew without the entries, an apply is refused. */
export class FieldsV1Error extends OperatorError {
  readonly actor = 'user';
  readonly code = 'KEELSON_FIELDS_V1';
}

/** A value does not fit its type. Users meet its message inside that of {@link ApplyRefused}. */
export class TypeMismatch extends OperatorError {
  readonly actor = 'user';
  readonly code = 'KEELSON_APPLY_TYPE_MISMATCH';
}

/** The SMD schema or OpenAPI document that types were to be made of does not hold together. */
export class ApplySchemaError extends OperatorError {
  readonly actor = 'author';
  readonly code = 'KEELSON_APPLY_SCHEMA';
}
