import {
  type FieldError,
  goJson,
  invalid,
  type Json,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from '../../apimachinery/index.js';

/** A finding of kube-openapi's validator, before it becomes a field error. */
export interface Failure {
  readonly kind: 'type' | 'required' | 'tooLong' | 'tooMany' | 'enum' | 'other' | 'composite';
  /** Where; a leading dot may remain from an unnamed root. */
  readonly name: string;
  readonly message: string;
  readonly value?: Json | undefined;
  /** The limit of a length, or the values of an enum. */
  readonly limit?: number;
  readonly values?: readonly Json[];
}

/**
 * Failures and the number of checks that passed, by which `anyOf` and `oneOf` choose the failures that they report.
 *
 * A failure with the same message as an earlier one is dropped, wherever it comes from.
 */
export class Result {
  readonly failures: Failure[] = [];
  matches = 0;

  add(...failures: readonly Failure[]): this {
    for (const failure of failures) {
      if (!this.failures.some(({ message }) => message === failure.message)) this.failures.push(failure);
    }
    return this;
  }

  merge(other: Result): this {
    this.matches += other.matches;
    return this.add(...other.failures);
  }

  count(): this {
    this.matches += 1;
    return this;
  }

  get valid(): boolean {
    return this.failures.length === 0;
  }
}

/** Source: apiextensions-apiserver, `kubeOpenAPIResultToFieldErrors`. */
export function fieldErrorOf(failure: Failure, prefix: string): FieldError {
  const { kind, message, value = '', limit = -1 } = failure;
  // Composite failures carry no field at all.
  if (kind === 'composite') return invalid(prefix, '', message);
  const name = failure.name.replace(/^\./, '');
  const field = name === '' ? prefix : prefix === '' ? name : `${prefix}.${name}`;
  switch (kind) {
    case 'required':
      return required(field);
    case 'enum':
      return notSupported(field, failure.value ?? null, (failure.values ?? []).map(enumText));
    case 'tooLong':
      return tooLong(field, limit);
    case 'tooMany':
      return tooMany(field, Number(value), limit);
    case 'type':
      return typeInvalid(field, value, message);
    case 'other':
      return invalid(field, value, message);
    default:
      throw new TypeError(`unknown failure ${JSON.stringify(kind satisfies never)}`);
  }
}

function enumText(value: Json): string {
  return typeof value === 'string' ? value : goJson(value);
}
