import { OperatorError } from '@keelson/kubernetes/apimachinery';

/** A test cluster cannot be started, or not be used so. */
export class TestClusterError extends OperatorError {
  readonly actor = 'author';
  readonly code = 'KEELSON_TESTING_CLUSTER';
}

/** The awaited state did not come in time. */
export class WaitError extends OperatorError {
  readonly actor = 'author';
  readonly code = 'KEELSON_TESTING_WAIT';
}
