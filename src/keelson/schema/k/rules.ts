import type { ValidationRule } from '@keelson/kubernetes/apimachinery';
import type { z } from 'zod';
import { type FieldCount, fieldCountMessage, type KeelsonCheck, markCheck, withCheck } from '../marks.js';

export type RuleOptions = Omit<ValidationRule, 'rule'>;

/**
 * A CEL rule that the API server evaluates: `.check(k.rule("self.min <= self.max", { message: 'min must not exceed max' }))`.
 *
 * `self` is the value it stands on, `oldSelf` the value before an update. Syntax and types are checked when the definition is made; zod itself does not evaluate it.
 *
 * @example
 * ```ts
 * const range = z.object({ min: k.int32(), max: k.int32() }).check(k.rule('self.min <= self.max', { message: 'min exceeds max' }));
 * ```
 */
export function rule(expression: string, options: RuleOptions = {}): KeelsonCheck<unknown> {
  return markCheck({ mark: 'rule', rule: { rule: expression, ...options } });
}

/**
 * A field that keeps its first value. An optional one may be set later, but neither changed nor removed then.
 *
 * @example
 * ```ts
 * z.object({ storageClass: k.immutable(z.string().optional()) });
 * ```
 */
export function immutable<TSchema extends z.core.SomeType>(schema: TSchema): TSchema {
  return withCheck(schema, markCheck({ mark: 'immutable' }));
}

type Fields<TField extends string> = { readonly [name in TField]?: unknown };

function fieldCount<TField extends string>(require: FieldCount, fields: readonly TField[]): KeelsonCheck<Fields<TField>> {
  return markCheck<Fields<TField>>({ mark: 'fields', require, fields }, (value) => {
    // CEL's `has()` takes null for absent.
    const count = fields.filter((field) => (value[field] ?? undefined) !== undefined).length;
    const holds = require === 'exactlyOne' ? count === 1 : require === 'atMostOne' ? count <= 1 : count >= 1;
    return holds ? undefined : fieldCountMessage(require, fields);
  });
}

/**
 * Exactly one of these optional fields is set: `z.object({ a, b }).check(k.oneOf('a', 'b'))`.
 *
 * @example
 * ```ts
 * z.object({ host: z.string().optional(), ip: z.string().optional() }).check(k.oneOf('host', 'ip'));
 * ```
 */
export function oneOf<TField extends string>(...fields: readonly [TField, TField, ...TField[]]): KeelsonCheck<Fields<TField>> {
  return fieldCount('exactlyOne', fields);
}

/**
 * At most one of these optional fields is set.
 *
 * @example
 * ```ts
 * z.object({ host: z.string().optional(), ip: z.string().optional() }).check(k.atMostOneOf('host', 'ip'));
 * ```
 */
export function atMostOneOf<TField extends string>(...fields: readonly [TField, TField, ...TField[]]): KeelsonCheck<Fields<TField>> {
  return fieldCount('atMostOne', fields);
}

/**
 * At least one of these optional fields is set.
 *
 * @example
 * ```ts
 * z.object({ host: z.string().optional(), ip: z.string().optional() }).check(k.atLeastOneOf('host', 'ip'));
 * ```
 */
export function atLeastOneOf<TField extends string>(...fields: readonly [TField, TField, ...TField[]]): KeelsonCheck<Fields<TField>> {
  return fieldCount('atLeastOne', fields);
}
