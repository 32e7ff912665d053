import type { KindInfo } from '../../kubernetes/index.js';
import { MalformedResponseError } from '../http/index.js';
import { isExpired } from './guards.js';
import { identified } from './object-body.js';

/** One page of a collection, or all of it. */
export interface ObjectList<T> {
  readonly items: readonly T[];
  /** The moment that the list shows; a watch goes on from it. */
  readonly resourceVersion: string;
  /** Where the next page begins; `undefined` on the last one. */
  readonly continue: string | undefined;
  /** How many objects follow, where the server knows it. */
  readonly remainingItemCount: number | undefined;
}

/** @param request in words, for messages */
export function objectListOf<T>(kind: KindInfo, request: string, body: Record<string, unknown>): ObjectList<T> {
  // An empty list may be null on the wire: Go writes a nil slice so.
  const items = body['items'] ?? [];
  const { resourceVersion = '', continue: token, remainingItemCount } = (body['metadata'] ?? {}) as Record<string, unknown>;
  if (!Array.isArray(items)) throw new MalformedResponseError(request, `the answer is no list but ${JSON.stringify(body['kind'])}`);
  return {
    items: (items as object[]).map((item) => identified(kind, item) as T),
    resourceVersion: String(resourceVersion),
    continue: typeof token === 'string' && token !== '' ? token : undefined,
    remainingItemCount: typeof remainingItemCount === 'number' ? remainingItemCount : undefined,
  };
}

/** How often a list is begun anew when its pages expire under way: more would storm a server that compacts faster than it answers. */
const MAX_LISTS = 3;

/**
 * All pages as one list of one moment.
 *
 * Pages that have expired are thrown away and the list begun anew (H19): what was read first may have been deleted since.
 */
export async function collectPages<T>(pages: () => AsyncIterable<ObjectList<T>>): Promise<ObjectList<T>> {
  for (let attempt = 1; ; attempt++) {
    try {
      const items: T[] = [];
      let resourceVersion = '';
      for await (const page of pages()) {
        for (const item of page.items) items.push(item);
        resourceVersion = page.resourceVersion;
      }
      return { items, resourceVersion, continue: undefined, remainingItemCount: undefined };
    } catch (error) {
      if (!isExpired(error) || attempt === MAX_LISTS) throw error;
    }
  }
}
