/** The streams and signals that a command uses besides files: handed in, so that a test can hold them. */
export interface Terminal {
  /** Path of the program that runs the commands: a command may start it again. */
  readonly program: string;
  /** Relative paths start here. */
  readonly directory: string;
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  readonly readInput: () => Promise<string>;
  /** Asks a question and resolves with the line that was typed, or with `undefined` when it was interrupted. `undefined` without a terminal: nothing is asked. */
  readonly ask?: ((question: string) => Promise<string | undefined>) | undefined;
  /** The screen and the keyboard. `undefined` without a terminal. */
  readonly screen?: Screen | undefined;
  /** Whether text may be coloured: `false` without a terminal, and where NO_COLOR is set. Default: false. */
  readonly colours?: boolean;
  /** Shows what is going on in a line that the next call replaces and the empty text removes. `undefined` where standard error is not a terminal. */
  readonly progress?: ((text: string) => void) | undefined;
  /** Resolves with the name of the signal when the process is asked to end; a second signal ends it at once. */
  readonly interrupted: () => Promise<string>;
}

export interface Screen {
  readonly columns: () => number;
  readonly rows: () => number;
  /** Hands over each key as it is pressed, until the returned function is called; Ctrl-C still interrupts. */
  readonly onKey: (listener: (key: string) => void) => () => void;
}
