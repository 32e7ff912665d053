import { messageOf } from '@keelson/kubernetes/apimachinery';
import type { Logger } from 'keelson/internal/definition';
import { HandleError } from './errors.js';

/** A promise that knows whether its result was asked for. */
class Call<T> extends Promise<T> {
  isAwaited = false;

  /** A promise that `then` makes of it is like any other. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  // biome-ignore lint/suspicious/noThenProperty: `await` asks by it
  override then<R1 = T, R2 = never>(
    onFulfilled?: ((value: T) => R1 | PromiseLike<R1>) | null,
    onRejected?: ((reason: unknown) => R2 | PromiseLike<R2>) | null,
  ): Promise<R1 | R2> {
    this.isAwaited = true;
    return super.then(onFulfilled, onRejected);
  }
}

interface Pending {
  /** For example `configs.create(...)`. */
  readonly what: string;
  readonly call: Call<unknown>;
  error?: unknown;
}

/**
 * The calls that one run makes through its handles.
 *
 * A forgotten `await` would leave a write to itself: it would fail unhandled when the run has ended, which ends a process. The run therefore waits for
 * its own calls, and fails with the name of one that was not awaited and failed.
 */
export class RunCalls {
  readonly #log: Logger;
  readonly #pending = new Set<Pending>();
  readonly #failed: Pending[] = [];
  #hasEnded = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** @param what for example `configs.create(...)` */
  track<T>(what: string, run: () => Promise<T>): Promise<T> {
    if (this.#hasEnded) {
      const error = new HandleError(`${what}: the run has ended; write await ${what}, and await what calls it`);
      this.#log.error('a call came too late, and was not made', { error });
      return refused(error);
    }
    const call = new Call<T>((resolve, reject) => void run().then(resolve, reject));
    const pending: Pending = { what, call };
    this.#pending.add(pending);
    // Past the `then` of its own: this is not the asking that counts.
    void Promise.prototype.then.call(
      call,
      () => this.#pending.delete(pending),
      (error: unknown) => {
        this.#pending.delete(pending);
        if (!call.isAwaited) this.#failed.push(Object.assign(pending, { error }));
      },
    );
    return call;
  }

  /**
   * Waits until nothing is pending, calls that come of it included. To be called when the function has returned.
   *
   * @throws HandleError when a call that was not awaited has failed
   */
  async settle(): Promise<void> {
    const forgotten = [...this.#pending].map(({ what }) => what);
    while (this.#pending.size > 0) {
      await Promise.allSettled([...this.#pending].map(({ call }) => Promise.prototype.then.call(call, undefined, () => undefined)));
      // Code that waits for them goes on, and may call again.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#hasEnded = true;
    const failed = this.#failed.find(({ call }) => !call.isAwaited);
    if (failed !== undefined)
      throw new HandleError(`${failed.what} was not awaited, and failed: ${messageOf(failed.error)}; write await ${failed.what}`, {
        cause: failed.error,
      });
    if (forgotten.length > 0)
      this.#log.warn(`the run waited for calls that it had not awaited; write await ${forgotten[0]}`, { calls: forgotten });
  }
}

/** A call that a function has not awaited is its own all the same; the function's error says more than that of a call that it forgot. */
export async function withItsCalls(calls: RunCalls, call: () => unknown): Promise<unknown> {
  let returned: unknown;
  try {
    returned = await call();
  } catch (error) {
    await calls.settle().catch(() => undefined);
    throw error;
  }
  await calls.settle();
  return returned;
}

function refused<T>(error: Error): Promise<T> {
  const call = new Call<T>((_, reject) => reject(error));
  void Promise.prototype.then.call(call, undefined, () => undefined);
  return call;
}
