import { OperatorError } from '@keelson/kubernetes/apimachinery';

/** An option of `run` or `start` cannot be used. */
export class StartOptionsError extends OperatorError {
  /** The author corrects the option that the message names. */
  override readonly actor = 'author';
  /** Stable identifier of this error: compare it, not the class. */
  override readonly code = 'KEELSON_START_OPTIONS';
}
