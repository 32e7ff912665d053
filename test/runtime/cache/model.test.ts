import fc from 'fast-check';
import { ConfigMap } from 'keelson/kinds/core/v1';
import type { CacheChange, StoredObject } from '../../../src/runtime/cache/index.js';
import { Cache } from '../../../src/runtime/cache/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { added, bookmark, deleted, errors, modified, object, settle } from './scene.js';
import { ScriptedApi, type ScriptedRequest, type ScriptedWatch } from './scripted-api.js';

type Snapshot = ReadonlyMap<string, StoredObject>;
interface ServerEvent {
  readonly revision: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: StoredObject;
}

/** A server that remembers every state that it has had. */
class ModelServer {
  readonly snapshots = new Map<number, Snapshot>([[1, new Map()]]);
  readonly events: ServerEvent[] = [];
  revision = 1;
  compacted = 0;
  #uids = 0;

  get now(): Snapshot {
    return this.snapshots.get(this.revision) as Snapshot;
  }

  /** @returns the answer of the write; of a deletion that of the object */
  write(name: string, what: 'put' | 'delete' | 'recreate'): StoredObject | undefined {
    const found = this.now.get(name);
    if (what !== 'put' && found === undefined) return undefined;
    if (what !== 'put') this.#step('DELETED', name, found?.metadata.uid ?? '');
    if (what === 'delete') return found;
    const uid = what === 'put' ? found?.metadata.uid : undefined;
    this.#uids += 1;
    return this.#step(uid === undefined ? 'ADDED' : 'MODIFIED', name, uid ?? `uid-${this.#uids}`);
  }

  /** Something else in the cluster is written. */
  tick(): void {
    this.snapshots.set(this.revision + 1, this.now);
    this.revision += 1;
  }

  #step(type: ServerEvent['type'], name: string, uid: string): StoredObject {
    const revision = this.revision + 1;
    const value = object(name, revision, { uid });
    const next = new Map(this.now);
    if (type === 'DELETED') next.delete(name);
    else next.set(name, value);
    this.snapshots.set(revision, next);
    this.events.push({ revision, type, object: value });
    this.revision = revision;
    return value;
  }
}

interface OpenWatch {
  readonly watch: ScriptedWatch;
  /** All up to here has been sent. */
  sent: number;
  initial: StoredObject[] | undefined;
  readonly initialRevision: number;
}

const names = ['a', 'b', 'c'];
const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      name: fc.constantFrom(...names),
      what: fc.constantFrom('put', 'put', 'delete', 'recreate'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('own' as const),
      name: fc.constantFrom(...names),
      what: fc.constantFrom('put', 'put', 'delete', 'recreate'),
      late: fc.boolean(),
    }),
  },
  { weight: 10, arbitrary: fc.record({ do: fc.constant('answer' as const), count: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('tick' as const, 'bookmark' as const, 'repeat' as const, 'hand in' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'reset' as const,
        'end' as const,
        'expire' as const,
        'compact' as const,
        'refuse' as const,
        'stale list' as const,
      ),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('time' as const), ms: fc.constantFrom(500, 3_000, 40_000) }) },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

/** Plays a story of a server, its connections and own writes against a cache, and judges what is read after each step. */
class Play {
  readonly server = new ModelServer();
  readonly api = new ScriptedApi();
  readonly clock = new FakeClock();
  readonly cache: Cache;
  readonly told = new Map<string, StoredObject>();
  readonly #informer;
  #request: ScriptedRequest | undefined;
  #open: OpenWatch | undefined;
  #page: { revision: number; names: string[] } | undefined;
  #answers: (() => void)[] = [];
  #seen = 0;
  /** By name, what reads have shown last. */
  readonly #read = new Map<string, number>();

  constructor(streamLists: boolean) {
    const silent = {
      debug() {},
      info() {},
      warn() {},
      error: (message: string) => {
        throw new Error(message);
      },
    };
    this.cache = new Cache({
      client: this.api.client,
      clock: this.clock,
      log: silent,
      random: () => 0.5,
      pageSize: 2,
      streamLists,
    });
    this.#informer = this.cache.informer({ kind: ConfigMap, indexes: { byName: ({ metadata }) => [metadata.name] } });
    this.#informer.onChange((change) => this.#hear(change));
    this.cache.start();
  }

