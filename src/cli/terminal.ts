/** The streams and signals that a command uses besides files: handed in, so that a test can hold them. */
export interface Terminal {
  /** Relative paths start here. */
  readonly directory: string;
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  readonly readInput: () => Promise<string>;
  /** Asks a question and resolves with the line that was typed, or with `undefined` when it was interrupted. `undefined` without a terminal: nothing is asked. */
  readonly ask?: ((question: string) => Promise<string | undefined>) | undefined;
  /** Resolves with the name of the signal when the process is asked to end; a second signal ends it at once. */
  readonly interrupted: () => Promise<string>;
}
