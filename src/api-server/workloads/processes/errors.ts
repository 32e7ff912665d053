import { OperatorError } from '@keelson/kubernetes/apimachinery';

/** Pods cannot run as processes: this machine, or what {@link processes} was given, does not allow it. */
export class ProcessesError extends OperatorError {
  readonly actor = 'author';
  readonly code = 'KEELSON_TESTING_PROCESSES';
}
