import { Fifo } from './fifo.js';
import { firstIndex, OrderedEntries } from './ordered-entries.js';
import { pathOf, type StoreKey } from './store-key.js';
import { Entry, type Version } from './version.js';
import { WatcherIndex } from './watcher-index.js';

/** All that the store has of one resource. */
export class ResourceTable {
  readonly entries: OrderedEntries = new OrderedEntries();
  readonly watchers: WatcherIndex = new WatcherIndex();
  /** This resource's part of the log: a resuming watch does not read the others'. */
  readonly #log = new Fifo<Version>();
  #objects = 0;

  /** Number of objects that exist now. */
  get objects(): number {
    return this.#objects;
  }

  latest(key: StoreKey): Version | undefined {
    return this.entries.get(pathOf(key))?.latest;
  }

  /** The entry of a key that is about to be written. */
  entryOf(key: StoreKey): Entry {
    return this.entries.get(pathOf(key)) ?? new Entry(key);
  }

  add(version: Version): void {
    const { entry } = version;
    if (entry.latest === undefined) this.entries.insert(entry);
    this.#objects += Number(version.object !== undefined) - Number(entry.latest?.object !== undefined);
    entry.latest = version;
    this.#log.push(version);
  }

  /** The versions that are newer than `revision`, oldest first. */
  since(revision: number): readonly Version[] {
    const versions: Version[] = [];
    const first = firstIndex(this.#log.length, (index) => (this.#log.at(index)?.revision ?? 0) > revision);
    for (let index = first; index < this.#log.length; index += 1) {
      const version = this.#log.at(index);
      if (version !== undefined) versions.push(version);
    }
    return versions;
  }

  /** The log gives up `version`, which is the oldest of this resource. */
  forget(version: Version): void {
    this.#log.shift();
    if (version.object === undefined && version.entry.latest === version) this.entries.remove(version.entry);
  }
}
