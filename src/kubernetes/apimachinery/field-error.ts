import { goJson, goNumber, goQuote } from './go-format.js';

/** Machine-readable reason of a field error: the `reason` of a cause in a Status. */
export type FieldErrorReason =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'InternalError'
  | 'FieldValueTypeInvalid';

/**
 * A problem of one field, as a cause in a Status carries it.
 *
 * The line that clients print is `${field}: ${message}`. Source of texts: apimachinery, `pkg/util/validation/field/errors.go`, which writes values as JSON.
 */
export interface FieldError {
  readonly reason: FieldErrorReason;
  /** `spec.list[0].name`; `<nil>` where the server names no field. */
  readonly field: string;
  readonly message: string;
}

const TEXTS: Readonly<Record<FieldErrorReason, string>> = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  InternalError: 'Internal error',
  FieldValueTypeInvalid: 'Invalid value',
};

function rendered(value: unknown): string {
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return goNumber(value);
  return typeof value === 'boolean' ? String(value) : goJson(value);
}

/** In place of a value that a message leaves out, as it would be too long. */
export const OMITTED: unique symbol = Symbol('omitted');

function plain(reason: FieldErrorReason, field: string, detail: string): FieldError {
  return { reason, field: fieldName(field), message: detail === '' ? TEXTS[reason] : `${TEXTS[reason]}: ${detail}` };
}

function withValue(reason: FieldErrorReason, field: string, { value, detail = '' }: { value: unknown; detail?: string }): FieldError {
  if (value === OMITTED) return plain(reason, field, detail);
  return { reason, field: fieldName(field), message: `${TEXTS[reason]}: ${rendered(value)}${detail === '' ? '' : `: ${detail}`}` };
}

/** A nil path prints as `<nil>` in Go. */
function fieldName(field: string): string {
  return field === '' ? '<nil>' : field;
}

export function invalid(field: string, value: unknown, detail: string): FieldError {
  return withValue('FieldValueInvalid', field, { value, detail });
}

export function typeInvalid(field: string, value: unknown, detail: string): FieldError {
  return withValue('FieldValueTypeInvalid', field, { value, detail });
}

export function required(field: string, detail = ''): FieldError {
  return plain('FieldValueRequired', field, detail);
}

export function forbidden(field: string, detail: string): FieldError {
  return plain('FieldValueForbidden', field, detail);
}

/** A fault of the server's own. */
export function internal(field: string, detail: string): FieldError {
  return plain('InternalError', field, detail);
}

export function duplicate(field: string, value: unknown): FieldError {
  return withValue('FieldValueDuplicate', field, { value });
}

export function notSupported(field: string, value: unknown, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`;
  return withValue('FieldValueNotSupported', field, { value, detail });
}

export function tooLong(field: string, maxLength: number): FieldError {
  return plain('FieldValueTooLong', field, `may not be more than ${maxLength} ${maxLength === 1 ? 'byte' : 'bytes'}`);
}

export function tooMany(field: string, actual: number, max: number): FieldError {
  // An int (not int64) is rendered through JSON in Go: the same digits.
  return {
    reason: 'FieldValueTooMany',
    field: fieldName(field),
    message: `Too many: ${actual}: must have at most ${max} ${max === 1 ? 'item' : 'items'}`,
  };
}

/** `spec.size: Invalid value: 0: should be …`: the line that clients print. */
export function fieldErrorText(error: FieldError): string {
  return `${error.field}: ${error.message}`;
}
