import type { FieldError } from '@keelson/kubernetes/apimachinery';
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

/** The server reports what is written by hand before what is declared, and each error once. */
export function settledErrors(errors: Errors): Errors {
  const byText = new Map<string, FieldError>();
  for (const isLast of [false, true]) {
    for (const error of errors) {
      const text = `${error.field}: ${error.message}`;
      if (DECLARED in error === isLast && !byText.has(text)) byText.set(text, error);
    }
  }
  return [...byText.values()];
}
