import { OperatorError } from '@keelson/kubernetes/apimachinery';

/** An operator that ends otherwise than it should when it is disturbed. The message says what was disturbed when, what differs, and how to play it again. */
export class ExplorationError extends OperatorError {
  readonly actor = 'author';
  readonly code = 'KEELSON_EXPLORATION';
}

/** An exploration that cannot be played as it is written. */
export class ExplorationSetupError extends OperatorError {
  readonly actor = 'author';
  readonly code = 'KEELSON_EXPLORATION_SETUP';
}
