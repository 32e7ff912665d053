/** How a reconcile ended, for metrics: `requeue` after the backoff, `requeue_after` after a time that it asked for, `terminal` an error that is not retried. */
export type ReconcileEnd = 'success' | 'error' | 'requeue' | 'requeue_after' | 'terminal';

/** What reconciling tells of its work. Metrics implement it; no station imports telemetry, so that it fits by its form. */
export interface ReconcileObserver {
  started(controller: string): void;
  finished(controller: string, end: ReconcileEnd, seconds: number): void;
  /** The reconciler broke in a way that is a fault of the program; {@link finished} follows. */
  panicked(controller: string): void;
  /** The time limit was over; {@link finished} follows. */
  timedOut(controller: string): void;
}

/** What a webhook server tells of its work. */
export interface WebhookObserver {
  started(path: string): void;
  finished(path: string, code: number, seconds: number): void;
  panicked(path: string): void;
}

/** What the manager of certificates tells of its work. */
export interface CertificateObserver {
  read(): void;
  readFailed(): void;
  /** The certificate in use ends then (H61). */
  expires(at: Date): void;
}

/** What a queue shows of itself when metrics are read. */
export interface QueueGauges {
  depthOf(lane: 'fresh' | 'slow'): number;
  /** Milliseconds for which the work on each key has been going on. */
  runningMs(): readonly number[];
}

/** What tasks tell of their work. */
export interface TaskObserver {
  ran(task: string, result: 'ok' | 'error', seconds: number): void;
}