  async run(actions: readonly Action[]): Promise<void> {
    try {
      for (const one of actions) {
        await this.#do(one);
        await settle();
        this.#judge();
      }
      await this.#calm();
    } finally {
      await this.cache.stop();
    }
  }

  /** When nothing goes wrong any more, the cache comes to the state of the server. */
  async #calm(): Promise<void> {
    for (const hand of this.#answers.splice(0)) hand();
    for (let turn = 0; turn < 60; turn += 1) {
      await this.#answer(3);
      await settle();
      this.clock.advance(10_000);
      await settle();
      this.#judge();
    }
    this.server.tick();
    this.#open?.watch.send(bookmark(this.server.revision));
    await settle();
    expect(versions(this.#informer.list())).toEqual(versions(this.server.now.values()));
    expect(versions(this.told.values())).toEqual(versions(this.server.now.values()));
  }

  async #do(one: Action): Promise<void> {
    switch (one.do) {
      case 'write':
        this.server.write(one.name, one.what as 'put');
        return;
      case 'own':
        this.#own(one.name, one.what as 'put', one.late);
        return;
      case 'hand in':
        this.#answers.shift()?.();
        return;
      case 'tick':
        this.server.tick();
        return;
      case 'answer':
        return this.#answer(one.count);
      case 'time':
        this.clock.advance(one.ms);
        return;
      case 'compact':
        this.server.compacted = this.server.revision - 1;
        return;
      case 'stale list':
        return this.#staleList();
      default:
        return this.#disturb(one.do);
    }
  }

  #own(name: string, what: 'put' | 'delete' | 'recreate', late: boolean): void {
    const before = this.server.now.get(name);
    const answer = this.server.write(name, what);
    if (answer === undefined) return;
    const hand = (): void => {
      if (what !== 'put' && before !== undefined) this.#informer.deleted({ key: { namespace: 'default', name }, uid: before.metadata.uid });
      if (what !== 'delete') this.#informer.written(structuredClone(answer));
    };
    if (late) this.#answers.push(hand);
    else hand();
  }

