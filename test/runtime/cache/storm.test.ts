import { type InProcessCluster, TestCluster } from '@keelson/testing';
import { ConfigMap } from 'keelson/kinds/core/v1';
import { Cache, type CacheClient, type CacheRequest, type Informer, type StoredObject } from '../../../src/runtime/cache/index.js';
import { type ApiClient, createClient, isApiError } from '../../../src/runtime/client/index.js';
import { type Clock, systemClock } from '../../../src/runtime/clock/index.js';
import { connectionOf } from '../../../src/runtime/http/index.js';
import { DEADLINE_MS } from '../../deadline.cjs';

const NAMESPACES = ['one', 'two'];
const SILENT_MS = 300;

let cluster: InProcessCluster;
beforeAll(async () => {
  cluster = await TestCluster.start({ namespaces: NAMESPACES });
});
afterAll(() => cluster.close());

/** Pauses of the cache pass fifty times as fast. */
const fast: Clock = {
  monotonicMs: () => systemClock.monotonicMs() * 50,
  wallMs: () => systemClock.wallMs(),
  schedule: (delayMs, callback) => systemClock.schedule(delayMs / 50, callback),
};

/** The same draws in every run with this seed. */
function draws(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A client whose requests faults may strike. */
function operatorClient(): ApiClient {
  const { server } = cluster;
  const token = server.tokenFor({ username: 'operator', groups: ['system:masters', 'system:authenticated'] });
  return createClient({
    connection: connectionOf({ server: server.url, ca: server.certificateAuthority, token }),
    retry: { maxAttempts: 1 },
    fieldManager: 'operator',
  });
}

/** What the listeners of an informer know. */
function replayOf(informer: Informer): Map<string, StoredObject> {
  const known = new Map<string, StoredObject>();
  informer.onChange(({ type, object, previous }) => {
    const { namespace, name } = object.metadata;
    const before = known.get(`${namespace}/${name}`);
    if ((type === 'added') !== (before === undefined) || before !== previous) throw new Error(`${type} ${name} does not follow`);
    if (type === 'deleted') known.delete(`${namespace}/${name}`);
    else known.set(`${namespace}/${name}`, object);
  });
  return known;
}

const SELECTED = { labels: { tier: 'x' } };
const REQUESTS: readonly CacheRequest[] = [
  { kind: ConfigMap },
  { kind: ConfigMap, select: SELECTED },
  { kind: ConfigMap, metadataOnly: true },
  { kind: ConfigMap, select: { namespaces: ['two'], fields: { 'metadata.name': 'o1' } } },
];

const bare = (one: { readonly metadata: object }, metadataOnly: boolean): object => {
  const { managedFields: _, ...metadata } = one.metadata as Record<string, unknown>;
  const { apiVersion, kind } = one as { apiVersion?: string; kind?: string };
  return metadataOnly ? { apiVersion, kind, metadata } : { ...one, metadata };
};
const sorted = (objects: Iterable<object>): object[] => [...objects].sort((a, b) => (keyText(a) < keyText(b) ? -1 : 1));
const keyText = (one: object): string => {
  const { namespace, name } = (one as StoredObject).metadata;
  return `${namespace}/${name}`;
};

/** One write of the test, or of the operator, which hands its answer in. */
async function write(random: () => number, operator: ApiClient, informers: readonly Informer[]): Promise<void> {
  const metadata = {
    name: `o${Math.floor(random() * 12)}`,
    namespace: NAMESPACES[Math.floor(random() * 2)] as string,
    labels: { tier: random() < 0.5 ? 'x' : 'y' },
  };
  const isOwn = random() < 0.5;
  const client = isOwn ? operator : cluster.client;
  const isDeletion = random() < 0.3;
  const data = { n: String(random()) };
  try {
    if (isDeletion) {
      const gone = await client.delete(ConfigMap, metadata);
      if (isOwn && gone !== undefined) for (const informer of informers) informer.deleted({ key: metadata, uid: gone.metadata.uid });
    } else {
      const applied = await client.apply(ConfigMap, { metadata, data }, { force: true, fieldManager: 'x' });
      if (isOwn) for (const informer of informers) informer.written(applied as unknown as StoredObject);
    }
  } catch (error) {
    if (!isApiError(error) && !isOwn) throw error;
  }
}

test.each([1, 2, 3, 4, 5, 6])('after storm %i the cache is what the server is, and so is what listeners were told', async (seed) => {
  const random = draws(seed);
  const operator = operatorClient();
  const client = {
    list: operator.list.bind(operator),
    watch: (kind: never, options: object) => operator.watch(kind, { ...options, silentMs: SILENT_MS } as never),
  } as unknown as CacheClient;
  const failures: string[] = [];
  const log = { debug() {}, info() {}, warn() {}, error: (message: string) => void failures.push(message) };
  const isScoped = seed % 3 === 0;
  const cache = new Cache({
    client,
    clock: fast,
    log,
    random,
    pageSize: 5,
    streamLists: seed % 2 === 0,
    ...(isScoped ? { namespaces: NAMESPACES } : {}),
  });
  const informers = REQUESTS.map((request) => cache.informer(request));
  const replays = informers.map(replayOf);
  cluster.faults.seeded(seed, {
    rates: {
      tooManyRequests: 0.03,
      serverError: 0.05,
      unavailable: 0.05,
      dropBefore: 0.05,
      dropAfter: 0.05,
      expireWatch: 0.2,
      dropAtEvent: 0.03,
      closeAtEvent: 0.03,
      expireAtEvent: 0.03,
      silenceAtEvent: 0.02,
      duplicateEvent: 0.1,
    },
  });
  cache.start();
  try {
    for (let count = 0; count < 150; count += 1) await write(random, operator, informers);
    expect(cluster.faults.log.length).toBeGreaterThan(0);
    cluster.faults.clear();
    await cache.synced();
    const state = await cluster.client.listAll(ConfigMap);
    await cluster.until(
      () => {
        for (const [index, informer] of informers.entries()) {
          const { select, metadataOnly = false } = REQUESTS[index] as CacheRequest;
          const wanted = state.items.filter(
            ({ metadata }) =>
              (select?.labels === undefined || metadata.labels?.['tier'] === 'x') &&
              (select?.fields === undefined || (metadata.name === 'o1' && metadata.namespace === 'two')) &&
              (!isScoped || NAMESPACES.includes(metadata.namespace ?? '')),
          );
          const expected = sorted(wanted.map((one) => bare(one, metadataOnly)));
          expect(sorted(informer.list())).toEqual(expected);
          expect(sorted((replays[index] as Map<string, StoredObject>).values())).toEqual(expected);
        }
      },
      { timeout: DEADLINE_MS },
    );
    expect(failures).toEqual([]);
  } finally {
    cluster.faults.clear();
    await cache.stop();
    operator.close();
  }
});
