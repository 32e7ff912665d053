import type { ApiEvent } from '../contract/index.js';
import type { WatchAction, WatchControl, WatchFault } from '../http/index.js';
import type { MatchedRequest } from './match.js';

/** A watch that a client has opened. */
export interface OpenWatch extends MatchedRequest {
  readonly control: WatchControl | undefined;
  /** Says nothing any more. */
  isSilent: boolean;
}

export interface WatchListener {
  /** The watch is on: it may be ended at once. */
  opened(watch: OpenWatch): void;
  /** Asked for each event of an object. */
  event(watch: OpenWatch, event: ObjectEvent): WatchAction | Promise<WatchAction>;
}

export type ObjectEvent = Exclude<ApiEvent, { readonly type: 'ERROR' }>;

/** The watches that are on, in the order in which they were opened. */
export class OpenWatches {
  readonly #open = new Set<OpenWatch>();
  readonly #listener: WatchListener;

  constructor(listener: WatchListener) {
    this.#listener = listener;
  }

  get all(): readonly OpenWatch[] {
    return [...this.#open];
  }

  /** Follows the watch that the request opens. */
  follow({ info, user }: MatchedRequest): WatchFault {
    const watch: { -readonly [P in keyof OpenWatch]: OpenWatch[P] } = { info, user, control: undefined, isSilent: false };
    return {
      attach: (control) => {
        watch.control = control;
        this.#open.add(watch);
        this.#listener.opened(watch);
      },
      detach: () => this.#open.delete(watch),
      onEvent: (event) => {
        if (watch.isSilent) return 'omit';
        // Bookmarks come by time: counting them would make the rest depend on it.
        return event.type === 'ERROR' || event.type === 'BOOKMARK' ? 'pass' : this.#listener.event(watch, event);
      },
    };
  }
}
