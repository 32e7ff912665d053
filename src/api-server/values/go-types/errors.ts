import { OperatorError } from '@keelson/kubernetes/apimachinery';

const BRAND = Symbol.for('keelson.GoDecodeError');

/**
 * A document that Go's decoder refuses. The message is Go's own text without the sentence around it (`Deployment in version "v1" cannot be handled as a
 * Deployment: …`), which is the server's to write.
 */
export class GoDecodeError extends OperatorError {
  readonly actor = 'user';
  readonly code = 'KEELSON_GO_DECODE';

  static {
    Object.defineProperty(GoDecodeError.prototype, BRAND, { value: true });
  }

  static isGoDecodeError(value: unknown): value is GoDecodeError {
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}
