import type { FieldError } from '../../../../kubernetes/index.js';
import type { Errors, Rule } from './rules.js';

const DECLARED: unique symbol = Symbol('declared');

/**
 * An error of a rule that kube-apiserver generates from a `+k8s:` tag of the API type. Only tags without `+k8s:alpha` count: the others do not answer clients yet.
 *
 * Source: apiserver `pkg/registry/rest/validate.go`.
 */
interface DeclaredError extends FieldError {
  readonly [DECLARED]: true;
}

/** Marks errors as declared. */
export function declaredErrors(errors: Errors): Errors {
  return errors.map((error): DeclaredError => ({ ...error, [DECLARED]: true }));
}

/** Marks the errors of a rule as declared. */
export function declared<T>(rule: Rule<T>): Rule<T> {
  return (value, path) => declaredErrors(rule(value, path));
}

/** The server reports all that is written by hand before that which is declared, and a declared error once. */
export function declaredLast(errors: Errors): Errors {
  const last = errors.filter((error) => DECLARED in error);
  if (last.length === 0) return errors;
  const ids = last.map(({ field, message }) => `${field} ${message}`);
  return [...errors.filter((error) => !(DECLARED in error)), ...last.filter((_, index) => ids.indexOf(ids[index] as string) === index)];
}
