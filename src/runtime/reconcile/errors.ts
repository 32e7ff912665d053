import { OperatorError } from '@keelson/kubernetes/apimachinery';

/** A reconciler returned what is not an outcome, or one that cannot be carried out. */
export class OutcomeError extends OperatorError {
  override readonly actor = 'author';
  override readonly code = 'KEELSON_OUTCOME_INVALID';
}

/** A reconcile took longer than its time limit. Its signal is aborted and its writes are refused; it will be tried again. */
export class TimeLimitError extends OperatorError {
  override readonly actor = 'author';
  override readonly code = 'KEELSON_TIME_LIMIT';
}

/** An event under `abortOn` has happened: the run is given up, and the next one begins with the newest state. */
export class RunAbortedError extends OperatorError {
  override readonly actor = 'nobody';
  override readonly code = 'KEELSON_RUN_ABORTED';
}

/** A handle was used in a way that its declaration does not allow. */
export class HandleError extends OperatorError {
  override readonly actor = 'author';
  override readonly code = 'KEELSON_HANDLE';
}

/** The object, as it is stored, does not have the shape that the definition gives it: an older CRD let it in, or the one that is installed is another. */
export class ObjectUnfitError extends OperatorError {
  override readonly actor = 'user';
  override readonly code = 'KEELSON_OBJECT_UNFIT';
}
