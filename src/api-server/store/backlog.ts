import { Change, type Predicate } from './change.js';
import { snapshotOf } from './list.js';
import type { ResourceTable } from './resource-table.js';
import { covers, type Selection } from './store-key.js';
import { resourceVersionOf } from './stored-object.js';
import type { WatchEvent } from './watcher.js';

interface Watched extends Selection {
  readonly matches?: Predicate | undefined;
  readonly bookmarks?: boolean | undefined;
}

/** The objects as of `revision`, as if they had just been created; each with the resource version that it has. */
export function initialEvents(table: ResourceTable, watched: Watched, revision: number): readonly WatchEvent[] {
  const events = snapshotOf(table, watched, revision).map((object): WatchEvent => {
    return { type: 'ADDED', revision: resourceVersionOf(object), object };
  });
  return watched.bookmarks === true ? [...events, { type: 'BOOKMARK', revision, endsInitialEvents: true }] : events;
}

/** The events since `revision`. */
export function missedEvents(table: ResourceTable, watched: Watched, revision: number): readonly WatchEvent[] {
  return table
    .since(revision)
    .filter(({ entry }) => covers(watched, entry.key))
    .flatMap((version) => new Change(version).eventFor(watched.matches) ?? []);
}
