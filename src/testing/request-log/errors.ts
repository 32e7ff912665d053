import { OperatorError } from '../../kubernetes/index.js';

/** Requests were made that a test says there are none of, or the log cannot tell. */
export class RequestLogError extends OperatorError {
  readonly actor = 'author';
  readonly code = 'KEELSON_TESTING_REQUESTS';
}
