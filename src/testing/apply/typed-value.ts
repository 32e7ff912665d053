import type { Json } from '../../kubernetes/index.js';
import { refuseProblems } from './problems.js';
import type { TypeRef } from './type-ref.js';
import { type ValidateOptions, validateValue } from './validate.js';

/** A value that fits its type, and the version of the API that the type belongs to. */
export interface TypedValue {
  readonly value: Json;
  readonly type: TypeRef;
  readonly apiVersion: string;
}

/** @throws TypeMismatch when the value does not fit. */
export function typedValue(value: Json, { type, apiVersion, ...options }: Omit<TypedValue, 'value'> & ValidateOptions): TypedValue {
  refuseProblems(validateValue(type, value, options));
  return { value, type, apiVersion };
}
