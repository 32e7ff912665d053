/** How a call of an external ended. `aborted`: its signal ended it, which is not the external's fault. */
export type CallResult = 'ok' | 'error' | 'aborted';

/** How background work ended. */
export type BackgroundEnd = 'done' | 'failed' | 'cancelled';

/** Counters of the world outside, for metrics. */
export interface OutsideObserver {
  called?(external: string, method: string, result: CallResult, seconds: number): void;
  polled?(source: string, result: 'ok' | 'error'): void;
  subscriptionFailed?(source: string): void;
  backgroundStarted?(name: string): void;
  backgroundEnded?(name: string, end: BackgroundEnd): void;
}
