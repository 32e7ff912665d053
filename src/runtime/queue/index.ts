/**
 * Which object is worked on next: deduplication, order, backoff, timers. It knows objects by their keys alone and does no I/O.
 */
export type { QueueBackoff } from './backoff.js';
export type { Lane } from './lanes.js';
export { type AddOptions, type QueueItem, type QueueObserver, type QueueResult, WorkQueue, type WorkQueueOptions } from './work-queue.js';
