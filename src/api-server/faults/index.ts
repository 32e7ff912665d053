/** Faults between the in-process API server and its clients: ordered one by one or drawn from a seed, and replayable. */
export { FaultError } from './errors.js';
export type { FaultRecord } from './fault-log.js';
export {
  type DropRule,
  type ExpireEventRule,
  type ExpireStatusRule,
  type FailRule,
  type FaultSurroundings,
  Faults,
  type RequestDelayRule,
  type RequestRule,
  type StolenLease,
} from './faults.js';
export type { KindOrResource, RequestMatch, RequestVerb } from './match.js';
export type { FaultRates, SeededOptions } from './seeded-rule.js';
export type { FailOptions, FailStatus } from './statuses.js';
export type { OrderedFault, StrikeOptions } from './strikes.js';
export type { WatchEndRule, WatchEventRule, WatchMatch } from './watch-rules.js';
