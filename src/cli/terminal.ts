/** What a command may touch besides files: handed in, so that a test can hold it. */
export interface Terminal {
  /** Relative paths start here. */
  readonly directory: string;
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  readonly readInput: () => Promise<string>;
}
