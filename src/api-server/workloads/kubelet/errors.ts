import { OperatorError } from '@keelson/kubernetes/apimachinery';

/** A test asked something of a Pod that cannot be. */
export class PodControlError extends OperatorError {
  readonly actor = 'author';
  readonly code = 'KEELSON_TESTING_POD';
}
