const BRAND = Symbol.for('keelson.PendingConversion');

/**
 * Thrown by `Endpoint.convert` where a webhook has to be asked and managed fields, which are computed at once, cannot wait: see {@link withConversions}.
 *
 * Not an OperatorError: nothing is wrong, and those are answered where they are met.
 */
export class PendingConversion extends Error {
  /** Gets the conversion done, so that the same question is answered at once. @throws StatusError 500 */
  readonly settle: () => Promise<void>;

  static {
    Object.defineProperty(PendingConversion.prototype, BRAND, { value: true });
  }

  constructor(settle: () => Promise<void>) {
    super('a webhook has to convert an object first: call through withConversions()');
    this.settle = settle;
  }

  /** By brand, not by class: the package may be loaded twice. */
  static isPendingConversion(value: unknown): value is PendingConversion {
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}

/**
 * The result of a pure function that asks endpoints to convert: it is called again after each conversion that it had to wait for.
 *
 * @returns the result itself where there was nothing to wait for.
 */
export function withConversions<T>(attempt: () => T): T | Promise<T> {
  try {
    return attempt();
  } catch (error) {
    if (!PendingConversion.isPendingConversion(error)) throw error;
    return error.settle().then(() => withConversions(attempt));
  }
}
