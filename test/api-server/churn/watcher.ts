import type { Sample } from '../fuzz/samples.js';
import { Random } from '../values/apply/differential/random.js';
import type { Client, Lines } from './http.js';
import { type Interest, metaOf, pathOf, type RevisionLog, revisionOf } from './revision-log.js';
import { collectionOf, NAMESPACES } from './subjects.js';
import { COLORS } from './writer.js';

interface Frame {
  readonly type: 'ADDED' | 'BOOKMARK' | 'DELETED' | 'ERROR' | 'MODIFIED';
  readonly object: { readonly [field: string]: unknown; readonly code?: number };
}

interface List {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly { readonly [field: string]: unknown }[];
}

/** How often things have happened: a churn in which nothing did proves nothing. */
export interface WatchFigures {
  events: number;
  bookmarks: number;
  lists: number;
  watches: number;
  expired: number;
}

/** How long a client waits for a silent watch before it opens another, in milliseconds. */
const PATIENCE_MS = [300, 1000, 10_000];

/**
 * A client as an informer is one: lists, watches from there, watches again where it left off, lists anew when that has expired. All that it is told is held
 * against the log.
 */
export class Watcher {
  readonly figures: WatchFigures = { events: 0, bookmarks: 0, lists: 0, watches: 0, expired: 0 };
  readonly #client: Client;
  readonly #random: Random;
  readonly #log: RevisionLog;
  readonly #of: Sample;
  readonly #namespace: string | undefined;
  readonly #color: string | undefined;
  /** All up to here has been told. Undefined: has to list. */
  #position: number | undefined;
  #open: Lines | undefined;
  #isStopped = false;

  constructor(client: Client, log: RevisionLog, { of, seed }: { readonly of: Sample; readonly seed: number }) {
    this.#client = client;
    this.#log = log;
    this.#of = of;
    this.#random = new Random(seed);
    this.#namespace = this.#random.chance(0.5) ? this.#random.one(NAMESPACES) : undefined;
    this.#color = this.#random.chance(0.5) ? this.#random.one(COLORS) : undefined;
  }

  /** What has not been told may not be forgotten; undefined: nothing is needed. */
  get position(): number | undefined {
    return this.#position;
  }

  /** Nothing of what has been written is missing. */
  get isCaughtUp(): boolean {
    return this.#position !== undefined && this.#log.next(this.#position, this.#interest) === undefined;
  }

  /** Runs until it is stopped. @throws Error for the first thing that it is told wrongly */
  async run(): Promise<void> {
    while (!this.#isStopped) {
      if (this.#position === undefined) await this.#list();
      else await this.#watch(this.#position);
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#open?.abort();
  }

  get #path(): string {
    const selector = this.#color === undefined ? '' : `labelSelector=color%3D${this.#color}&`;
    return `${collectionOf(this.#of, this.#namespace)}?${selector}`;
  }

  readonly #interest: Interest = (object) =>
    (this.#namespace === undefined || metaOf(object).namespace === this.#namespace) &&
    (this.#color === undefined || metaOf(object).labels?.['color'] === this.#color);

  async #list(): Promise<void> {
    this.figures.lists += 1;
    const limit = this.#random.one(['', 'limit=3&', 'resourceVersion=0&']);
    const seen = new Map<string, number>();
    for (let token = ''; ; ) {
      const { status, text } = await this.#client.send('GET', `${this.#path}${limit}${token === '' ? '' : `continue=${token}&`}`);
      // A fault, or the first page has been compacted meanwhile: it begins anew.
      if (status !== 200) return;
      const { metadata, items } = JSON.parse(text) as List;
      for (const item of items) {
        if (seen.has(pathOf(item))) this.#fail(`a list has ${pathOf(item)} twice`);
        seen.set(pathOf(item), revisionOf(item));
      }
      token = metadata.continue ?? '';
      if (token === '') {
        this.#checkList(seen, Number(metadata.resourceVersion));
        return;
      }
    }
  }

  #checkList(seen: ReadonlyMap<string, number>, revision: number): void {
    const expected = this.#log.stateAt(revision, this.#interest);
    const differences = [...new Set([...seen.keys(), ...expected.keys()])].filter((path) => seen.get(path) !== expected.get(path));
    if (differences.length > 0)
      this.#fail(
        `a list at ${revision} differs: ${differences.map((path) => `${path} ${seen.get(path)} for ${expected.get(path)}`).join(', ')}`,
      );
    this.#position = revision;
  }

  async #watch(position: number): Promise<void> {
    this.figures.watches += 1;
    const seconds = this.#random.one(['', 'timeoutSeconds=1&', 'timeoutSeconds=3&']);
    const lines = await this.#client.stream(`${this.#path}watch=1&allowWatchBookmarks=true&${seconds}resourceVersion=${position}`);
    if (lines === undefined) return;
    this.#open = lines;
    if (this.#isStopped) lines.abort();
    const patience = setTimeout(() => lines.abort(), this.#random.one(PATIENCE_MS));
    try {
      for await (const line of lines) this.#take(lines.status, line);
    } finally {
      clearTimeout(patience);
      this.#open = undefined;
    }
  }

  #take(status: number, line: string): void {
    if (status !== 200) {
      if (status === 410) this.#expired();
      return;
    }
    const { type, object } = JSON.parse(line) as Frame;
    if (type === 'ERROR') {
      if (object.code !== 410) this.#fail(`a watch ends with ${line}`);
      this.#expired();
    } else if (this.#position === undefined) this.#fail(`${type} comes after the end`);
    else if (type === 'BOOKMARK') this.#bookmarked(this.#position, revisionOf(object));
    else this.#told(this.#position, { type, path: pathOf(object), revision: revisionOf(object) });
  }

  #expired(): void {
    this.figures.expired += 1;
    this.#position = undefined;
  }

  #bookmarked(position: number, revision: number): void {
    this.figures.bookmarks += 1;
    const missed = this.#log.next(position, this.#interest, revision);
    if (missed !== undefined) this.#fail(`a bookmark of ${revision} comes before ${JSON.stringify(missed)}`);
    if (revision < position) this.#fail(`a bookmark of ${revision} comes after ${position}`);
    this.#position = revision;
  }

  #told(position: number, event: { readonly type: string; readonly path: string; readonly revision: number }): void {
    this.figures.events += 1;
    const expected = this.#log.next(position, this.#interest);
    if (expected === undefined || expected.type !== event.type || expected.path !== event.path || expected.revision !== event.revision)
      this.#fail(`after ${position} it is told ${JSON.stringify(event)}, and must be told ${JSON.stringify(expected)}`);
    this.#position = event.revision;
  }

  #fail(message: string): never {
    throw new Error(`${this.#path} ${message}`);
  }
}
