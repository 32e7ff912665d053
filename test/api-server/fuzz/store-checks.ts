import type { ResourceCatalog } from '../../../src/api-server/contract/index.js';
import type { Store, StoredObject, Watch } from '../../../src/api-server/store/index.js';

interface Meta {
  readonly name?: unknown;
  readonly namespace?: unknown;
  readonly uid?: unknown;
  readonly resourceVersion?: unknown;
}

/**
 * Holds a store to what it promises, from outside: its watches tell exactly what its lists show, and every object is whole, frozen and where its metadata says.
 */
export class StoreChecks {
  readonly #store: Store;
  readonly #catalog: ResourceCatalog;
  readonly #followed = new Map<string, Followed>();

  constructor(store: Store, catalog: ResourceCatalog) {
    this.#store = store;
    this.#catalog = catalog;
  }

  /** To be called at least once before the first write and then now and again: a resource is followed from then on. @throws Error that says what does not hold */
  check(): void {
    const uids = new Map<string, string>();
    const revisions = new Set<number>();
    let objects = 0;
    for (const resource of this.#resources()) {
      const listed = this.#listed(resource);
      objects += listed.size;
      for (const [path, object] of listed) this.#checkObject(`${resource} ${path}`, object, { uids, revisions });
      this.#checkWatched(resource, listed);
    }
    if (objects !== this.#store.sizes.objects)
      throw new Error(`the store counts ${this.#store.sizes.objects} objects, its lists have ${objects}`);
    const { compactedRevision, revision } = this.#store;
    if (compactedRevision > revision) throw new Error(`compacted at ${compactedRevision}, but it is ${revision}`);
  }

  #resources(): ReadonlySet<string> {
    return new Set([...this.#catalog.resources.map(({ storageKey }) => storageKey), ...this.#store.resources, ...this.#followed.keys()]);
  }

  #listed(resource: string): ReadonlyMap<string, StoredObject> {
    const page = this.#store.list({ resource });
    if (!page.ok) throw new Error(`${resource} cannot be listed: ${page.problem.message}`);
    const listed = new Map(page.value.items.map((object) => [pathOf(object), object]));
    if (listed.size !== page.value.items.length) throw new Error(`${resource}: two objects at one place`);
    return listed;
  }

  #checkObject(what: string, object: StoredObject, seen: { uids: Map<string, string>; revisions: Set<number> }): void {
    const { name, uid, resourceVersion } = metaOf(object);
    if (typeof name !== 'string' || name === '' || typeof uid !== 'string' || uid === '') throw new Error(`${what} has no name or uid`);
    const other = seen.uids.get(uid);
    if (other !== undefined) throw new Error(`${what} has the uid of ${other}`);
    seen.uids.set(uid, what);
    const revision = Number(resourceVersion);
    if (!(revision >= 1 && revision <= this.#store.revision))
      throw new Error(`${what} has the resource version ${String(resourceVersion)}`);
    if (seen.revisions.has(revision)) throw new Error(`${what} shares its resource version with another object`);
    seen.revisions.add(revision);
    checkValue(what, object);
  }

  #checkWatched(resource: string, listed: ReadonlyMap<string, StoredObject>): void {
    const known = this.#followed.get(resource);
    if (known === undefined) {
      this.#followed.set(resource, new Followed(this.#store, resource));
      return;
    }
    const told = known.objects();
    for (const [path, object] of listed)
      if (told.get(path) !== object) throw new Error(`${resource} ${path}: a watch tells of another object than the list`);
    if (told.size !== listed.size) throw new Error(`${resource}: a watch knows ${told.size} objects, the list ${listed.size}`);
  }
}

/** What an observer of all events of a resource knows. */
class Followed {
  readonly #objects = new Map<string, StoredObject>();
  readonly #resource: string;
  readonly #watch: Watch;
  #revision = 0;

  constructor(store: Store, resource: string) {
    this.#resource = resource;
    const watch = store.watch({ resource, sendInitialEvents: true, maxPendingEvents: Number.MAX_SAFE_INTEGER });
    if (!watch.ok) throw new Error(`${resource} cannot be watched: ${watch.problem.message}`);
    this.#watch = watch.value;
    while (this.#watch.pending > 0) this.#take({ isInitial: true });
  }

  objects(): ReadonlyMap<string, StoredObject> {
    while (this.#watch.pending > 0) this.#take({ isInitial: false });
    return this.#objects;
  }

  #take({ isInitial }: { readonly isInitial: boolean }): void {
    const event = this.#watch.next();
    if (event === undefined) throw new Error(`${this.#resource}: an event was promised and did not come`);
    if (event.type === 'ERROR') throw new Error(`${this.#resource}: ${event.problem.message}`);
    if (event.type === 'BOOKMARK') return;
    const path = pathOf(event.object);
    if (!isInitial && event.revision <= this.#revision)
      throw new Error(`${this.#resource} ${path}: ${event.revision} comes after ${this.#revision}`);
    this.#revision = Math.max(this.#revision, event.revision);
    if ((event.type === 'ADDED') === this.#objects.has(path))
      throw new Error(`${this.#resource} ${path}: ${event.type} does not follow from what came before`);
    if (event.type === 'DELETED') this.#objects.delete(path);
    else this.#objects.set(path, event.object);
  }
}

const metaOf = (object: StoredObject): Meta => (object['metadata'] ?? {}) as Meta;

function pathOf(object: StoredObject): string {
  const { name, namespace = '' } = metaOf(object);
  return `${String(namespace)}/${String(name)}`;
}

function checkValue(what: string, value: unknown): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error(`${what} holds ${value}, which is not JSON`);
    return;
  }
  if (typeof value !== 'object') throw new Error(`${what} holds a ${typeof value}`);
  if (!Object.isFrozen(value)) throw new Error(`${what} can be changed`);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype)
    throw new Error(`${what} holds something else than objects and lists`);
  for (const item of Object.values(value)) checkValue(what, item);
}
