/** The loop of one controller: from a key in its queue to what is written. */

export { type ControllerGround, Controllers } from './controllers.js';
export { HandleError } from './errors.js';
export type { ReconcileObserver, ReconcileTracing, RunResult } from './observer.js';
export type { RecordedBackground } from './once-outside.js';
export { OnceStore } from './once-store.js';
export {
  type FinalizedOnce,
  finalizeOnce,
  type Observation,
  type ObservedEvent,
  type ReconciledOnce,
  type RecordedWrite,
  reconcileOnce,
  storedObject,
} from './reconcile-once.js';
export { ControllerRunner, type ControllerRunnerOptions, type Term } from './runner/index.js';
export { type StrayNames, strayCounts } from './strays.js';
export { type RecordedMetric, usesOnce } from './uses-once.js';
