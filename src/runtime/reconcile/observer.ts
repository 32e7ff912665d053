/** How a run ended. `requeue_after`: it asked for another one; controller-runtime's words. */
export type RunResult = 'success' | 'error' | 'requeue' | 'requeue_after' | 'terminal';

/** Things that stand on objects under the name of a controller. */
export type TakenOver = 'finalizer' | 'child' | 'status' | 'memory' | 'released';

/** Counters for metrics. */
export interface ReconcileObserver {
  started?(controller: string): void;
  finished?(controller: string, result: RunResult, seconds: number): void;
  timedOut?(controller: string): void;
  /** It broke by a fault of the program: what Go calls a panic. */
  panicked?(controller: string): void;
  /** It was given up, and its function goes on; {@link returned} follows when it has returned. */
  left?(controller: string): void;
  returned?(controller: string): void;
  /** The number of its paused objects has changed. */
  paused?(controller: string, objects: number): void;
  /** An object that was created during this term is ready for the first time, so many seconds after its creation. */
  becameReady?(controller: string, seconds: number): void;
  /** Something that stood under a former name has become the controller's own. */
  tookOver?(controller: string, what: TakenOver): void;
}

/** Spans, if the process records them. */
export interface ReconcileTracing {
  inSpan<T>(name: string, attributes: Readonly<Record<string, string>>, run: () => Promise<T>): Promise<T>;
}

export const NO_TRACING: ReconcileTracing = { inSpan: (_name, _attributes, run) => run() };
