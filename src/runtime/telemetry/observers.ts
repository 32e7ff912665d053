/** How a reconcile ended, for metrics: `requeue` after the backoff, `requeue_after` after a time that it asked for, `terminal` an error that is not retried. */
export type ReconcileEnd = 'success' | 'error' | 'requeue' | 'requeue_after' | 'terminal';

/** Reports of reconciling. Metrics implement it; no station imports telemetry, so that it fits by its form. */
export interface ReconcileObserver {
  started(controller: string): void;
  finished(controller: string, end: ReconcileEnd, seconds: number): void;
  /** The reconciler broke in a way that is a fault of the program; {@link finished} follows. */
  panicked(controller: string): void;
  /** The time limit was over; {@link finished} follows. */
  timedOut(controller: string): void;
  /** A reconcile was given up, and its function goes on; {@link returned} follows when it has returned. */
  left(controller: string): void;
  returned(controller: string): void;
  /** The number of its paused objects has changed. */
  paused(controller: string, objects: number): void;
  /** A new object is ready for the first time, so many seconds after its creation. */
  becameReady(controller: string, seconds: number): void;
  /** Something that stood under a former name has become the controller's own. */
  tookOver(controller: string, what: string): void;
}

/** Reports of a webhook server. */
export interface WebhookObserver {
  started(path: string): void;
  finished(path: string, code: number, seconds: number): void;
  panicked(path: string): void;
}

/** Reports of the manager of certificates. */
export interface CertificateObserver {
  read(): void;
  readFailed(): void;
  /** The certificate in use ends then (H61). */
  expires(at: Date): void;
}

/** The state of a queue when metrics are read. */
export interface QueueGauges {
  depthOf(lane: 'fresh' | 'slow'): number;
  /** Milliseconds for which the work on each key has been going on. */
  runningMs(): readonly number[];
}

/** The deletions that wait for a controller's finalizer when metrics are read. */
export interface DeletionGauge {
  /** Milliseconds since the deletion that waits longest has begun; 0 if none waits. */
  longestMs(): number;
}

/** The objects of a controller that are not ready when metrics are read. */
export interface NotReadyGauge {
  read(): { readonly count: number; readonly longestMs: number };
}

/** Names on objects when metrics are read. */
export interface NamesGauges {
  /** Objects that may still carry a former name, by controller; `undefined` where that is not known. */
  readonly formerLeft: () => ReadonlyMap<string, number | undefined>;
  /** Objects that carry a name without a controller, by kind. */
  readonly strays: (what: 'finalizer' | 'child') => ReadonlyMap<string, number>;
}

/** Reports of tasks. */
export interface TaskObserver {
  ran(task: string, result: 'ok' | 'error', seconds: number): void;
}
