import { OperatorError } from '@keelson/kubernetes/apimachinery';

/**
 * Bytes that are not value. The message is what Go's decoder says; the sentence around it is the server's.
 *
 * `syntax`: nothing could be read. `value`: the text is well-formed, but holds something that cannot be kept.
 */
export class BodyProblem extends OperatorError {
  readonly actor = 'user';
  readonly code = 'KEELSON_BODY_NOT_READABLE';
  readonly kind: 'syntax' | 'value';

  constructor(message: string, { kind = 'syntax' }: { readonly kind?: 'syntax' | 'value' } = {}) {
    super(message);
    this.kind = kind;
  }

  /** By code, not by class: the package may be loaded twice. */
  static isBodyProblem(value: unknown): value is BodyProblem {
    return OperatorError.isOperatorError(value) && value.code === 'KEELSON_BODY_NOT_READABLE';
  }
}
