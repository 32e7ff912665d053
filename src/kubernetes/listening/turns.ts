/** Time for jobs in one turn of the event loop: requests are read and answered between turns. */
const TURN_MS = 4;

/**
 * Runs jobs in the order in which they came, in turns of the event loop that are short.
 *
 * Hazard: a write that a thousand watches see makes a thousand jobs. Run in one turn, they make every other client wait.
 */
export class Turns {
  #jobs: (() => void)[] = [];
  #next = 0;
  #isScheduled = false;

  /** Runs `job` in a later turn. A job must not throw. */
  add(job: () => void): void {
    this.#jobs.push(job);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#run());
  }

  #run(): void {
    this.#isScheduled = false;
    const end = performance.now() + TURN_MS;
    while (this.#next < this.#jobs.length) {
      const job = this.#jobs[this.#next];
      this.#next += 1;
      job?.();
      if (performance.now() >= end) break;
    }
    if (this.#next < this.#jobs.length) this.#schedule();
    else {
      this.#jobs = [];
      this.#next = 0;
    }
  }
}
