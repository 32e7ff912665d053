import { readFile } from 'node:fs/promises';
import type { Clock } from '../clock/index.js';
import { CredentialsError, textOf } from './errors.js';

/**
 * How long the content of a file is believed. The kubelet renews a token when a fifth of its life is left, which is two minutes at least; client-go looks
 * once a minute too.
 */
const BELIEVED_MS = 60_000;

/** A file that another program renews: a token, a certificate. */
export class FreshFile {
  readonly path: string;
  readonly #clock: Clock;
  readonly #origin: string;
  #content: Buffer | undefined;
  #readAtMs = 0;
  #reading: Promise<Buffer> | undefined;

  /** @param origin which setting names the file, for messages */
  constructor(path: string, origin: string, clock: Clock) {
    this.path = path;
    this.#origin = origin;
    this.#clock = clock;
  }

  /** The content as long as it is believed; `undefined` if it has to be read. */
  get believed(): Buffer | undefined {
    return this.#clock.monotonicMs() - this.#readAtMs < BELIEVED_MS ? this.#content : undefined;
  }

  /**
   * The content: the same Buffer as long as it has not changed.
   *
   * A file that cannot be read just now, because it is being replaced, leaves the last content in use; the server refuses it when it is not valid any more.
   * @throws CredentialsError when it has never been read
   */
  read(): Promise<Buffer> {
    const { believed } = this;
    if (believed !== undefined) return Promise.resolve(believed);
    // Requests that begin together share one reading.
    this.#reading ??= this.#load().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** The content was of no use: look again before the time is over. */
  distrust(): void {
    this.#readAtMs = Number.NEGATIVE_INFINITY;
  }

  async #load(): Promise<Buffer> {
    try {
      const found = await readFile(this.path);
      if (found.length === 0) throw new Error('the file is empty');
      if (this.#content === undefined || !found.equals(this.#content)) this.#content = found;
    } catch (error) {
      if (this.#content === undefined)
        throw new CredentialsError(`${this.#origin}: cannot read ${this.path}: ${textOf(error)}`, { cause: error });
    }
    this.#readAtMs = this.#clock.monotonicMs();
    return this.#content;
  }
}
