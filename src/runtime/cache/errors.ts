import { type KindInfo, nameInGroup, OperatorError } from '@keelson/kubernetes/apimachinery';

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

/** A write through an optional handle while the API server does not serve the kind. */
export class KindNotServedError extends OperatorError {
  override readonly actor = 'admin';
  override readonly code = 'KEELSON_KIND_NOT_SERVED';

  /** @param handle its name, as the definition has it */
  constructor(handle: string, { group, plural, version }: KindInfo) {
    const resource = nameInGroup(plural, group);
    super(
      `${handle}: the API server does not serve ${resource} in version ${version}, so nothing can be written; install the CustomResourceDefinition ${resource}, or write only while ${handle}.isServed is true`,
    );
  }
}
