import type { KindInfo } from '@keelson/kubernetes/apimachinery';
import { MalformedResponseError } from '../http/index.js';
import { isExpired } from './guards.js';
import { identified } from './object-body.js';

/** One page of a collection, or all of it. */
export interface ObjectList<T> {
  /** The objects, in the order of the server. */
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
  const { items: found, metadata, kind: said } = body;
  // An empty list may be null on the wire: Go writes a nil slice so. An answer without `items` is not a list, and must not be taken for an empty one.
  const items = found === null ? [] : found;
  if (!Array.isArray(items) || typeof metadata !== 'object' || metadata === null)
    throw new MalformedResponseError(request, `the answer is not a list of ${kind.plural}, but ${sayingOf(said)}`);
  const { resourceVersion = '', continue: token = '', remainingItemCount } = metadata as Record<string, unknown>;
  // Without its token a list would look complete.
  if (typeof resourceVersion !== 'string' || typeof token !== 'string')
    throw new MalformedResponseError(request, `metadata.resourceVersion and metadata.continue of a list must be texts`);
  return {
    items: (items as object[]).map((item) => identified(kind, item) as T),
    resourceVersion,
    continue: token === '' ? undefined : token,
    remainingItemCount: typeof remainingItemCount === 'number' ? remainingItemCount : undefined,
  };
}

/** How an answer that is something else calls itself. */
export function sayingOf(kind: unknown): string {
  return typeof kind === 'string' ? `a ${JSON.stringify(kind.slice(0, 100))}` : 'an object without a kind';
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
