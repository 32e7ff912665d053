import { OperatorError } from '../../apimachinery/index.js';

/** An expression failed while it was evaluated: `no such key: foo`, `division by zero`, or its budget was used up. */
export class CelEvaluationError extends OperatorError {
  readonly actor = 'author';
  readonly code = 'KEELSON_CEL_EVALUATION';
  /** Whether `costLimit` was exceeded: other evaluations of the same request should then be given up too. */
  readonly budgetExceeded: boolean;

  constructor(message: string, options: { readonly budgetExceeded?: boolean } = {}) {
    super(message);
    this.budgetExceeded = options.budgetExceeded ?? false;
  }
}
