/** A part of an object that steps set, change and remove. */
export interface Field {
  readonly path: readonly string[];
  /** Good ones and, now and then, one that the server must refuse. */
  readonly values: readonly unknown[];
}

/** @param path with dots */
export const field = (path: string, ...values: unknown[]): Field => ({ path: path.split('.'), values });
