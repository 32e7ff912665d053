/** Events, as components of a cluster write them. The way in is {@link EventRecorder}. */
export { EventRecorder, type EventText, type EventWriter } from './event-recorder.js';
export { failedCreate } from './failed-create.js';
