import { OperatorError } from '@keelson/kubernetes/apimachinery';

/** A function that works outside of the cluster did not answer in time. Its signal is aborted; it is called again later. */
export class OutsideTimeoutError extends OperatorError {
  override readonly actor = 'admin';
  override readonly code = 'KEELSON_OUTSIDE_TIMEOUT';
}

/** An external is missing, is not an object, or was called by a run that is over. */
export class ExternalError extends OperatorError {
  override readonly actor = 'author';
  override readonly code = 'KEELSON_EXTERNAL';
}
