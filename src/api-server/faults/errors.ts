import { OperatorError } from '@keelson/kubernetes/apimachinery';

/** A fault was ordered that could never happen. */
export class FaultError extends OperatorError {
  readonly actor = 'author';
  readonly code = 'KEELSON_TESTING_FAULT';
}
