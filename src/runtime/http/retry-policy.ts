import { type Backoff, fullJitter } from './backoff.js';

export interface RetryOptions extends Backoff {
  /**
   * How often a request is sent at most.
   * @defaultValue 6 — about three seconds of refused connections, so that a rolling restart behind a load balancer is not seen; more is the caller's back-off
   */
  readonly maxAttempts: number;
  /**
   * A longer `Retry-After` is not waited for but handed to the caller, in milliseconds.
   * @defaultValue 30_000 — a reconcile must not hold its worker longer
   */
  readonly maxRetryAfterMs: number;
}

export const RETRY_DEFAULTS: RetryOptions = Object.freeze({ maxAttempts: 6, baseMs: 100, maxMs: 5_000, maxRetryAfterMs: 30_000 });

/** How an attempt ended, as far as another one depends on it. */
export type AttemptEnd =
  | { readonly type: 'answer'; readonly status: number; readonly retryAfterMs: number | undefined }
  /** `sent: false`: the server cannot have acted. */
  | { readonly type: 'broken'; readonly sent: boolean; readonly reusedSocket: boolean };

export interface Attempt {
  /** From 1. */
  readonly number: number;
  /** Twice has the same effect as once. */
  readonly idempotent: boolean;
}

/** The next step: a pause in milliseconds and another attempt, or `undefined`: this result counts. */
export function pauseBeforeRetry(
  end: AttemptEnd,
  attempt: Attempt,
  rules: { readonly options: RetryOptions; readonly random: () => number },
): number | undefined {
  const { options, random } = rules;
  if (attempt.number >= options.maxAttempts) return undefined;
  const pause = fullJitter(options, attempt.number, random);
  if (end.type === 'broken') {
    if (end.sent && !attempt.idempotent) return undefined;
    // The server closed an idle connection just as the request went out (H67): nothing is wrong, so no pause, but only once.
    return end.reusedSocket && attempt.number === 1 ? 0 : pause;
  }
  // With Retry-After the server says that it has not acted, so that every verb may be repeated; client-go has the same rule.
  if (end.retryAfterMs !== undefined && (end.status === 429 || end.status >= 500)) {
    if (end.retryAfterMs > options.maxRetryAfterMs) return undefined;
    // The jitter on top keeps all that were sent away in one second from coming back in one millisecond.
    return end.retryAfterMs + pause;
  }
  // 502, 503 and 504 without it come from what stands before the API server: the request may have got through.
  return attempt.idempotent && (end.status === 502 || end.status === 503 || end.status === 504) ? pause : undefined;
}
