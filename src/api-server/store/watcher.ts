import type { Change, ObjectEvent, Predicate } from './change.js';
import { Fifo } from './fifo.js';
import { type StoreProblem, slowWatcher } from './problem.js';
import type { Selection } from './store-key.js';

/** All events up to `revision` have been handed out: a watch can resume there. */
export interface Bookmark {
  readonly type: 'BOOKMARK';
  readonly revision: number;
  /** The initial events are complete. */
  readonly endsInitialEvents: boolean;
}

/** The last event of a watch that could not go on. */
export interface WatchFailure {
  readonly type: 'ERROR';
  readonly problem: StoreProblem;
}

export type WatchEvent = ObjectEvent | Bookmark | WatchFailure;

/**
 * The events of a selection, to be taken one by one.
 *
 * Flow: 1. `next()` until it returns undefined. 2. The listener is called when there is more, or the end; then again 1.
 * Guarantees: events come in the order of their revisions, each once, none left out; no event carries a revision below that of a bookmark before it. A watcher that
 * does not take its events holds at most the initial ones and `maxPendingEvents`; then it loses them and ends with SlowWatcher, and can resume from the last one taken.
 * Assumptions: the listener is called while a write is under way, after all watchers have got the event: it may read and write.
 * Errors: what a listener throws is thrown from a microtask, not at the writer.
 */
export interface Watch {
  /** Undefined: nothing now. */
  next(): WatchEvent | undefined;
  /** Events that wait to be taken. */
  readonly pending: number;
  /** All has been taken and nothing will come. */
  readonly isEnded: boolean;
  /** Takes the place of the listener before. */
  onEvent(listener: () => void): void;
  /** Puts a bookmark behind what waits, if the watch was asked for with bookmarks: a server's own pace. */
  bookmark(): void;
  /** No events from now on: what waits can still be taken, and behind it `problem` or, with bookmarks, a last one. */
  finish(problem?: StoreProblem): void;
  /** Drops what waits. */
  close(): void;
}

/** The part of its store that a watcher needs. */
export interface WatchHost {
  revision(): number;
  detach(watcher: Watcher): void;
}

export interface WatcherOptions {
  readonly selection: Selection;
  readonly matches: Predicate | undefined;
  /** Only what is newer is of interest. */
  readonly after: number;
  readonly hasBookmarks: boolean;
  readonly maxPendingEvents: number;
  /** The events before the live ones. */
  readonly backlog: Iterable<WatchEvent>;
}

export class Watcher implements Watch {
  readonly selection: Selection;
  readonly hasBookmarks: boolean;
  readonly #options: Omit<WatcherOptions, 'backlog'>;
  readonly #host: WatchHost;
  readonly #backlog = new Fifo<WatchEvent>();
  readonly #live = new Fifo<WatchEvent>();
  #listener: (() => void) | undefined;
  /** The taker has found nothing, and wants to be called. */
  #isWaiting = true;
  #isFinished = false;

  constructor(host: WatchHost, { backlog, ...options }: WatcherOptions) {
    this.#host = host;
    this.#options = options;
    this.selection = options.selection;
    this.hasBookmarks = options.hasBookmarks;
    for (const event of backlog) this.#backlog.push(event);
  }

  get pending(): number {
    return this.#backlog.length + this.#live.length;
  }

  get isEnded(): boolean {
    return this.#isFinished && this.pending === 0;
  }

  next(): WatchEvent | undefined {
    const event = this.#backlog.shift() ?? this.#live.shift();
    if (event === undefined) this.#isWaiting = true;
    return event;
  }

  onEvent(listener: () => void): void {
    this.#listener = listener;
  }

  /** Takes in a write. The listener is not called yet: first all watchers must have it. */
  receive(change: Change): void {
    if (this.#isFinished || change.version.revision <= this.#options.after) return;
    const event = change.eventFor(this.#options.matches);
    if (event === undefined) return;
    if (this.#live.length < this.#options.maxPendingEvents) this.#live.push(event);
    else this.#overflow();
  }

  wake(): void {
    if (!this.#isWaiting || (this.pending === 0 && !this.#isFinished)) return;
    this.#isWaiting = false;
    try {
      this.#listener?.();
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  bookmark(): void {
    if (this.#isFinished) return;
    this.#addBookmark();
    this.wake();
  }

  finish(problem?: StoreProblem): void {
    if (this.#isFinished) return;
    if (problem === undefined) this.#addBookmark();
    else this.#live.push({ type: 'ERROR', problem });
    this.#end();
    this.wake();
  }

  close(): void {
    this.#backlog.clear();
    this.#live.clear();
    this.#listener = undefined;
    this.#end();
  }

  #addBookmark(): void {
    const revision = this.#host.revision();
    // A watch from a revision that is still to come must not be thrown back behind it.
    if (!this.hasBookmarks || revision < this.#options.after) return;
    const bookmark: Bookmark = { type: 'BOOKMARK', revision, endsInitialEvents: false };
    // Among bookmarks that wait side by side only the newest says anything.
    if (this.#live.last()?.type === 'BOOKMARK') this.#live.replaceLast(bookmark);
    else this.#live.push(bookmark);
  }

  #overflow(): void {
    this.#backlog.clear();
    this.#live.clear();
    this.#live.push({ type: 'ERROR', problem: slowWatcher(this.#options.maxPendingEvents) });
    this.#end();
  }

  #end(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.#host.detach(this);
  }
}
