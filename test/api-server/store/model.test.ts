import fc from 'fast-check';
import type { Store, StoredObject, Watch, WatchQuery } from '../../../src/api-server/store/index.js';
import { drain, granted, keyOf, newStore, pod } from './fixtures.js';

/** All states there ever were: revision → path → object. What the store is compared with. */
class Model {
  readonly states = new Map<number, ReadonlyMap<string, StoredObject>>();
  #now: ReadonlyMap<string, StoredObject> = new Map();

  constructor(revision: number) {
    this.states.set(revision, this.#now);
  }

  get now() {
    return this.#now;
  }

  set(revision: number, path: string, object: StoredObject | undefined): void {
    const next = new Map(this.#now);
    if (object === undefined) next.delete(path);
    else next.set(path, object);
    this.#now = next;
    this.states.set(revision, next);
  }

  /** What a list has to answer. */
  at(revision: number, wanted: Wanted): readonly StoredObject[] {
    const state = this.states.get(revision) ?? new Map<string, StoredObject>();
    const paths = [...state.keys()].sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
    return paths.map((path) => state.get(path) as StoredObject).filter((object) => covers(wanted, object));
  }
}

interface Wanted {
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly color: string | undefined;
}

const metadataOf = (object: StoredObject) => object['metadata'] as { namespace: string; name: string; resourceVersion: string };

function covers({ namespace, name, color }: Wanted, object: StoredObject): boolean {
  const metadata = metadataOf(object);
  const isThere = (namespace ?? metadata.namespace) === metadata.namespace && (name ?? metadata.name) === metadata.name;
  return isThere && (color === undefined || object['color'] === color);
}

const queryOf = ({ namespace, name, color }: Wanted): WatchQuery => ({
  resource: 'pods',
  namespace,
  name,
  ...(color === undefined ? {} : { matches: (object) => object['color'] === color }),
});

/** A client's copy, kept by events alone; checks each against the model. */
class Follower {
  readonly watch: Watch;
  readonly wanted: Wanted;
  readonly #copy = new Map<string, StoredObject>();
  #last: number;

  /** `start`: the revision that the copy begins with; undefined: with the initial events. */
  constructor(watch: Watch, wanted: Wanted, { model, start }: { model: Model; start: number | undefined }) {
    this.watch = watch;
    this.wanted = wanted;
    this.#last = start ?? 0;
    for (const object of start === undefined ? [] : model.at(start, wanted)) this.#copy.set(pathOf(object), object);
  }

  /** Applies what has come, and compares at every revision on the way. */
  follow(model: Model, revision: number): void {
    let isInitial = this.#last === 0;
    for (const event of drain(this.watch)) {
      if (event.type === 'ERROR') throw new Error(event.problem.message);
      if (event.type === 'BOOKMARK') {
        isInitial = isInitial && !event.endsInitialEvents;
        this.#expect(model, event.revision);
        this.#last = event.revision;
        continue;
      }
      if (!isInitial) {
        expect(event.revision).toBeGreaterThan(this.#last);
        // Nothing happened in between that this watch should have told.
        for (let between = this.#last; between < event.revision; between += 1) this.#expect(model, between);
        this.#last = event.revision;
      }
      this.#apply(event);
    }
    for (let since = this.#last; since <= revision; since += 1) this.#expect(model, since);
    this.#last = revision;
  }

  #apply({ type, object, revision }: { type: string; object: StoredObject; revision: number }): void {
    const path = pathOf(object);
    expect([type, this.#copy.has(path)]).toEqual([type, type !== 'ADDED']);
    expect(metadataOf(object).resourceVersion).toBe(String(revision));
    if (type === 'DELETED') {
      const { resourceVersion: _, ...before } = metadataOf(this.#copy.get(path) as StoredObject);
      expect(metadataOf(object)).toMatchObject(before);
      this.#copy.delete(path);
    } else this.#copy.set(path, object);
  }

  #expect(model: Model, revision: number): void {
    if (revision === 0 || !model.states.has(revision)) return;
    const copy = [...this.#copy.values()].map((object) => JSON.stringify(object)).sort();
    expect(copy).toEqual(
      model
        .at(revision, this.wanted)
        .map((object) => JSON.stringify(object))
        .sort(),
    );
  }
}

const pathOf = (object: StoredObject) => `${metadataOf(object).namespace}/${metadataOf(object).name}`;

const paths = fc.constantFrom('a/x', 'a/y', 'a-b/x', 'b/x', 'b/ｚ', 'b/😀');
const color = fc.constantFrom('red', 'blue');
const wanted: fc.Arbitrary<Wanted> = fc.record({
  namespace: fc.constantFrom(undefined, 'a', 'b'),
  name: fc.constantFrom(undefined, undefined, 'x'),
  color: fc.constantFrom(undefined, 'red'),
});
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('put' as const), path: paths, color, n: fc.nat(1), lag: fc.nat(2) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), path: paths, lag: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('other' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('watch' as const), wanted, back: fc.option(fc.nat(12), { nil: undefined }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('list' as const), wanted, back: fc.nat(12), limit: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('compact' as const), back: fc.nat(6) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('follow' as const), which: fc.nat(9) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

class Run {
  readonly store: Store;
  readonly model: Model;
  readonly followers: Follower[] = [];
  #others = 0;

  constructor(store: Store) {
    this.store = store;
    this.model = new Model(store.revision);
  }

  take(taken: Step): void {
    const { store } = this;
    if (taken.do === 'put') this.#put(taken);
    else if (taken.do === 'delete') this.#delete(taken);
    else if (taken.do === 'other')
      this.#record('', store.create({ resource: 'nodes', namespace: '', name: `n${store.revision}` }, { metadata: {} }));
    else if (taken.do === 'watch') this.#watch(taken);
    else if (taken.do === 'list') this.#list(taken);
    else if (taken.do === 'compact') store.compact(store.revision - taken.back);
    else this.followers[taken.which]?.follow(this.model, store.revision);
    expect(store.sizes.objects).toBe(this.model.now.size + this.#others);
  }

  #record(path: string, outcome: ReturnType<Store['create']>, isDeletion = false): void {
    const before = Math.max(...this.model.states.keys());
    const { object, revision, isChanged } = granted(outcome);
    expect(revision).toBe(isChanged ? before + 1 : Number(metadataOf(this.model.now.get(path) as StoredObject).resourceVersion));
    if (!isChanged) return;
    if (path === '') this.#others += 1;
    this.model.set(revision, path === '' ? '\0' : path, isDeletion || path === '' ? undefined : object);
  }

  #put({ path, color: painted, n, lag }: Extract<Step, { do: 'put' }>): void {
    const object = pod(path, { color: painted, n });
    const current = this.model.now.get(path);
    if (current === undefined) this.#record(path, this.store.create(keyOf(path), object));
    else {
      const outcome = this.store.update(keyOf(path), object, this.#guard(current, lag));
      if (lag === 2) expect(outcome).toMatchObject({ ok: false, problem: { kind: 'Conflict', current } });
      else {
        expect(granted(outcome).isChanged).toBe(current['color'] !== painted || current['n'] !== n);
        this.#record(path, outcome);
      }
    }
    expect(this.store.create(keyOf(path), object).ok).toBe(false);
  }

  #delete({ path, lag }: Extract<Step, { do: 'delete' }>): void {
    const current = this.model.now.get(path);
    const outcome = this.store.delete(keyOf(path), current === undefined ? {} : this.#guard(current, lag));
    if (current === undefined) expect(outcome).toMatchObject({ problem: { kind: 'NotFound' } });
    else if (lag === 2) expect(outcome).toMatchObject({ problem: { kind: 'Conflict' } });
    else this.#record(path, outcome, true);
  }

  /** 0: unguarded, 1: guarded, 2: with a revision that it no longer has. */
  #guard(current: StoredObject, lag: number) {
    const revision = Number(metadataOf(current).resourceVersion);
    return lag === 0 ? {} : { revision: lag === 1 ? revision : revision - 1 };
  }

  #watch({ wanted: of, back }: Extract<Step, { do: 'watch' }>): void {
    const { store, model } = this;
    if (back === undefined) {
      const watch = granted(store.watch({ ...queryOf(of), sendInitialEvents: true, bookmarks: true }));
      this.followers.push(new Follower(watch, of, { model, start: undefined }));
      return;
    }
    const start = Math.max(1, store.revision - back);
    const outcome = store.watch({ ...queryOf(of), resourceVersion: start });
    expect(outcome.ok).toBe(start >= store.compactedRevision);
    if (outcome.ok) this.followers.push(new Follower(outcome.value, of, { model, start }));
  }

  #list({ wanted: of, back, limit }: Extract<Step, { do: 'list' }>): void {
    const { store, model } = this;
    const revision = Math.max(1, store.revision - back);
    const query = { ...queryOf(of), limit };
    let page = store.list({ ...query, resourceVersion: revision, resourceVersionMatch: 'Exact' });
    expect(page.ok).toBe(revision >= store.compactedRevision);
    const items: StoredObject[] = [];
    while (page.ok) {
      items.push(...page.value.items);
      const { continue: token, remainingItemCount, revision: at } = page.value;
      expect(at).toBe(revision);
      if (remainingItemCount !== undefined) expect(remainingItemCount).toBe(model.at(revision, of).length - items.length);
      if (token === undefined) break;
      page = store.list({ ...query, continue: token });
    }
    if (page.ok) expect(items).toEqual(model.at(revision, of));
  }
}

test('whatever is written, every list and every watch from any revision that is not compacted agrees with a naive model', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120, size: 'max' }), fc.integer({ min: 3, max: 60 }), (steps, maxEvents) => {
      const run = new Run(newStore({ maxEvents }));
      for (const taken of steps) run.take(taken);
      for (const follower of run.followers) follower.follow(run.model, run.store.revision);
      expect(run.store.sizes.logEvents).toBeLessThanOrEqual(maxEvents);
    }),
    { numRuns: 150 },
  );
});
