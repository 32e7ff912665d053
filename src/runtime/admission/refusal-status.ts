import {
  duplicate,
  type FieldError,
  fieldErrorText,
  forbidden,
  invalid,
  type Json,
  nameInGroup,
  required,
} from '@keelson/kubernetes/apimachinery';
import type { Refusal } from 'keelson/internal/definition';
import { fieldValue } from './field-value.js';

/** The refused object. */
export interface RefusedObject {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  readonly object: Json;
}

const TYPES: readonly unknown[] = ['Invalid', 'Required', 'Forbidden', 'Duplicate', 'NotSupported', undefined];

/** A Status as the API server itself answers it for fields that it refuses: code 422, one cause for each. */
export function invalidStatus({ group, kind, name, object }: RefusedObject, refusals: readonly Refusal[]): Json {
  const errors = refusals.map((refusal) => fieldError(refusal, object));
  // Go's aggregate says the same text once.
  const texts = [...new Set(errors.map(fieldErrorText))];
  const subject = nameInGroup(kind, group);
  return {
    metadata: {},
    status: 'Failure',
    message: `${subject} ${JSON.stringify(name)} is invalid: ${texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`}`,
    reason: 'Invalid',
    details: { name, group, kind, causes: errors.map(({ reason, message, field }) => ({ reason, message, field })) },
    code: 422,
  };
}

/** A Status for an object that is refused as a whole. */
export function deniedStatus(message: string): Json {
  return { metadata: {}, status: 'Failure', message, reason: 'Forbidden', code: 403 };
}

/** A handler's return value, if it is a verdict. @throws TypeError naming what it is instead */
export function refusalsOf(verdict: unknown): readonly Refusal[] | string {
  if (verdict === undefined || verdict === null) return [];
  if (typeof verdict === 'string') return verdict;
  if (!Array.isArray(verdict)) throw new TypeError(`the handler returned ${typeof verdict}; return nothing, a text, or a list of refusals`);
  for (const [index, refusal] of (verdict as unknown[]).entries()) {
    const { path, message, type } = (refusal ?? {}) as Partial<Record<keyof Refusal, unknown>>;
    if (typeof path !== 'string' || typeof message !== 'string' || !TYPES.includes(type))
      throw new TypeError(`refusal ${index} of the handler is not a refusal; write { path: 'spec.size', message: 'must be odd' }`);
  }
  return verdict as readonly Refusal[];
}

function fieldError({ path, message, type = 'Invalid', value }: Refusal, object: Json): FieldError {
  const shown = (value === undefined ? fieldValue(object, path) : value) as Json;
  switch (type) {
    case 'Invalid':
      return invalid(path, shown, message);
    case 'Required':
      return required(path, message);
    case 'Forbidden':
      return forbidden(path, message);
    case 'Duplicate': {
      const error = duplicate(path, shown);
      return message === '' ? error : { ...error, message: `${error.message}: ${message}` };
    }
    case 'NotSupported': {
      // The server lists what is supported; an author's sentence stands in its place.
      const { message: text, ...error } = invalid(path, shown, message);
      return { ...error, reason: 'FieldValueNotSupported', message: text.replace('Invalid value', 'Unsupported value') };
    }
  }
}
