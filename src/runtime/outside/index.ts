/** The world outside of the cluster as a controller declares it: externals, polled values, subscriptions, background work. */

export { type BackgroundScope, type BackgroundSource, type BackgroundState, BackgroundWork } from './background-work.js';
export { type BegunCall, beginCall, type Settled } from './begun-call.js';
export { ExternalError } from './errors.js';
export { type ExternalCall, ExternalCalls, type ExternalInterceptor } from './external-calls.js';
export { type DeclaredUse, Given, type GivenOptions } from './given.js';
export { objectKeyOf } from './object-key.js';
export type { BackgroundEnd, CallResult, OutsideObserver } from './observer.js';
export {
  type BackgroundActivity,
  type BackgroundReads,
  type DeclaredSource,
  Outside,
  type OutsideDeclarations,
  type OutsideOptions,
  type OutsideTrigger,
  sumOf,
} from './outside.js';
export { type Polled, Poller, type PollSource } from './poller.js';
export type { CallSpan } from './span.js';
export { type SubscriptionSource, Supervisor } from './supervisor.js';
