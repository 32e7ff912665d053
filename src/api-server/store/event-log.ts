import { Fifo } from './fifo.js';
import type { Version } from './version.js';

/** How far back watches can resume and lists can page. */
export interface LogLimits {
  /**
   * Most events that are kept.
   * @defaultValue 50_000 — about 25 MB where an update changes little; a real server's watch cache keeps up to 102,400 of each resource
   */
  readonly maxEvents: number;
  /**
   * Most bytes of JSON in the kept events. Parts that versions of one object share are counted in each but held once.
   * @defaultValue 67_108_864 — 64 MiB
   */
  readonly maxBytes: number;
}

export const LOG_LIMITS: LogLimits = Object.freeze({ maxEvents: 50_000, maxBytes: 64 * 1024 * 1024 });

/** All versions of all resources that are not compacted, in the order of their revisions. */
export class EventLog {
  readonly #versions = new Fifo<Version>();
  readonly #limits: LogLimits;
  readonly #onCompacted: (version: Version) => void;
  #bytes = 0;
  #compacted: number;

  /** `onCompacted` gets each version that leaves the log, in order. */
  constructor(limits: LogLimits, start: { readonly revision: number; readonly onCompacted: (version: Version) => void }) {
    this.#limits = limits;
    this.#compacted = start.revision;
    this.#onCompacted = start.onCompacted;
  }

  /** The oldest revision that can be read, and from which a watch can start. */
  get compactedRevision(): number {
    return this.#compacted;
  }

  get length(): number {
    return this.#versions.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  push(version: Version): void {
    this.#versions.push(version);
    this.#bytes += version.bytes;
  }

  /** Lets go of what exceeds the limits. */
  trim(): void {
    while (this.#versions.length > this.#limits.maxEvents || this.#bytes > this.#limits.maxBytes) this.#dropFirst();
  }

  compact(revision: number): void {
    while ((this.#versions.at(0)?.revision ?? Number.POSITIVE_INFINITY) <= revision) this.#dropFirst();
    this.#compacted = Math.max(this.#compacted, revision);
  }

  #dropFirst(): void {
    const version = this.#versions.shift();
    if (version === undefined) return;
    this.#bytes -= version.bytes;
    this.#compacted = version.revision;
    // A reader at this revision or later does not look behind it.
    version.previous = undefined;
    this.#onCompacted(version);
  }
}
