/** The end of a wait, in real time: what is waited for happens in other tasks and processes, whatever clock they have. */
export class Deadline {
  readonly #aborter = new AbortController();
  readonly #timer: NodeJS.Timeout;
  /** Resolves at the end of the wait; never where it is disposed of before. */
  readonly over: Promise<void>;

  constructor(milliseconds: number) {
    this.over = new Promise((resolve) => this.signal.addEventListener('abort', () => resolve(), { once: true }));
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

  dispose(): void {
    clearTimeout(this.#timer);
  }
}
