/** Waiting for what other tasks and processes do, with messages that say what was seen instead. */
export { type Condition, judge, type Outcome, type PartOf } from './condition.js';
export { Deadline } from './deadline.js';
export type { Difference } from './difference.js';
export { type ObjectWait, waitForObject } from './wait-for-object.js';
export { type FreeWait, waitUntil } from './wait-until.js';
