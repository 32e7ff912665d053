/**
 * The cluster's objects, kept in memory and up to date: one informer per kind and selection, shared by all who ask.
 */
export { type Borrowed, Cache, type CacheOptions } from './cache.js';
export { CacheNotSyncedError, CacheRequestError, CacheStoppedError, KindNotServedError } from './errors.js';
export type { CacheClient } from './feed.js';
export type {
  CacheChange,
  CacheRequest,
  ChangeListener,
  IndexFunction,
  Informer,
  InformerListOptions,
  InvalidObject,
  OwnDeletion,
  StoredObject,
} from './informer.js';
export type { Transform } from './intake.js';
export { type OptionalInformer, type Presence, withPresence } from './optional-informer.js';
export type { CacheObserver, CacheProblem, ProblemReason } from './problem.js';
export { matcherOf } from './selection.js';
export type { HeardChange } from './watch-channel.js';
