import type { Json } from '@keelson/kubernetes/apimachinery';
import { refuseProblems } from './problems.js';
import type { TypeRef } from './type-ref.js';
import { type ValidateOptions, validateValue } from './validate.js';

/** A value that fits its type, and the version of the API that the type belongs to. */
export interface TypedValue {
  readonly value: Json;
  readonly type: TypeRef;
  readonly apiVersion: string;
}

interface TypedOptions extends Omit<TypedValue, 'value'>, ValidateOptions {
  /** Stands before the message of what does not fit. */
  readonly failure?: string;
}

/** @throws TypeMismatch when the value does not fit. */
export function typedValue(value: Json, { type, apiVersion, failure = '', ...options }: TypedOptions): TypedValue {
  refuseProblems(validateValue(type, value, options), failure);
  return { value, type, apiVersion };
}
