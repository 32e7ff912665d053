/**
 * The store of the in-process API server: objects with revisions, history, lists and watches, in memory. No HTTP, no I/O, no timers but those of a clock
 * that is passed in.
 *
 * A registry asks {@link Store} and turns a {@link StoreProblem} into a Status; what an object means, which selectors it has and which users may write it is the
 * registry's to know.
 */
export type { ObjectEvent, Predicate } from './change.js';
export type { StoreClock } from './clock.js';
export { type ContinueToken, decodeContinue, encodeContinue } from './continue-token.js';
export type { LogLimits } from './event-log.js';
export type { ListPage, ListQuery } from './list.js';
export type { Outcome, StoreProblem } from './problem.js';
export {
  type Guard,
  Store,
  type StoreOptions,
  type StoreSizes,
  type WatchQuery,
  type WriteJournal,
  type WriteRecord,
  type Written,
} from './store.js';
export type { Selection, StoreKey } from './store-key.js';
export type { StoredObject } from './stored-object.js';
export type { Bookmark, Watch, WatchEvent, WatchFailure } from './watcher.js';
