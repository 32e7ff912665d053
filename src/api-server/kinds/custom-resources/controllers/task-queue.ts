import { isError } from '../../../../kubernetes/index.js';
import { StatusError } from '../../../status/index.js';

export interface QueueClock {
  now(): Date;
  /** Calls `callback` once, after `delayMs`. Returns what takes it back. */
  schedule(delayMs: number, callback: () => void): () => void;
}

export interface TaskQueueOptions {
  readonly clock: QueueClock;
  readonly handle: (key: string) => Promise<void>;
  readonly onFailure: (key: string, error: Error) => void;
}

/** Pause before a failed key is tried again, in milliseconds; doubled with each failure. As client-go's rate limiter for controllers. */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 60_000;

/** Keys that wait to be handled, each once, one at a time. Nothing is handled while `add` runs: it is called from within writes. */
export class TaskQueue {
  readonly #options: TaskQueueOptions;
  readonly #keys = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Set<() => void>();
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: TaskQueueOptions) {
    this.#options = options;
  }

  add(key: string): void {
    if (this.#isStopped) return;
    this.#keys.add(key);
    this.#running ??= Promise.resolve().then(() => this.#drain());
  }

  get isIdle(): boolean {
    return this.#running === undefined;
  }

  /** Resolves when nothing is left to do but what waits for the clock. */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  /** What waits is dropped. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#keys.clear();
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
    await this.settled();
  }

  async #drain(): Promise<void> {
    for (let [key] = this.#keys; key !== undefined; [key] = this.#keys) {
      this.#keys.delete(key);
      await this.#handle(key);
    }
    this.#running = undefined;
  }

  async #handle(key: string): Promise<void> {
    try {
      await this.#options.handle(key);
      this.#failures.delete(key);
    } catch (error) {
      // Somebody else was quicker: what is there now has been queued, or is gone.
      if (StatusError.isStatusError(error) && (error.status.code === 404 || error.status.reason === 'Conflict')) return;
      this.#retry(key, isError(error) ? error : new Error(String(error)));
    }
  }

  #retry(key: string, error: Error): void {
    if (this.#isStopped) return;
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    this.#options.onFailure(key, error);
    const cancel = this.#options.clock.schedule(Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS), () => {
      this.#timers.delete(cancel);
      this.add(key);
    });
    this.#timers.add(cancel);
  }
}
