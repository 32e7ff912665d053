const BRAND = Symbol.for('keelson.OperatorError');

/**
 * Base of every error that keelson throws on purpose.
 *
 * `instanceof` is false between the ESM and the CommonJS copy of the package: use {@link OperatorError.isOperatorError} and `code`.
 */
export abstract class OperatorError extends Error {
  /** The person who can mend it: `author` the definition, `user` the object, `admin` the cluster (RBAC, CRDs); `nobody`: it is retried. */
  abstract readonly actor: 'author' | 'user' | 'admin' | 'nobody';
  /** Stable: a published code is never reused. */
  abstract readonly code: `KEELSON_${string}`;

  static {
    Object.defineProperty(OperatorError.prototype, BRAND, { value: true });
  }

  static isOperatorError(value: unknown): value is OperatorError {
    return typeof value === 'object' && value !== null && BRAND in value;
  }

  override get name(): string {
    return this.constructor.name;
  }
}