  #disturb(how: 'bookmark' | 'repeat' | 'reset' | 'end' | 'expire' | 'refuse'): void {
    const open = this.#open;
    if (how === 'refuse') {
      this.#take()?.fail(errors.internal());
      this.#page = undefined;
      return;
    }
    if (open === undefined) return;
    if (how === 'bookmark') {
      // A server that has nothing more to send up to now says so.
      if (open.initial === undefined && this.#next(open) === undefined) {
        open.sent = this.server.revision;
        open.watch.send(bookmark(open.sent));
      }
      return;
    }
    if (how === 'repeat') {
      const last = this.server.events.findLast(({ revision }) => revision <= open.sent);
      if (last !== undefined && open.initial === undefined) open.watch.send({ type: last.type, object: structuredClone(last.object) });
      return;
    }
    this.#open = undefined;
    if (how === 'end') open.watch.end();
    else open.watch.fail(how === 'expire' ? errors.expired() : errors.internal());
  }

  #staleList(): void {
    const request = this.#peek();
    if (request?.verb !== 'list' || request.options.continue !== undefined) return;
    this.#request = undefined;
    const revision = Math.max(1, this.server.revision - 3);
    request.page(this.#objects(revision, [...(this.server.snapshots.get(revision) as Snapshot).keys()]), String(revision));
  }

  #peek(): ScriptedRequest | undefined {
    if (this.#request === undefined && this.api.unanswered > 0) {
      void this.api.next(this.api.requests.at(-1)?.verb ?? 'list').then((request) => {
        this.#request = request;
      });
    }
    return this.#request;
  }

  #take(): ScriptedRequest | undefined {
    const request = this.#peek();
    this.#request = undefined;
    return request;
  }

  async #answer(count: number): Promise<void> {
    this.#peek();
    await settle();
    const request = this.#take();
    if (request?.verb === 'list') this.#list(request);
    else if (request !== undefined) this.#watch(request);
    for (let index = 0; index < count; index += 1) this.#send();
  }

  #list(request: ScriptedRequest): void {
    if (request.options.continue === undefined) this.#page = { revision: this.server.revision, names: [...this.server.now.keys()] };
    const page = this.#page;
    if (page === undefined || (request.options.continue !== undefined && page.revision < this.server.compacted)) {
      this.#page = undefined;
      request.fail(errors.expired());
      return;
    }
    request.page(this.#objects(page.revision, page.names.splice(0, 2)), String(page.revision), page.names.length > 0 ? 'more' : undefined);
  }

  #objects(revision: number, wanted: readonly string[]): StoredObject[] {
    const snapshot = this.server.snapshots.get(revision) as Snapshot;
    return wanted.map((name) => structuredClone(snapshot.get(name) as StoredObject));
  }

  #watch(request: ScriptedRequest): void {
    if (request.options.sendInitialEvents === true) {
      const initial = this.#objects(this.server.revision, [...this.server.now.keys()]);
      this.#open = { watch: request.open(), sent: this.server.revision, initial, initialRevision: this.server.revision };
      return;
    }
    const from = Number(request.options.resourceVersion);
    if (from < this.server.compacted) request.fail(errors.expired());
    else this.#open = { watch: request.open(), sent: from, initial: undefined, initialRevision: 0 };
  }

  #next({ sent }: OpenWatch): ServerEvent | undefined {
    return this.server.events.find(({ revision }) => revision > sent);
  }

  #send(): void {
    const open = this.#open;
    if (open === undefined) return;
    if (open.initial !== undefined) {
      const first = open.initial.shift();
      open.watch.send(first === undefined ? bookmark(open.initialRevision, true) : added(first));
      if (first === undefined) open.initial = undefined;
      return;
    }
    const next = this.#next(open);
    if (next === undefined) return;
    open.sent = next.revision;
    const make = { ADDED: added, MODIFIED: modified, DELETED: deleted }[next.type];
    open.watch.send(make(structuredClone(next.object)));
  }

  #hear({ type, object: value, previous }: CacheChange): void {
    const { name } = value.metadata;
    const known = this.told.get(name);
    if (type === 'added') expect(known).toBeUndefined();
    else expect(known).toBe(previous);
    if (type === 'deleted') this.told.delete(name);
    else this.told.set(name, value);
  }

  #judge(): void {
    const { resourceVersion } = this.#informer;
    if (resourceVersion === undefined) {
      expect(() => this.#informer.list()).toThrow();
      return;
    }
    const revision = Number(resourceVersion);
    expect(revision).toBeGreaterThanOrEqual(this.#seen);
    this.#seen = revision;
    // What listeners know is one state of the server's.
    expect(versions(this.told.values())).toEqual(versions((this.server.snapshots.get(revision) as Snapshot).values()));
    const read = this.#informer.list();
    for (const value of read) {
      const { name, resourceVersion: version } = value.metadata;
      expect(this.#informer.list({ index: { byName: name } })).toEqual([value]);
      expect(this.#informer.get(value.metadata)).toBe(value);
      // What is read has been on the server, and never grows younger.
      expect((this.server.snapshots.get(Number(version)) as Snapshot).get(name)?.metadata.uid).toBe(value.metadata.uid);
      expect(Number(version)).toBeGreaterThanOrEqual(this.#read.get(name) ?? 0);
      this.#read.set(name, Number(version));
    }
  }
}

function versions(objects: Iterable<StoredObject>): Record<string, string> {
  return Object.fromEntries(
    [...objects]
      .map(({ metadata }) => [metadata.name, `${metadata.uid}@${metadata.resourceVersion}`])
      .sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  );
}

test.each([false, true])(
  'whatever happens, what is held is one state of the server, and never goes back (streamed lists: %s)',
  async (streamLists) => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 60 }), (actions) => new Play(streamLists).run(actions)),
      { numRuns: 80 },
    );
  },
);
