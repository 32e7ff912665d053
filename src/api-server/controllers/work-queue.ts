import { isError } from '@keelson/kubernetes/apimachinery';
import type { Clock } from '../clock/index.js';
import { StatusError } from '../status/index.js';
import { isGone } from './controller-client.js';

/** Pause before a failed key is tried again, in milliseconds; doubled with each failure. As client-go's rate limiter for controllers. */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 60_000;

export interface WorkQueueOptions {
  readonly clock: Clock;
  readonly handle: (key: string) => Promise<void>;
  readonly onFailure: (key: string, error: Error) => void;
  /** Whether an error ends the matter, since the event that follows queues the key again. Default: never; a conflict is then tried again at once. */
  readonly isOver?: (error: unknown) => boolean;
}

/**
 * Keys that wait to be handled, each once, one at a time: what a controller does is then the same in every run.
 *
 * Nothing is handled while `add` runs: it is called from within writes.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #keys = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Map<string, { readonly dueMs: number; readonly cancel: () => void }>();
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  get isIdle(): boolean {
    return this.#running === undefined && this.#keys.size === 0;
  }

  add(key: string): void {
    if (this.#isStopped) return;
    this.#keys.add(key);
    this.#running ??= Promise.resolve().then(() => this.#drain());
  }

  /** Handles the key when the clock has moved on by `delayMs`; of several times that a key was given, the first counts: the handler asks anew. */
  addAfter(key: string, delayMs: number): void {
    if (this.#isStopped) return;
    const { clock } = this.#options;
    const dueMs = clock.now().getTime() + delayMs;
    const known = this.#timers.get(key);
    if (known !== undefined && known.dueMs <= dueMs) return;
    known?.cancel();
    const cancel = clock.schedule(delayMs, () => {
      this.#timers.delete(key);
      this.add(key);
    });
    this.#timers.set(key, { dueMs, cancel });
  }

  /** Resolves when nothing is left to do but what waits for the clock. */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#keys.clear();
    for (const { cancel } of this.#timers.values()) cancel();
    this.#timers.clear();
    await this.settled();
  }

  async #drain(): Promise<void> {
    for (const key of this.#keys) {
      this.#keys.delete(key);
      await this.#handle(key);
    }
    this.#running = undefined;
    // Added after the loop had seen the end.
    const [next] = this.#keys;
    if (next !== undefined) this.add(next);
  }

  async #handle(key: string): Promise<void> {
    try {
      await this.#options.handle(key);
      this.#failures.delete(key);
    } catch (error) {
      this.#retry(key, error);
    }
  }

  #retry(key: string, error: unknown): void {
    if (this.#isStopped || this.#options.isOver?.(error) === true) return;
    // Another writer was quicker: what is there now is another matter.
    if (StatusError.isStatusError(error) && error.status.reason === 'Conflict') {
      this.add(key);
      return;
    }
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    // An object may be deleted during a run. The next run finds nothing, and succeeds.
    if (failures > 0 || !isGone(error)) this.#options.onFailure(key, isError(error) ? error : new Error(String(error)));
    this.addAfter(key, Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS));
  }
}
