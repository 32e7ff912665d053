/** Controllers: what one reconciles, owns, watches and reads, and the function that does it. The way in is `defineController`. */
export type {
  Base,
  Context,
  ContextOf,
  Declarations,
  EventOptions,
  Events,
  FinalContext,
  FinalizeContext,
  HandleFor,
  Logger,
  OwnsMap,
  ReadsMap,
  ReconcileContext,
  ReservedName,
  Trigger,
  WatchesMap,
} from './context.js';
export { type Controller, type ControllerOptions, defineController } from './define-controller.js';
export { toOwner } from './enqueue.js';
export type { Cached, DeleteOptions, Handle, Indexed, ListOptions, Live, Patch, Stored, StoredMeta, Target, Writes } from './handle.js';
export type { ConditionInput, Done, FinalOutcome, ObjectOf, Outcome, Primary } from './outcome.js';
export { type Referrers, referencedKeys, toReferrers } from './referrers.js';
export { type Enqueue, isWatch, type Watch, type WatchOptions, watch, watchOf } from './watch.js';
