import { type KindInfo, OperatorError } from '../../kubernetes/apimachinery/index.js';

/** A read before the first complete list: an empty answer would read as "it does not exist" (H17, H18). */
export class CacheNotSyncedError extends OperatorError {
  override readonly actor = 'author';
  override readonly code = 'KEELSON_CACHE_NOT_SYNCED';

  constructor({ kind }: KindInfo) {
    super(`${kind}: read before the cache holds a complete list; await cache.synced() first`);
  }
}

/** A read or a request that makes no sense: an unknown index, a selector that cannot be. */
export class CacheRequestError extends OperatorError {
  override readonly actor = 'author';
  override readonly code = 'KEELSON_CACHE_REQUEST';
}

/** The cache was stopped while a caller waited for it. */
export class CacheStoppedError extends OperatorError {
  override readonly actor = 'nobody';
  override readonly code = 'KEELSON_CACHE_STOPPED';

  constructor() {
    super('the cache was stopped before it held all that was asked for');
  }
}
