/**
 * What the cluster holds, kept in memory and up to date: one informer per kind and selection, shared by all who ask.
 */
export { CacheNotSyncedError, CacheRequestError, CacheStoppedError } from './errors.js';
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
export type { CacheObserver, CacheProblem, ProblemReason } from './problem.js';
