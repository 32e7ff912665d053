import type { Clock } from '../clock/index.js';
import type { ApiEvent, RequestUser } from '../contract/index.js';
import type { Status } from '../status/index.js';
import type { RequestInfo } from './request-info.js';

/** A request as a fault policy sees it, after authorization. */
export interface InterceptedRequest {
  readonly method: string;
  readonly info: RequestInfo;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly user: RequestUser;
  /** Aborted when the client has gone or the request has timed out. */
  readonly signal: AbortSignal;
}

/**
 * Faults of requests.
 *
 * - `answer`: nothing is handled, the client gets this Status.
 * - `delay`: the request is handled late (`before`), or handled and answered late (`after`); by the timer, in real time without one.
 * - `drop`: the connection breaks, before anything is done or (`after`) when all is done and only the answer is missing.
 * - `read-at`: a list is answered as of an earlier version, as by a server whose cache lags behind; of other requests without effect.
 * - `watch`: see {@link WatchFault}; of other requests without effect.
 */
export type Fault =
  | { readonly do: 'answer'; readonly status: Status; readonly headers?: Readonly<Record<string, string>> }
  | { readonly do: 'delay'; readonly ms: number; readonly when: 'before' | 'after'; readonly timer?: Pick<Clock, 'schedule'> }
  | { readonly do: 'drop'; readonly when: 'before' | 'after' }
  | { readonly do: 'read-at'; readonly resourceVersion: string }
  | { readonly do: 'watch'; readonly fault: WatchFault };

/**
 * `pass`: sent. `duplicate`: sent twice. `omit`: never sent. `end`: the watch ends here as at its time limit. `cut`: the connection breaks, in the middle of the frame.
 * A Status: sent as an ERROR event, with which the watch ends.
 */
export type WatchAction = 'pass' | 'duplicate' | 'omit' | 'end' | 'cut' | Status;

/** A watch that is on, for a fault that waits for no event. */
export interface WatchControl {
  /** The connection breaks. */
  cut(): void;
  /** Ends as at its time limit. */
  end(): void;
  /** Sends the Status as an ERROR event, and ends. */
  fail(status: Status): void;
}

export interface WatchFault {
  /** The watch is on. */
  attach?(control: WatchControl): void;
  /** The watch is over, in whatever way. */
  detach?(): void;
  /**
   * Asked for each event, counted from 0, in order.
   * @returns what is done with it; a promise holds it back, and all behind it, until it is settled
   */
  onEvent(event: ApiEvent, index: number): WatchAction | Promise<WatchAction>;
}

/** Decides for each request, before it is handled. `undefined`: nothing goes wrong. An error that it throws is a bug and answered with 500. */
export type Intercept = (request: InterceptedRequest) => Fault | undefined | Promise<Fault | undefined>;
