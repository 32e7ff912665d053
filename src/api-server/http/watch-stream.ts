import type { Turns } from '@keelson/kubernetes/listening';
import type { ApiEvent, ApiWatch } from '../contract/index.js';
import type { Status } from '../status/index.js';
import type { WatchAction, WatchFault } from './faults.js';
import type { WatchFrames } from './watch-frames.js';
import type { WatchSink } from './watch-sink.js';

/** Bytes that are handed to the sink at a time. */
const BATCH = 64 * 1024;
/** Batches in one turn of the event loop, if the sink takes everything. */
const BATCHES_A_TURN = 8;

export interface WatchStreamOptions {
  readonly watch: ApiWatch;
  readonly frames: WatchFrames;
  readonly sink: WatchSink;
  /** Shared by all watches of a server. */
  readonly turns: Turns;
  readonly fault?: WatchFault | undefined;
  /** Called with an error about an event, which is a bug: the connection is cut. */
  readonly onBug: (error: unknown) => void;
}

/**
 * Writes a watch to its client.
 *
 * Flow: 1. events are taken until they end, or the sink is full. 2. When the sink has drained, or the watch has more, again 1. 3. When the watch has
 * ended, or {@link finish} was called and all is taken, the answer ends; when the client has gone, the watch is closed.
 * Guarantees: events are not taken faster than the client reads; a burst of writes is sent together.
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
  #batch: Buffer[] = [];
  #batchBytes = 0;
  #taken = 0;
  #sent = 0;

  constructor(options: WatchStreamOptions) {
    this.#options = options;
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    options.sink.onClose(() => this.#stop());
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
    return this.#state === 'ended' || (this.#state === 'idle' && this.#options.sink.waiting === 0);
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
    this.#options.turns.add(() => {
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
      this.#options.sink.cut();
      this.#stop();
    }
    if (this.#state === 'pumping') this.#state = 'idle';
  }

  #isOver(): boolean {
    return this.#state === 'ended';
  }

  async #takeAll(): Promise<void> {
    const { watch, fault } = this.#options;
    for (let batches = 1; ; ) {
      const next = watch.next();
      if (next === undefined) break;
      const event = next instanceof Promise ? await next : next;
      if (this.#isOver()) return;
      // A promise for each event would cost a thousand watches more than the event.
      if (fault === undefined ? !this.#addPlain(event) : !(await this.#add(event, fault))) return;
      if (this.#batchBytes < BATCH) continue;
      await this.#flush();
      batches += 1;
      if (batches % BATCHES_A_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
      if (this.#isOver()) return;
    }
    const drained = this.#flush();
    if (drained !== undefined) await drained;
    if (!this.#isOver() && (watch.isEnded || this.#endsWhenTaken)) this.#end();
  }

  /** @returns whether the stream goes on */
  #addPlain(event: ApiEvent): boolean {
    const frame = this.#options.frames.of(event);
    if (frame === undefined) {
      void this.#flush();
      this.#end();
      return false;
    }
    this.#put(frame);
    return true;
  }

  /** @returns whether the stream goes on */
  async #add(event: ApiEvent, fault: WatchFault): Promise<boolean> {
    const action = await this.#actionFor(event, fault);
    if (this.#isOver()) return false;
    if (action === 'pass') return this.#addPlain(event);
    if (action === 'omit') return true;
    if (typeof action === 'object') {
      await this.#flush();
      this.#fail(action);
      return false;
    }
    const frame = this.#options.frames.of(event);
    if (frame === undefined || action === 'end') {
      await this.#flush();
      this.#end();
      return false;
    }
    if (action === 'cut') {
      await this.#flush();
      this.#options.sink.cutWithin(frame);
      this.#stop();
      return false;
    }
    this.#put(frame);
    this.#put(frame);
    return true;
  }

  #put(frame: Buffer): void {
    this.#batch.push(frame);
    this.#batchBytes += frame.length;
    this.#sent += 1;
  }

  #actionFor(event: ApiEvent, fault: WatchFault): WatchAction | Promise<WatchAction> {
    this.#taken += 1;
    const action = fault.onEvent(event, this.#taken - 1);
    if (!(action instanceof Promise)) return action;
    // Events before one that is held back are sent.
    const flushed = this.#flush() ?? Promise.resolve();
    return flushed.then(() => action);
  }

  /** Undefined: the client takes more at once. */
  #flush(): Promise<void> | undefined {
    if (this.#batch.length === 0 || this.#isOver()) return undefined;
    const batch = this.#batch;
    this.#batch = [];
    this.#batchBytes = 0;
    return this.#options.sink.send(batch);
  }

  #end(): void {
    if (this.#isOver()) return;
    this.#options.sink.end();
    this.#stop();
  }

  #fail(status: Status): void {
    if (this.#isOver()) return;
    const frame = this.#options.frames.of({ type: 'ERROR', status });
    if (frame !== undefined) void this.#options.sink.send([frame]);
    this.#sent += 1;
    this.#end();
  }

  #cut(): void {
    if (this.#isOver()) return;
    this.#options.sink.cut();
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
