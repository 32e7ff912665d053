import { deepFreeze } from '@keelson/kubernetes/apimachinery';
import { initialEvents, missedEvents } from './backlog.js';
import { BookmarkPace } from './bookmark-pace.js';
import { Change, type Predicate } from './change.js';
import type { StoreClock } from './clock.js';
import { EventLog, LOG_LIMITS, type LogLimits } from './event-log.js';
import { type ListPage, type ListQuery, listTable } from './list.js';
import { alreadyExists, conflict, done, notFound, type Outcome, refused, type StoreProblem, tooLarge, watchExpired } from './problem.js';
import { ResourceTable } from './resource-table.js';
import type { Selection, StoreKey } from './store-key.js';
import { resourceVersionOf, type StoredObject, shareUnchanged, sizeOf, stamped } from './stored-object.js';
import { Version } from './version.js';
import { type Watch, Watcher, type WatchHost } from './watcher.js';

export interface StoreOptions extends Partial<LogLimits> {
  readonly clock: StoreClock;
  /**
   * Pause between bookmarks, in milliseconds.
   * @defaultValue 60_000 — as the API server's watch cache
   */
  readonly bookmarkIntervalMs?: number;
  /**
   * Revision before the first write.
   * @defaultValue 1 — as a new etcd's
   */
  readonly firstRevision?: number;
}

/** A write that the store has accepted, and that takes effect next. */
export interface WriteRecord {
  readonly key: StoreKey;
  readonly revision: number;
  /** Undefined: deleted. */
  readonly object: StoredObject | undefined;
}

/** Keeps writes beyond the life of the process. */
export interface WriteJournal {
  /** Called before a write takes effect. An error that it throws refuses the write, and nothing has changed then. */
  append(record: WriteRecord): void;
}

/** Makes a write depend on what the writer has seen. */
export interface Guard {
  /** The object must still have this revision. Undefined: whatever it has. */
  readonly revision?: number | undefined;
}

export interface Written {
  readonly object: StoredObject;
  readonly revision: number;
  /** False: the object is as it was before, no revision was spent, no watch gets an event. */
  readonly isChanged: boolean;
}

export interface WatchQuery extends Selection {
  readonly matches?: Predicate | undefined;
  /** Begin with all objects as of now, as ADDED events. */
  readonly sendInitialEvents?: boolean | undefined;
  /** With initial events: they must not be older. Without: only what is newer; undefined: from now on. */
  readonly resourceVersion?: number | undefined;
  /** Also marks the end of the initial events. */
  readonly bookmarks?: boolean | undefined;
  /**
   * How many live events may wait until the watch is ended.
   * @defaultValue 10_000 — they are shared with the log: a slot each
   */
  readonly maxPendingEvents?: number | undefined;
}

/** Sizes, for limits in tests and for metrics. */
export interface StoreSizes {
  readonly objects: number;
  readonly watches: number;
  readonly logEvents: number;
  readonly logBytes: number;
}

const DEFAULTS = Object.freeze({ bookmarkIntervalMs: 60_000, firstRevision: 1, maxPendingEvents: 10_000 });

/**
 * The objects of an API server with their history: etcd and the watch cache in one, in memory. It knows neither HTTP nor what an object means.
 *
 * Guarantees: 1. one counter numbers the writes of all resources; what changes nothing is not a write. 2. A stored object never changes; reads copy nothing. 3. As
 * long as a revision is not compacted, lists can be read as of it and watches resume from it, without loss, repetition or disorder. 4. Memory beside the current
 * objects is bounded by the log's limits and each watcher's. 5. A call does all it does before it returns: between two calls nothing changes.
 * Assumptions: objects are JSON (no undefined, no cycles) and belong to the store once written; keys are valid names.
 * Errors: refusals are values ({@link StoreProblem}); what an object that is not JSON throws is thrown before anything has changed.
 */
