/** Which node a Pod is put on. */
export { isTolerated, matchesNode } from './fits.js';
export { type SchedulerParts, scheduler } from './scheduler.js';
