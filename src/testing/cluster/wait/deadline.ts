/** The end of a wait, in real time: what is waited for happens in other tasks and processes, whatever clock they have. */
export class Deadline {
  readonly #aborter = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(milliseconds: number) {
    this.#timer = setTimeout(() => this.#aborter.abort(), milliseconds);
  }

  get signal(): AbortSignal {
    return this.#aborter.signal;
  }

  get isOver(): boolean {
    return this.#aborter.signal.aborted;
  }

  /** Resolves after some milliseconds, or at the end of the wait. */
  pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      this.signal.addEventListener('abort', done);
      if (this.isOver) done();
    });
  }

  /** Resolves at the end of the wait. */
  get over(): Promise<void> {
    return this.pause(2 ** 31 - 1);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }
}