export class Store {
  readonly #tables = new Map<string, ResourceTable>();
  readonly #log: EventLog;
  readonly #pace: BookmarkPace;
  readonly #watches = new Set<Watcher>();
  readonly #host: WatchHost = { revision: () => this.#revision, detach: (watcher) => this.#detach(watcher) };
  /** Default: writes are in memory alone. */
  journal: WriteJournal | undefined;
  #revision: number;

  constructor({
    clock,
    bookmarkIntervalMs = DEFAULTS.bookmarkIntervalMs,
    firstRevision = DEFAULTS.firstRevision,
    ...limits
  }: StoreOptions) {
    this.#pace = new BookmarkPace(clock, bookmarkIntervalMs);
    this.#revision = firstRevision;
    this.#log = new EventLog({ ...LOG_LIMITS, ...limits }, { revision: firstRevision, onCompacted: (version) => this.#forget(version) });
  }

  /** The revision of the last write. */
  get revision(): number {
    return this.#revision;
  }

  /** The oldest revision that can be read. */
  get compactedRevision(): number {
    return this.#log.compactedRevision;
  }

  get sizes(): StoreSizes {
    let objects = 0;
    for (const table of this.#tables.values()) objects += table.objects;
    return { objects, watches: this.#watches.size, logEvents: this.#log.length, logBytes: this.#log.bytes };
  }

  /** Names of the resources that have objects now. */
  get resources(): readonly string[] {
    return [...this.#tables].filter(([, table]) => table.objects > 0).map(([resource]) => resource);
  }

  /** How many objects each resource has now, for those that have any. */
  get objectCounts(): readonly (readonly [resource: string, count: number])[] {
    return this.resources.map((resource) => [resource, this.#table(resource).objects] as const);
  }

  /** The object as of now. */
  get(key: StoreKey): StoredObject | undefined {
    return this.#tables.get(key.resource)?.latest(key)?.object;
  }

  /** Bytes of the object's JSON. */
  bytesOf(key: StoreKey): number | undefined {
    const version = this.#tables.get(key.resource)?.latest(key);
    return version?.object === undefined ? undefined : version.bytes;
  }

  /** Refuses a revision that is still to come: what a read "not older than" asks first. */
  checkNotOlderThan(revision: number): StoreProblem | undefined {
    return revision > this.#revision ? tooLarge(revision, this.#revision) : undefined;
  }

  create(key: StoreKey, object: StoredObject): Outcome<Written> {
    const current = this.get(key);
    if (current !== undefined) return refused(alreadyExists(current));
    return done(this.#put(key, stamped(object, this.#revision + 1)));
  }

  /** Shares equal parts with the version before. An object without a difference is not a write. */
  update(key: StoreKey, object: StoredObject, guard: Guard = {}): Outcome<Written> {
    const current = this.#guarded(key, guard);
    if (!current.ok) return current;
    const revision = resourceVersionOf(current.value);
    const shared = shareUnchanged(current.value, stamped(object, revision));
    if (shared === current.value) return done({ object: shared, revision, isChanged: false });
    return done(this.#put(key, stamped(shared, this.#revision + 1)));
  }

  /** Returns the object as it last was, with the resource version of its end. */
  delete(key: StoreKey, guard: Guard = {}): Outcome<Written> {
    const current = this.#guarded(key, guard);
    if (!current.ok) return current;
    const object = deepFreeze(stamped(current.value, this.#revision + 1));
    const entry = this.#table(key.resource).entryOf(key);
    this.#commit(new Version(entry, this.#revision + 1, { object: undefined, bytes: key.resource.length + entry.path.length }));
    return done({ object, revision: resourceVersionOf(object), isChanged: true });
  }

  list(query: ListQuery): Outcome<ListPage> {
    // A resource without writes is empty; asking for it must leave nothing behind.
    return listTable(this.#tables.get(query.resource) ?? new ResourceTable(), query, this);
  }

  watch(query: WatchQuery): Outcome<Watch> {
    const { sendInitialEvents = false, resourceVersion = sendInitialEvents ? 0 : this.#revision } = query;
    if (sendInitialEvents && resourceVersion > this.#revision) return refused(tooLarge(resourceVersion, this.#revision));
    if (!sendInitialEvents && resourceVersion < this.compactedRevision)
      return refused(watchExpired(resourceVersion, this.compactedRevision));
    const table = this.#table(query.resource);
    const watcher = new Watcher(this.#host, {
      selection: query,
      matches: query.matches,
      after: sendInitialEvents ? this.#revision : resourceVersion,
      hasBookmarks: query.bookmarks ?? false,
      maxPendingEvents: query.maxPendingEvents ?? DEFAULTS.maxPendingEvents,
      backlog: sendInitialEvents ? initialEvents(table, query, this.#revision) : missedEvents(table, query, resourceVersion),
    });
    this.#attach(watcher);
    return done(watcher);
  }

  /** Gives up all history before `revision`, at most the current one: older lists and watches have then expired. */
  compact(revision: number = this.#revision): void {
    this.#log.compact(Math.min(revision, this.#revision));
  }

  /** All objects as of now. */
  records(): readonly WriteRecord[] {
    const records: WriteRecord[] = [];
    for (const { entries } of this.#tables.values())
      entries.scan('', ({ key, latest }) => {
        if (latest?.object !== undefined) records.push({ key, revision: latest.revision, object: latest.object });
        return true;
      });
    return records;
  }

  /**
   * Takes up the objects of an earlier store, in the order of their revisions, and its revision. Its history is gone: older lists and watches have expired.
   * Assumption: there are no writes and no watches yet.
   */
  restore({ revision, records }: { readonly revision: number; readonly records: readonly WriteRecord[] }): void {
    for (const { key, revision: written, object } of records) {
      if (object === undefined) continue;
      const table = this.#table(key.resource);
      const version = new Version(table.entryOf(key), written, { object: deepFreeze(object), bytes: sizeOf(object) });
      table.add(version);
      this.#log.push(version);
    }
    this.#revision = revision;
    this.#log.compact(revision);
  }

  /** Ends all watches without another event. */
  close(): void {
    for (const watcher of [...this.#watches]) watcher.close();
  }

  #table(resource: string): ResourceTable {
    const known = this.#tables.get(resource);
    if (known !== undefined) return known;
    const table = new ResourceTable();
    this.#tables.set(resource, table);
    return table;
  }

  #guarded(key: StoreKey, { revision }: Guard): Outcome<StoredObject> {
    const current = this.get(key);
    if (current === undefined) return refused(notFound());
    return revision === undefined || revision === resourceVersionOf(current) ? done(current) : refused(conflict(current));
  }

  #put(key: StoreKey, object: StoredObject): Written {
    const bytes = sizeOf(object);
    deepFreeze(object);
    const version = new Version(this.#table(key.resource).entryOf(key), this.#revision + 1, { object, bytes });
    this.#commit(version);
    return { object, revision: version.revision, isChanged: true };
  }

  /** All watchers have the event before any listener is called: one that writes in turn must not come before the others. */
  #commit(version: Version): void {
    const { key } = version.entry;
    this.journal?.append({ key, revision: version.revision, object: version.object });
    this.#revision = version.revision;
    const table = this.#table(key.resource);
    table.add(version);
    this.#log.push(version);
    const watchers = table.watchers.of(key);
    if (watchers.length > 0) {
      const change = new Change(version);
      for (const watcher of watchers) watcher.receive(change);
    }
    // Only now: trimming may cut off the version before this one, which watchers compare with.
    this.#log.trim();
    for (const watcher of watchers) watcher.wake();
  }

  #forget(version: Version): void {
    this.#table(version.entry.key.resource).forget(version);
  }

  #attach(watcher: Watcher): void {
    this.#table(watcher.selection.resource).watchers.add(watcher);
    this.#watches.add(watcher);
    if (watcher.hasBookmarks) this.#pace.add(watcher);
  }

  #detach(watcher: Watcher): void {
    this.#table(watcher.selection.resource).watchers.remove(watcher);
    this.#watches.delete(watcher);
    this.#pace.remove(watcher);
  }
}
