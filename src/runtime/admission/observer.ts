/** Counters of the webhook server for metrics. */
export interface WebhookObserver {
  started?(path: string): void;
  finished?(path: string, code: number, seconds: number): void;
  /** A handler threw, or answered what is not an answer. */
  panicked?(path: string): void;
}
