import { pathOf, type StoreKey } from './store-key.js';
import type { StoredObject } from './stored-object.js';

/** A key that has, or lately had, an object. */
export class Entry {
  readonly key: StoreKey;
  readonly path: string;
  /** Set by the first write, before any reader sees the entry. */
  latest: Version | undefined;

  constructor(key: StoreKey) {
    this.key = key;
    this.path = pathOf(key);
  }

  /** Undefined: there was no object at that revision. */
  at(revision: number): Version | undefined {
    let version = this.latest;
    while (version !== undefined && version.revision > revision) version = version.previous;
    return version?.object === undefined ? undefined : version;
  }
}

/** The result of one write for a key: a link of the key's history, and the event in the log. */
export class Version {
  readonly entry: Entry;
  readonly revision: number;
  /** Undefined: the write deleted the object. */
  readonly object: StoredObject | undefined;
  /** Bytes of `object` as JSON; a deletion counts its key. */
  readonly bytes: number;
  /** Cut off when the log no longer reaches back to it. */
  previous: Version | undefined;

  constructor(entry: Entry, revision: number, written: { readonly object: StoredObject | undefined; readonly bytes: number }) {
    this.entry = entry;
    this.revision = revision;
    this.object = written.object;
    this.bytes = written.bytes;
    this.previous = entry.latest;
  }
}
