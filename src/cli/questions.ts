import type { Interface } from 'node:readline';

/** Asks questions on a terminal. Lines that were typed ahead are kept for the questions that follow. */
export class Questions {
  #open: { readonly terminal: Interface; readonly lines: AsyncIterator<string, undefined> } | undefined;

  /** Resolves with the line that was typed, or with `undefined` after Ctrl-C and at the end of the input. */
  readonly ask = async (question: string): Promise<string | undefined> => {
    this.#open ??= await openTerminal();
    const { terminal, lines } = this.#open;
    terminal.setPrompt(question);
    terminal.prompt();
    return (await lines.next()).value;
  };

  /** Leaves the terminal, which would keep the process alive. */
  close(): void {
    this.#open?.terminal.close();
  }
}

/** Loads readline when the first question is asked: most commands ask none. */
async function openTerminal(): Promise<{ readonly terminal: Interface; readonly lines: AsyncIterator<string, undefined> }> {
  const { createInterface } = await import('node:readline');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  terminal.on('SIGINT', () => terminal.close());
  return { terminal, lines: terminal[Symbol.asyncIterator]() };
}
