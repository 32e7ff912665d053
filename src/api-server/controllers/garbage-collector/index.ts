/** Deletion of what has lost its owners. */
export { GarbageCollector } from './garbage-collector.js';
