import { OperatorError } from '@keelson/kubernetes/apimachinery';

/** The log has requests that a test rules out, or cannot answer. */
export class RequestLogError extends OperatorError {
  readonly actor = 'author';
  readonly code = 'KEELSON_TESTING_REQUESTS';
}
