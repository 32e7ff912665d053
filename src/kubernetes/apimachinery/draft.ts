import type { Json } from './structural-schema.js';

type Scalar = string | number | boolean | bigint | symbol | null | undefined;

/**
 * A value that cannot be changed, all the way down: what is read from a cache is, since equal parts of objects are one part in memory.
 *
 * Any JSON stays what it is: it is readonly, and the compiler would never come to its end.
 */
export type DeepReadonly<T> = [Json] extends [T]
  ? T
  : T extends Scalar
    ? T
    : T extends object
      ? { readonly [P in keyof T]: DeepReadonly<T[P]> }
      : T;

/** A value that may be changed, all the way down: what handlers of defaulting and mutating webhooks get, and what {@link draftOf} makes. */
export type Draft<T> = [Json] extends [T] ? T : T extends Scalar ? T : T extends object ? { -readonly [P in keyof T]: Draft<T[P]> } : T;

/**
 * A copy that may be changed of an object, or of a part of one: those that reconcilers are given are frozen.
 *
 * @throws DataCloneError for what is not data, for example a function
 *
 * @example
 * ```ts
 * const pod = Pod({ metadata: { name: 'web' }, spec: { containers: [{ name: 'web', image: 'web:1' }] } });
 * const changed = draftOf(pod);
 * changed.spec.containers.push({ name: 'proxy', image: 'proxy:1' });
 * ```
 */
export function draftOf<T>(value: T): Draft<T> {
  return structuredClone(value) as Draft<T>;
}
