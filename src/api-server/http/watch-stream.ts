import type { ServerResponse } from 'node:http';
import type { ApiEvent, ApiWatch } from '../contract/index.js';
import type { Status } from '../status/index.js';
import type { WatchAction, WatchFault } from './faults.js';
import type { WatchFrames } from './watch-frames.js';

/** Characters that are handed to the socket at a time. */
const BATCH = 64 * 1024;
/** Batches in one turn of the event loop, if the socket takes everything. */
const BATCHES_A_TURN = 8;

export interface WatchStreamOptions {
  readonly watch: ApiWatch;
  readonly frames: WatchFrames;
  readonly response: ServerResponse;
  readonly fault?: WatchFault | undefined;
  /** What goes wrong with an event is a bug: the connection is cut. */
  readonly onBug: (error: unknown) => void;
}

/**
 * Writes a watch to its client.
 *
 * Flow: 1. events are taken until there are none, or the socket is full. 2. When the socket has drained, or the watch has more, again 1. 3. When the watch has
 * ended, or {@link finish} was called and all is taken, the answer ends; when the client has gone, the watch is closed.
 * Guarantees: events are not taken faster than the client reads; what a burst of writes brings is sent together.
 */
export class WatchStream {
  readonly #options: WatchStreamOptions;
  /** Settles when the answer has ended, one way or the other. */
  readonly ended: Promise<void>;
  #resolveEnded: () => void = () => undefined;
  #state: 'idle' | 'scheduled' | 'pumping' | 'ended' = 'idle';
  /** There was news while events were being taken. */
  #hasNews = false;
  /** When there is nothing to take, the answer ends. */
  #endsWhenTaken = false;
  #batch = '';
  #taken = 0;
  #sent = 0;

  constructor(options: WatchStreamOptions) {
    this.#options = options;
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    options.response.once('close', () => this.#stop());
    options.watch.onEvent(() => this.#schedule());
    options.fault?.attach?.({
      cut: () => this.#cut(),
      end: () => this.#end(),
      fail: (status) => this.#fail(status),
    });
    this.#schedule();
  }

  /** All that there is has been handed to the connection. */
  get isIdle(): boolean {
    return this.#state === 'ended' || (this.#state === 'idle' && this.#options.response.writableLength === 0);
  }

  /** Events that were sent. */
  get events(): number {
    return this.#sent;
  }

  /** Ends in good order: what waits is sent, then a last bookmark, if the watch has bookmarks; then the answer ends. */
  finish({ withBookmark = true }: { readonly withBookmark?: boolean } = {}): void {
    if (this.#isOver()) return;
    this.#endsWhenTaken = true;
    if (withBookmark) this.#options.watch.finish();
    this.#schedule();
  }

  #schedule(): void {
    this.#hasNews = true;
    if (this.#state !== 'idle') return;
    this.#state = 'scheduled';
    // Not at once: the writer that calls us may write more, and a thousand watchers must not hold it up.
    setImmediate(() => {
      if (this.#state === 'scheduled') void this.#pump();
    });
  }

  async #pump(): Promise<void> {
    this.#state = 'pumping';
    try {
      while (this.#hasNews && !this.#isOver()) {
        this.#hasNews = false;
        await this.#takeAll();
      }
    } catch (error) {
      this.#options.onBug(error);
      this.#options.response.destroy();
      this.#stop();
    }
    if (this.#state === 'pumping') this.#state = 'idle';
  }

  #isOver(): boolean {
    return this.#state === 'ended';
  }

  async #takeAll(): Promise<void> {
    const { watch } = this.#options;
    for (let batches = 1; ; ) {
      const next = watch.next();
      if (next === undefined) break;
      const event = next instanceof Promise ? await next : next;
      if (this.#isOver()) return;
      if (!(await this.#add(event))) return;
      if (this.#batch.length < BATCH) continue;
      if (!(await this.#flush())) return;
      batches += 1;
      if (batches % BATCHES_A_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
      if (this.#isOver()) return;
    }
    if (!(await this.#flush())) return;
    if (watch.isEnded || this.#endsWhenTaken) this.#end();
  }

  /** @returns whether the stream goes on */
  async #add(event: ApiEvent): Promise<boolean> {
    const action = await this.#actionFor(event);
    if (this.#isOver()) return false;
    if (typeof action === 'object') {
      await this.#flush();
      this.#fail(action);
      return false;
    }
    const frame = action === 'omit' ? '' : this.#options.frames.of(event);
    if (frame === undefined || action === 'end') {
      await this.#flush();
      this.#end();
      return false;
    }
    if (action === 'cut') {
      await this.#flush();
      this.#cutWithin(frame);
      return false;
    }
    this.#batch += action === 'duplicate' ? frame + frame : frame;
    if (action !== 'omit') this.#sent += action === 'duplicate' ? 2 : 1;
    return true;
  }

  #actionFor(event: ApiEvent): WatchAction | Promise<WatchAction> {
    const { fault } = this.#options;
    if (fault === undefined) return 'pass';
    this.#taken += 1;
    const action = fault.onEvent(event, this.#taken - 1);
    // What comes before an event that is held back has been sent.
    return action instanceof Promise ? this.#flush().then(() => action) : action;
  }

  /** @returns whether somebody is there to go on for */
  async #flush(): Promise<boolean> {
    if (this.#batch === '') return !this.#isOver();
    const batch = this.#batch;
    this.#batch = '';
    const { response } = this.#options;
    if (!response.write(batch)) {
      await new Promise<void>((resolve) => {
        const done = (): void => {
          response.off('drain', done);
          response.off('close', done);
          resolve();
        };
        response.on('drain', done).on('close', done);
      });
    }
    return !this.#isOver();
  }

  #end(): void {
    if (this.#isOver()) return;
    this.#options.response.end();
    this.#stop();
  }

  #fail(status: Status): void {
    if (this.#isOver()) return;
    this.#options.response.write(this.#options.frames.of({ type: 'ERROR', status }) ?? '');
    this.#sent += 1;
    this.#end();
  }

  #cut(): void {
    if (this.#isOver()) return;
    this.#options.response.destroy();
    this.#stop();
  }

  /** Half a frame, so that the client cannot take the end for a good one. */
  #cutWithin(frame: string): void {
    const { response } = this.#options;
    response.write(frame.slice(0, frame.length / 2), () => response.destroy());
    this.#stop();
  }

  #stop(): void {
    if (this.#isOver()) return;
    this.#state = 'ended';
    this.#options.watch.close();
    this.#options.fault?.detach?.();
    this.#resolveEnded();
  }
}
