import type { Clock } from '../clock/index.js';
import type { AbortListeners } from './abort-listeners.js';
import { DeadlineExceededError, RequestCancelledError } from './errors.js';

export interface ScopeOptions {
  /** The request in words, for messages. */
  readonly request: string;
  readonly clock: Clock;
  readonly signals: AbortListeners;
  readonly signal?: AbortSignal | undefined;
  readonly deadlineMs?: number | undefined;
}

/** All that can end a request from outside: the caller's signal, the deadline over all attempts, the closing of the client. */
export class RequestScope {
  readonly #callbacks = new Set<(reason: Error) => void>();
  readonly #release: () => void;
  #ended: Error | undefined;

  constructor({ request, clock, signals, signal, deadlineMs }: ScopeOptions) {
    const cancel = (): void => this.end(new RequestCancelledError(request, signal?.reason));
    const stopTimer =
      deadlineMs === undefined
        ? undefined
        : clock.schedule(deadlineMs, () => this.end(new DeadlineExceededError(request, 'total', deadlineMs)));
    const stopListening = signal === undefined ? undefined : signals.add(signal, cancel);
    this.#release = () => {
      stopTimer?.();
      stopListening?.();
    };
    if (signal?.aborted === true) cancel();
  }

  /** Why the request must end, or `undefined`: it may go on. */
  get ended(): Error | undefined {
    return this.#ended;
  }

  throwIfEnded(): void {
    if (this.#ended !== undefined) throw this.#ended;
  }

  /** Calls back once, at once when it has ended already. Returns what takes the callback back. */
  readonly onEnd = (callback: (reason: Error) => void): (() => void) => {
    if (this.#ended !== undefined) {
      callback(this.#ended);
      return () => {};
    }
    this.#callbacks.add(callback);
    return () => this.#callbacks.delete(callback);
  };

  end(reason: Error): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.#release();
    for (const callback of [...this.#callbacks]) callback(reason);
    this.#callbacks.clear();
  }

  dispose(): void {
    this.#release();
    this.#callbacks.clear();
  }
}

/** Rejects with the scope's reason when that comes first. */
export function pause(clock: Clock, delayMs: number, scope: RequestScope): Promise<void> {
  return new Promise((resolve, reject) => {
    const stopTimer = clock.schedule(delayMs, () => {
      stopListening();
      resolve();
    });
    const stopListening = scope.onEnd((reason) => {
      stopTimer();
      reject(reason);
    });
  });
}
