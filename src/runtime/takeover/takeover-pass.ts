import type { KindInfo } from '@keelson/kubernetes/apimachinery';
import type { Logger } from 'keelson/internal/definition';
import type { StoredObject } from '../cache/index.js';
import { type ApiClient, isExpired } from '../client/index.js';
import { type Clock, pause } from '../clock/index.js';
import { type Backoff, fullJitter } from '../http/index.js';
import type { FormerManagers } from './former-managers.js';

export interface TakeoverPassOptions {
  readonly client: Pick<ApiClient, 'pages'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly random?: (() => number) | undefined;
  /** The kind that the controller is for. */
  readonly kind: KindInfo;
  /** Namespaces that the operator serves. @defaultValue all */
  readonly namespaces?: readonly string[] | undefined;
  readonly formers: Pick<FormerManagers, 'isDue' | 'takeStatus'>;
  /** Whether the object is one of this instance. */
  readonly isMine: (object: StoredObject) => boolean;
  /** Whether nothing may be written to the object: people have paused it. */
  readonly holds: (object: StoredObject) => boolean;
}

const BACKOFF: Backoff = Object.freeze({ baseMs: 2_000, maxMs: 60_000 });
/** Twenty objects a second: it is in no hurry, and the runs go on beside it. */
const PAUSE_MS = 50;

/**
 * Takes over the statuses that no run writes: their fields are as desired, so that a former field manager would hold them until the day on which one of them is to go.
 *
 * Flow: pages of the objects with their managed fields, which caches do not hold → one write for each with fields of a former manager.
 * Guarantees: nothing is written to an object of another instance; at most twenty writes a second; killed at any point, the next pass finds what is left; it never rejects, and is tried again with growing pauses.
 */
export class TakeoverPass {
  readonly #options: TakeoverPassOptions;
  #isDone = false;

  constructor(options: TakeoverPassOptions) {
    this.#options = options;
  }

  /** Every object has been looked at, and none was paused. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Resolves when it is done, or the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log, namespaces = [undefined], random = Math.random } = this.#options;
    for (let failures = 0; !signal.aborted && !this.#isDone; ) {
      try {
        let held = 0;
        for (const namespace of namespaces) held += await this.#takeAll(namespace, signal);
        if (held === 0) this.#isDone = true;
        else log.info('statuses of paused objects are not taken over; a later start will do it', { paused: held });
        return;
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        const level = failures === 1 ? 'warn' : 'debug';
        log[level]('the statuses of a former name cannot be taken over yet; trying again', { error });
        await pause(clock, fullJitter(BACKOFF, failures, random), signal);
      }
    }
  }

  /** @returns the number of objects that were left because they are paused */
  async #takeAll(namespace: string | undefined, signal: AbortSignal): Promise<number> {
    const { client, clock, formers, holds, isMine, kind } = this.#options;
    let held = 0;
    try {
      for await (const { items } of client.pages(kind, { ...(namespace === undefined ? {} : { namespace }), signal } as never))
        for (const object of items as readonly StoredObject[]) {
          signal.throwIfAborted();
          if (!isMine(object) || !formers.isDue(kind, object)) continue;
          if (holds(object)) held += 1;
          else {
            await formers.takeStatus(kind, object, signal);
            await pause(clock, PAUSE_MS, signal);
          }
        }
    } catch (error) {
      // Pages that have grown too old. The next pass skips finished objects.
      if (!isExpired(error)) throw error;
      return this.#takeAll(namespace, signal);
    }
    return held;
  }
}
