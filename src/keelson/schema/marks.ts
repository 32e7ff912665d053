import type { Json, StructuralSchema, ValidationRule } from '@keelson/kubernetes/apimachinery';
import type { ZodCheckLike, ZodNode } from './zod-internals.js';

/**
 * The marks that keelson writes on a zod schema.
 *
 * Marks travel as zod checks: a check survives `.min()`, `.describe()`, `.extend()` or zod throws (`.pick()` of an object with rules); metadata and extra keys get lost in silence.
 * Found by the string key `keelson`, never by a symbol or a class: two copies of keelson in one program understand each other.
 */
export type Mark =
  | { readonly mark: 'rule'; readonly rule: ValidationRule }
  | { readonly mark: 'immutable' }
  | { readonly mark: 'set' }
  | { readonly mark: 'listMap'; readonly keys: readonly string[] }
  | { readonly mark: 'atomic' }
  | { readonly mark: 'preserveUnknown' }
  | { readonly mark: 'format'; readonly format: string }
  | { readonly mark: 'properties'; readonly min?: number; readonly max?: number }
  | { readonly mark: 'fields'; readonly require: FieldCount; readonly fields: readonly string[] }
  | { readonly mark: 'builtin'; readonly name: string; readonly open?: true }
  | { readonly mark: 'schema'; readonly schema: StructuralSchema };

export type FieldCount = 'exactlyOne' | 'atMostOne' | 'atLeastOne';

/** The part of zod's parse payload that a check may touch. */
export interface CheckPayload<in out T> {
  value: T;
  readonly issues: unknown[];
}

/** A zod check (assignable to every zod 4 version's `$ZodCheck<T>`), made without zod. Pass it to `.check(...)`. */
export interface KeelsonCheck<in T = never> {
  readonly _zod: {
    readonly def: { readonly check: 'custom'; readonly keelson: Mark };
    check(payload: { value: T; issues: unknown[] }): void;
    readonly onattach: [];
  };
}

/** Makes the check that carries `mark`. `verify` returns what is wrong with a value, so that samples and tests see what the API server would refuse. */
export function markCheck<T>(mark: Mark, verify?: (value: T) => string | undefined): KeelsonCheck<T> {
  return {
    _zod: {
      // zod aborts later checks only for `abort: true`; the keys `error` and `abort` are read by some versions, so they are there.
      def: { check: 'custom', keelson: mark },
      check(payload) {
        const message = verify?.(payload.value);
        if (message !== undefined)
          payload.issues.push({ code: 'custom', input: payload.value, message, path: [], inst: undefined, continue: true });
      },
      onattach: [],
    },
  };
}

/** The mark that a check carries, if it is one of ours. */
function markOf(check: ZodCheckLike): Mark | undefined {
  return check._zod.def.keelson as Mark | undefined;
}

/** A copy of `schema` with one more check. All zod schemas, also those of zod/mini, have `.check()`. */
export function withCheck<S>(schema: S, check: KeelsonCheck<never> | KeelsonCheck<unknown>): S {
  return (schema as unknown as { check(check: unknown): S }).check(check);
}

export function marksOf(node: ZodNode): readonly Mark[] {
  return (node._zod.def.checks ?? []).flatMap((check) => markOf(check) ?? []);
}

/** Whether a value can stand in a manifest as it is; what contains itself cannot. */
export function isJson(value: unknown): value is Json {
  return isJsonWithin(value, []);
}

function isJsonWithin(value: unknown, ancestors: readonly unknown[]): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || ancestors.includes(value)) return false;
  const within = [...ancestors, value];
  if (Array.isArray(value)) return value.every((item) => isJsonWithin(item, within));
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === Object.prototype || prototype === null;
  return isPlain && Object.values(value).every((item) => item === undefined || isJsonWithin(item, within));
}

/** The sentence that users read, in zod's issues and in the CRD. */
export function fieldCountMessage(require: FieldCount, fields: readonly string[]): string {
  const list = `[${fields.join(' ')}]`;
  if (require === 'atMostOne') return `at most one of the fields in ${list} may be set`;
  return require === 'exactlyOne'
    ? `exactly one of the fields in ${list} must be set`
    : `at least one of the fields in ${list} must be set`;
}
