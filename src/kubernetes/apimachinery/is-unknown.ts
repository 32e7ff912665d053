/**
 * Whether a type is `unknown`. Without `strictNullChecks` the compiler takes `unknown` for every type whose fields are all optional, so that `unknown extends T` alone is not enough.
 */
export type IsUnknown<T> = unknown extends T ? ([keyof T] extends [never] ? true : false) : false;
