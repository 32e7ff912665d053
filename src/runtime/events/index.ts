/** Events about objects (`events.k8s.io/v1`): told at once, written when it suits, never in the way of a reconcile. */
export type { Reporter } from './event-draft.js';
export { type EventObserver, EventRecorder, type EventRecorderOptions } from './event-recorder.js';
