import type { Store, StoredObject, Watch } from '../../../src/api-server/store/index.js';

/** One write of a resource, as the server has numbered it. */
export interface Entry {
  readonly revision: number;
  readonly path: string;
  readonly before: StoredObject | undefined;
  readonly after: StoredObject | undefined;
}

/** What a client is interested in. */
export type Interest = (object: StoredObject) => boolean;

/** What a client must be told of a write. */
export interface ExpectedEvent {
  readonly type: 'ADDED' | 'DELETED' | 'MODIFIED';
  readonly path: string;
  readonly revision: number;
}

/**
 * All writes of one resource, taken from the store itself and not from what it tells clients over HTTP: what their watches and lists are judged by.
 *
 * What nobody needs any more is forgotten ({@link forgetBefore}), so that it does not grow with time.
 */
export class RevisionLog {
  readonly #watch: Watch;
  readonly #current = new Map<string, StoredObject>();
  /** As it was before the first of the entries. */
  readonly #base = new Map<string, StoredObject>();
  #entries: Entry[] = [];
  /** Of all entries, also those that are forgotten. */
  count = 0;

  constructor(store: Store, resource: string) {
    const watch = store.watch({ resource, sendInitialEvents: true, maxPendingEvents: Number.MAX_SAFE_INTEGER });
    if (!watch.ok) throw new Error(`${resource} cannot be followed: ${watch.problem.message}`);
    this.#watch = watch.value;
    for (let event = this.#watch.next(); event !== undefined; event = this.#watch.next()) {
      if (event.type === 'ERROR' || event.type === 'BOOKMARK') continue;
      this.#base.set(pathOf(event.object), event.object);
      this.#current.set(pathOf(event.object), event.object);
    }
  }

  /** The first event after `revision`, up to and including `until`, that concerns the interest. */
  next(revision: number, interest: Interest, until: number = Number.POSITIVE_INFINITY): ExpectedEvent | undefined {
    this.#take();
    for (let index = this.#indexAfter(revision); index < this.#entries.length; index += 1) {
      const entry = this.#entries[index] as Entry;
      if (entry.revision > until) return undefined;
      const event = eventOf(entry, interest);
      if (event !== undefined) return event;
    }
    return undefined;
  }

  /** Revisions of the objects of interest, by path, as of `revision`. */
  stateAt(revision: number, interest: Interest): Map<string, number> {
    this.#take();
    const objects = new Map(this.#base);
    for (const entry of this.#entries) {
      if (entry.revision > revision) break;
      if (entry.after === undefined) objects.delete(entry.path);
      else objects.set(entry.path, entry.after);
    }
    return new Map([...objects].filter(([, object]) => interest(object)).map(([path, object]) => [path, revisionOf(object)]));
  }

  forgetBefore(revision: number): void {
    this.#take();
    const kept = this.#indexAfter(revision);
    for (const { path, after } of this.#entries.slice(0, kept)) {
      if (after === undefined) this.#base.delete(path);
      else this.#base.set(path, after);
    }
    this.#entries = this.#entries.slice(kept);
  }

  #take(): void {
    for (let event = this.#watch.next(); event !== undefined; event = this.#watch.next()) {
      if (event.type === 'ERROR') throw new Error(`the store has given up its own watch: ${event.problem.message}`);
      if (event.type === 'BOOKMARK') continue;
      const path = pathOf(event.object);
      const after = event.type === 'DELETED' ? undefined : event.object;
      this.#entries.push({ revision: event.revision, path, before: this.#current.get(path), after });
      this.count += 1;
      if (after === undefined) this.#current.delete(path);
      else this.#current.set(path, after);
    }
  }

  #indexAfter(revision: number): number {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle] as Entry).revision > revision) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

function eventOf({ before, after, path, revision }: Entry, interest: Interest): ExpectedEvent | undefined {
  const was = before !== undefined && interest(before);
  const is = after !== undefined && interest(after);
  if (!was && !is) return undefined;
  return { type: was && is ? 'MODIFIED' : is ? 'ADDED' : 'DELETED', path, revision };
}

interface Meta {
  readonly name: string;
  readonly namespace?: string;
  readonly resourceVersion: string;
  readonly labels?: Readonly<Record<string, string>>;
}

export const metaOf = (object: { readonly [field: string]: unknown }): Meta => object['metadata'] as Meta;
export const revisionOf = (object: { readonly [field: string]: unknown }): number => Number(metaOf(object).resourceVersion);
export const pathOf = (object: { readonly [field: string]: unknown }): string => `${metaOf(object).namespace ?? ''}/${metaOf(object).name}`;
