import type { IncomingMessage } from 'node:http';
import type { Clock } from '../clock/index.js';
import type { Arrival } from './arrivals.js';
import { NoReview } from './errors.js';

/** As controller-runtime: objects of etcd's 1.5 MiB twice, escaped, and what belongs to them. */
export const MAX_BODY_BYTES: number = 7 * 1024 * 1024;
/** API servers send a review in one go. Slower than this, a body holds memory that others wait for; the grace covers a lost packet or two. */
const PACE = { graceMs: 3_000, bytesPerMs: 64 } as const;

export interface BodyReaderParts {
  readonly arrival: Arrival;
  readonly clock: Clock;
}

/** Reads one body as far as it has room, and not more slowly than an API server sends. A body of up to 16 KiB (64 from Node 22 on) does not wait for room. */
export class BodyReader {
  readonly #request: IncomingMessage;
  readonly #arrival: Arrival;
  readonly #clock: Clock;
  readonly #chunks: Buffer[] = [];
  readonly #startedMs: number;
  /** Time that it has waited for room: the client is not to blame for it. */
  #pausedMs = 0;
  #pausedAtMs: number | undefined;
  #cancelTimer: () => void = () => undefined;

  constructor(request: IncomingMessage, { arrival, clock }: BodyReaderParts) {
    this.#request = request;
    this.#arrival = arrival;
    this.#clock = clock;
    this.#startedMs = clock.monotonicMs();
  }

  /** @throws NoReview 400 when it breaks off, 408 when it is slow, 413 when it is too large; the signal's reason */
  read(signal: AbortSignal): Promise<Buffer> {
    const request = this.#request;
    return new Promise((resolve, reject) => {
      const settle = (outcome: () => void): void => {
        request.off('data', take).off('end', end).off('error', fail).off('close', gone);
        signal.removeEventListener('abort', abort);
        this.#cancelTimer();
        outcome();
      };
      const fail = (error: Error): void => settle(() => reject(error));
      const take = (chunk: Buffer): void => {
        if (this.#arrival.bytes + chunk.length > MAX_BODY_BYTES) fail(tooLarge());
        else this.#keep(chunk);
      };
      const end = (): void => settle(() => resolve(Buffer.concat(this.#chunks)));
      const gone = (): void => fail(new NoReview(400, 'the request was broken off'));
      const abort = (): void => fail(signal.reason as Error);
      if (signal.aborted) return abort();
      // Refused while it was read, before its turn.
      if (request.errored) return reject(request.errored);
      request.on('data', take).once('end', end).once('error', fail).once('close', gone);
      signal.addEventListener('abort', abort, { once: true });
      this.#watchPace(fail);
    });
  }

  #keep(chunk: Buffer): void {
    this.#chunks.push(chunk);
    const room = this.#arrival.grow(chunk.length);
    if (room === undefined || this.#isReadAhead) return;
    this.#request.pause();
    this.#pausedAtMs = this.#clock.monotonicMs();
    void room.then(() => {
      this.#pausedMs += this.#clock.monotonicMs() - (this.#pausedAtMs as number);
      this.#pausedAtMs = undefined;
      this.#request.resume();
    });
  }

  /** Node reads so much of a paused stream: to wait would keep it in memory longer, and save nothing. */
  get #isReadAhead(): boolean {
    return Number(this.#request.headers['content-length'] ?? Number.POSITIVE_INFINITY) <= this.#request.readableHighWaterMark;
  }

  #watchPace(fail: (error: Error) => void): void {
    const { graceMs, bytesPerMs } = PACE;
    const leftMs = this.#startedMs + this.#pausedMs + graceMs + this.#arrival.bytes / bytesPerMs - this.#clock.monotonicMs();
    if (leftMs <= 0 && this.#pausedAtMs === undefined) {
      fail(new NoReview(408, `the body came too slowly: ${this.#arrival.bytes} bytes in ${Math.round(this.#elapsedMs)} ms`));
      return;
    }
    this.#cancelTimer = this.#clock.schedule(leftMs > 0 ? leftMs : graceMs, () => this.#watchPace(fail));
  }

  get #elapsedMs(): number {
    return this.#clock.monotonicMs() - this.#startedMs - this.#pausedMs;
  }
}

export function tooLarge(): NoReview {
  return new NoReview(413, `the request is larger than ${MAX_BODY_BYTES} bytes`);
}
