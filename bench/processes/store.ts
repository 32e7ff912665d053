/**
 * `node --expose-gc --import tsx bench/processes/store.ts`: what the store of the in-process API server costs, beside plain JSON in a Map.
 *
 * Objects are Pods of some 3.6 KB of JSON, parsed anew for each write, as a request body is; parsing is not counted.
 */
import { type Outcome, Store, type StoredObject, type StoreKey } from '../../src/api-server/store/index.js';
import { shown, table } from '../statistics.js';

const COUNT = 10_000;
const keyOf = (n: number): StoreKey => ({ resource: 'pods', namespace: `ns-${n % 20}`, name: `pod-${(n * 7919) % 1_000_003}` });
const newStore = () => new Store({ clock: { schedule: () => () => {} } });

const rows: string[][] = [];
const row = (what: string, figure: string): void => void rows.push([what, figure]);
const perSecond = (count: number, ms: number): string => `${Math.round((count / ms) * 1000).toLocaleString('en')}/s`;

function timed(run: () => void): number {
  const started = performance.now();
  run();
  return performance.now() - started;
}

function expectDone<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(outcome.problem.message);
  return outcome.value;
}

function heap(): number {
  if (globalThis.gc === undefined) throw new Error('memory is measured with node --expose-gc');
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

function podText(n: number, phase: string): string {
  const { namespace, name } = keyOf(n);
  const labels = { app: 'memcached', 'pod-template-hash': `${n % 97}`, tier: `t${n % 7}` };
  const env = Array.from({ length: 30 }, (_, index) => ({ name: `VARIABLE_${index}`, value: `value ${index} of ${name}` }));
  const containers = ['main', 'side'].map((container) => ({
    name: container,
    image: `example.com/${container}:1.6`,
    env,
    ports: [{ containerPort: 11211 }],
  }));
  return JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace, labels }, spec: { containers }, status: { phase } });
}

const parsed = (phase: string): StoredObject[] => Array.from({ length: COUNT }, (_, n) => JSON.parse(podText(n, phase)) as StoredObject);

function writes(): Store {
  const store = newStore();
  for (let n = 0; n < 1000; n += 1) newStore().create(keyOf(n), JSON.parse(podText(n, 'Pending')) as StoredObject);
  const [created, updated, same] = [parsed('Pending'), parsed('Running'), parsed('Running')];
  row(
    'create',
    perSecond(
      COUNT,
      timed(() => created.forEach((object, n) => void expectDone(store.create(keyOf(n), object)))),
    ),
  );
  const middle = store.revision;
  row(
    'update of a status',
    perSecond(
      COUNT,
      timed(() => updated.forEach((object, n) => void expectDone(store.update(keyOf(n), object)))),
    ),
  );
  row(
    'update that changes nothing',
    perSecond(
      COUNT,
      timed(() => same.forEach((object, n) => void expectDone(store.update(keyOf(n), object)))),
    ),
  );
  lists(store, middle);
  return store;
}

function lists(store: Store, middle: number): void {
  const pods = { resource: 'pods' };
  const listed = (query: object) => timed(() => void expectDone(store.list({ ...pods, ...query })));
  row(`list of ${COUNT}`, `${shown(listed({}))} ms`);
  row(`list of ${COUNT} as of ${COUNT} writes ago`, `${shown(listed({ resourceVersion: middle, resourceVersionMatch: 'Exact' }))} ms`);
  row('list of one namespace of 20', `${shown(listed({ namespace: 'ns-3' }))} ms`);
  const paged = timed(() => {
    let token: string | undefined;
    do token = expectDone(store.list({ ...pods, limit: 500, continue: token })).continue;
    while (token !== undefined);
  });
  row('the same in pages of 500', `${shown(paged)} ms`);
  row(
    'watch resumed behind 10,000 events',
    `${shown(timed(() => expectDone(store.watch({ ...pods, resourceVersion: middle })).close()))} ms`,
  );
}

function watchers(store: Store): void {
  const updates = (count: number): number => {
    const objects = Array.from({ length: count }, (_, n) => JSON.parse(podText(n, `${store.revision}`)) as StoredObject);
    return timed(() => objects.forEach((object, n) => void expectDone(store.update(keyOf(n), object)))) / count;
  };
  const open = (of: (n: number) => object): void => {
    for (let n = 0; n < 1000; n += 1) {
      const watch = expectDone(store.watch({ resource: 'pods', ...of(n) }));
      watch.onEvent(() => {
        while (watch.next() !== undefined) taken += 1;
      });
    }
  };
  let taken = 0;
  const alone = updates(2000);
  open((n) => ({ namespace: keyOf(n).namespace, name: `other-${n}` }));
  const others = updates(2000);
  store.close();
  open(() => ({}));
  const all = updates(2000);
  if (taken !== 2_000_000) throw new Error(`${taken} events arrived`);
  row('update, no watcher', `${shown(alone * 1000)} µs`);
  row('update, 1,000 watchers of other names', `${shown(others * 1000)} µs`);
  row('update, 1,000 watchers that take each event', `${shown(all * 1000)} µs`);
  store.close();
}

/** A function of its own: a register of the caller would keep the parsed objects alive. */
function fill(store: Store, phase: string): void {
  for (let n = 0; n < COUNT; n += 1) {
    const object = JSON.parse(podText(n, phase)) as StoredObject;
    expectDone(phase === 'Pending' ? store.create(keyOf(n), object) : store.update(keyOf(n), object));
  }
}

function memory(): void {
  const size = Buffer.byteLength(podText(1, 'Pending'));
  const empty = heap();
  const plain = new Map(parsed('Pending').map((object, n) => [n, object]));
  const ofPlain = (heap() - empty) / plain.size;
  const before = heap();
  const store = newStore();
  fill(store, 'Pending');
  const ofStore = (heap() - before) / COUNT;
  const created = heap();
  fill(store, 'Running');
  const ofVersion = (heap() - created) / COUNT;
  store.compact();
  row('JSON text of an object', `${size} bytes`);
  row('heap for an object, parsed, in a Map (control)', `${Math.round(ofPlain)} bytes`);
  row('heap for an object in the store', `${Math.round(ofStore)} bytes`);
  row('heap for a former version of which the status differs', `${Math.round(ofVersion)} bytes`);
  row('the same after compaction', `${Math.round((heap() - created) / COUNT)} bytes`);
}

watchers(writes());
memory();
console.log(table(['store', `Node ${process.version}`], rows));
