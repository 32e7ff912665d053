import { OperatorError } from '@keelson/kubernetes/apimachinery';
import type { Status } from './status.js';

/** A request is refused: thrown anywhere below the HTTP layer, which answers with `status`. */
export class StatusError extends OperatorError {
  readonly actor = 'user';
  readonly code = 'KEELSON_STATUS';
  readonly status: Status;

  constructor(status: Status) {
    super(status.message ?? status.reason ?? String(status.code));
    this.status = status;
  }

  /** By code, not by class: the package may be loaded twice. */
  static isStatusError(value: unknown): value is StatusError {
    return OperatorError.isOperatorError(value) && value.code === 'KEELSON_STATUS';
  }
}
