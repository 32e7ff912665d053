/** The streams and signals that a command uses besides files: handed in, so that a test can hold them. */
export interface Terminal {
  /** Relative paths start here. */
  readonly directory: string;
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  readonly readInput: () => Promise<string>;
  /** Resolves with the name of the signal when the process is asked to end; a second signal ends it at once. */
  readonly interrupted: () => Promise<string>;
}
