import type { EtcdApi, EtcdTarget } from '../../../examples/etcd/client/api.js';
import { ownTimeMs } from '../../work/own-time.js';

const PUT_TIMEOUT_MS = 1_000;

/** Longer than any election takes, on a busy machine too: a cluster that acknowledges nothing for so long has lost its quorum. */
export const STANDSTILL_MS = 20_000;

export interface LoadOptions {
  /** Milliseconds between two writes. @defaultValue 0 */
  readonly pauseMs?: number;
}

/** Writes one key after another, and remembers what was acknowledged. */
export class Load {
  readonly #etcd: EtcdApi;
  readonly #target: () => Promise<EtcdTarget>;
  readonly #pauseMs: number;
  readonly #acknowledged = new Map<string, string>();
  readonly #ended: Promise<void>;
  #isStopped = false;
  #lastMs = ownTimeMs();
  #longestMs = 0;

  constructor(etcd: EtcdApi, target: () => Promise<EtcdTarget>, { pauseMs = 0 }: LoadOptions = {}) {
    this.#pauseMs = pauseMs;
    this.#etcd = etcd;
    this.#target = target;
    this.#ended = this.#run();
  }

  get acknowledged(): number {
    return this.#acknowledged.size;
  }

  /** Keys that were acknowledged up to now, with their values. */
  all(): ReadonlyMap<string, string> {
    return new Map(this.#acknowledged);
  }

  /** Milliseconds of the longest time without an acknowledgement since it was asked last, but for those in which other processes had the CPU. */
  takeLongestMs(): number {
    const longest = Math.max(this.#longestMs, ownTimeMs() - this.#lastMs);
    this.#longestMs = 0;
    return longest;
  }

  /** Reads all keys as the quorum has them. @returns the keys that were acknowledged and are not there as they were written */
  async lost(): Promise<string[]> {
    const expected = [...this.#acknowledged];
    const { keyValues } = await this.#etcd.range(await this.#target(), 'load-', { isPrefix: true, timeoutMs: 10_000 });
    const there = new Map(keyValues.map(({ key, value }) => [key, value]));
    return expected.filter(([key, value]) => there.get(key) !== value).map(([key]) => key);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#ended;
  }

  async #run(): Promise<void> {
    for (let count = 0; !this.#isStopped; count += 1) {
      const [key, value] = [`load-${count}`, `${count * 7}`];
      const isDone = await this.#put(key, value);
      // A put without an answer may have been done or not: its key is not used again.
      if (!isDone) continue;
      this.#acknowledged.set(key, value);
      const now = ownTimeMs();
      this.#longestMs = Math.max(this.#longestMs, now - this.#lastMs);
      this.#lastMs = now;
      if (this.#pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, this.#pauseMs));
    }
  }

  async #put(key: string, value: string): Promise<boolean> {
    try {
      const { endpoints, tls } = await this.#target();
      // Each by itself: one that hangs must not take the time of the others.
      for (const endpoint of endpoints) {
        const isDone = await this.#etcd.put({ endpoints: [endpoint], tls }, key, value, { timeoutMs: PUT_TIMEOUT_MS }).then(
          () => true,
          () => false,
        );
        if (isDone) return true;
      }
    } catch {
      // No Pod is there, as at the beginning and the end of a story.
    }
    // A cluster that refuses at once must not be asked in a loop.
    await new Promise((resolve) => setTimeout(resolve, 20));
    return false;
  }
}
