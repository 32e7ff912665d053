import type { Predicate } from './change.js';
import { type ContinueToken, decodeContinue, encodeContinue } from './continue-token.js';
import { badRequest, continueExpired, done, listExpired, type Outcome, refused, tooLarge } from './problem.js';
import type { ResourceTable } from './resource-table.js';
import { pathOf, prefixOf, type Selection } from './store-key.js';
import type { StoredObject } from './stored-object.js';

/** Which objects, as of when, and how many. */
export interface ListQuery extends Selection {
  /** Selectors. Undefined: all objects; only then `remainingItemCount` is known. */
  readonly matches?: Predicate | undefined;
  /** Most objects of a page; undefined or 0: all. */
  readonly limit?: number | undefined;
  /** The token of the page before. */
  readonly continue?: string | undefined;
  /** Undefined: as of now. 0: any (as of now, and `limit` does not count). Else as `resourceVersionMatch` says. */
  readonly resourceVersion?: number | undefined;
  /** Undefined: with `limit` exactly that revision, without it one that is not older. */
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined;
}

export interface ListPage {
  /** In the byte order of `namespace/name`. */
  readonly items: readonly StoredObject[];
  /** As of when: the same on all pages. */
  readonly revision: number;
  /** There is more. */
  readonly continue?: string;
  /** How many objects follow. */
  readonly remainingItemCount?: number;
}

/** The revisions that can be read at the moment. */
export interface ReadableRevisions {
  readonly revision: number;
  readonly compactedRevision: number;
}

/** Source of the rules: apiserver, `pkg/storage/interfaces.go` (ValidateListOptions) and `pkg/storage/cacher`. */
export function listTable(table: ResourceTable, query: ListQuery, readable: ReadableRevisions): Outcome<ListPage> {
  if (query.continue !== undefined && query.continue !== '') return continued(table, { ...query, continue: query.continue }, readable);
  const wanted = query.resourceVersion ?? 0;
  if (wanted > readable.revision) return refused(tooLarge(wanted, readable.revision));
  const revision = wanted > 0 && isExact(query) ? wanted : readable.revision;
  if (revision < readable.compactedRevision) return refused(listExpired());
  return done(pageOf(table, query, { revision, start: '' }));
}

/** All objects of a selection, as of a revision that can be read. */
export function snapshotOf(table: ResourceTable, query: Selection & Pick<ListQuery, 'matches'>, revision: number): readonly StoredObject[] {
  const { resource, namespace, name, matches } = query;
  return pageOf(table, { resource, namespace, name, matches }, { revision, start: '' }).items;
}

function isExact({ resourceVersionMatch, limit = 0 }: ListQuery): boolean {
  return resourceVersionMatch === undefined ? limit > 0 : resourceVersionMatch === 'Exact';
}

type ContinuedQuery = ListQuery & { readonly continue: string };

function continued(table: ResourceTable, query: ContinuedQuery, readable: ReadableRevisions): Outcome<ListPage> {
  const token = decodeContinue(query.continue);
  if (!token.ok) return token;
  if ((query.resourceVersion ?? 0) > 0) return refused(badRequest('specifying resource version is not allowed when using continue'));
  const { start } = token.value;
  const revision = token.value.revision < 0 ? readable.revision : token.value.revision;
  if (revision > readable.revision) return refused(tooLarge(revision, readable.revision));
  if (revision < readable.compactedRevision) return refused(continueExpired(encodeContinue({ revision: -1, start })));
  return done(pageOf(table, query, { revision, start }));
}

function pageOf(table: ResourceTable, query: ListQuery, { revision, start }: ContinueToken): ListPage {
  const { matches, name, namespace } = query;
  const prefix = prefixOf(query);
  const limit = query.resourceVersion === 0 || !query.limit ? Number.POSITIVE_INFINITY : query.limit;
  const isCounted = matches === undefined && name === undefined;
  const items: StoredObject[] = [];
  let last = '';
  let remaining = 0;
  const visit = (path: string, object: StoredObject, key: { readonly name: string }): boolean => {
    if (items.length >= limit) {
      remaining += 1;
      return isCounted;
    }
    last = path;
    if ((name === undefined || key.name === name) && (matches === undefined || matches(object))) items.push(object);
    return true;
  };
  const isOneKey = name !== undefined && namespace !== undefined;
  const from = isOneKey ? pathOf({ namespace, name }) : prefix + start;
  table.entries.scan(from, (entry) => {
    if (isOneKey ? entry.path !== from : !entry.path.startsWith(prefix)) return false;
    const object = entry.at(revision)?.object;
    return object === undefined || visit(entry.path, object, entry.key);
  });
  if (remaining === 0) return { items, revision };
  // The first path behind the last one: no name holds a NUL.
  const token = encodeContinue({ revision, start: `${last.slice(prefix.length)}\0` });
  return { items, revision, continue: token, ...(isCounted ? { remainingItemCount: remaining } : {}) };
}
