import { channel } from 'node:diagnostics_channel';
import type { KindInfo } from '@keelson/kubernetes/apimachinery';
import type { CacheChange } from './informer.js';

/** Changes that caches have heard of, for tools in the same process: `keelson dev` listens. */
export const WATCH_CHANNEL = 'keelson:watch';
const HEARD = channel(WATCH_CHANNEL);

/** Most changes of one message: a first list may have a hundred thousand. */
const MOST = 500;

/** A change that a cache has heard of; no field of the object. */
export interface HeardChange {
  readonly type: CacheChange['type'];
  /** `Memcached shop/sessions`. */
  readonly object: string;
  readonly resourceVersion: string | undefined;
  /** It was there when the cache began. */
  readonly isInitial: boolean;
}

/** Publishes the last 500 changes as a list; costs nothing when no tool listens. */
export function publishHeard({ kind }: KindInfo, changes: readonly CacheChange[]): void {
  if (!HEARD.hasSubscribers || changes.length === 0) return;
  const heard: readonly HeardChange[] = changes.slice(-MOST).map(({ type, object: { metadata }, isInitial }) => ({
    type,
    object: `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`,
    resourceVersion: metadata.resourceVersion,
    isInitial,
  }));
  HEARD.publish(heard);
}
