/** The world outside of the cluster as a controller declares it: externals, polled values, subscriptions, background work. */

export { type BackgroundScope, type BackgroundSource, type BackgroundState, BackgroundWork } from './background-work.js';
export { type BegunCall, beginCall, type Settled } from './begun-call.js';
export { ExternalError, OutsideTimeoutError } from './errors.js';
export { type CallSpan, type ExternalCall, ExternalCalls, type ExternalInterceptor } from './external-calls.js';
export type { BackgroundEnd, CallResult, OutsideObserver } from './observer.js';
export { type Polled, Poller, type PollSource } from './poller.js';
export { type SubscriptionSource, Supervisor } from './supervisor.js';
