import type { Clock } from '../clock/index.js';
import type { StatusFields } from '../status/index.js';

/** More often would be work for the API server and for all that watch, and users do not read faster. */
const APART_MS = 1_000;

export interface StatusAmidOptions {
  readonly clock: Clock;
  /** When the status of this object was last written amid a run, by uid; shared by all runs. */
  readonly lastMs: Map<string, number>;
  readonly uid: string;
  /** Writes the merged part. */
  readonly write: (part: StatusFields) => Promise<void>;
  /** A write in the background has failed. */
  readonly onError: (error: unknown) => void;
}

/** The status of a run before its end: merged, and written at most once a second for an object. */
export class StatusAmid {
  readonly #options: StatusAmidOptions;
  #pending: StatusFields | undefined;
  #cancel: (() => void) | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: StatusAmidOptions) {
    this.#options = options;
  }

  /** The part that is not written yet; the end of the run writes it with the rest. */
  get pending(): StatusFields {
    return this.#pending ?? {};
  }

  async write(part: StatusFields): Promise<void> {
    const { clock, lastMs, uid, onError } = this.#options;
    this.#pending = { ...this.#pending, ...part };
    const last = lastMs.get(uid);
    const waitMs = last === undefined ? 0 : last + APART_MS - clock.monotonicMs();
    if (waitMs <= 0) return this.#flush();
    this.#cancel ??= clock.schedule(waitMs, () => void this.#flush().catch(onError));
  }

  /** Writes nothing any more by itself; what is under way has ended. */
  async end(): Promise<void> {
    this.#cancel?.();
    await this.#writing.catch(() => undefined);
  }

  async #flush(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    const part = this.#pending;
    if (part === undefined) return;
    this.#pending = undefined;
    const { clock, lastMs, uid, write } = this.#options;
    lastMs.set(uid, clock.monotonicMs());
    this.#writing = this.#writing.catch(() => undefined).then(() => write(part));
    await this.#writing;
  }
}
