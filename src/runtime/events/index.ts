/** Events about objects (`events.k8s.io/v1`): recorded at once, written later, never in the way of a reconcile. */
export type { Reporter } from './event-draft.js';
export { type EventObserver, EventRecorder, type EventRecorderOptions } from './event-recorder.js';
