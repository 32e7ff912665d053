import { OperatorError } from '../../kubernetes/apimachinery/index.js';

/** An option of `run` or `start` cannot be used. */
export class StartOptionsError extends OperatorError {
  override readonly actor = 'author';
  override readonly code = 'KEELSON_START_OPTIONS';
}
