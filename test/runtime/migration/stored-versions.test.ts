import { CustomResourceDefinition } from 'keelson/kinds';
import { ApiServer } from '../../../src/api-server/index.js';
import { groupVersionOf } from '../../../src/kubernetes/apimachinery/index.js';
import { type ApiClient, createClient, jsonPatch } from '../../../src/runtime/client/index.js';
import { connectionOf } from '../../../src/runtime/http/index.js';
import { type MigrationObserver, StoredVersionMigration } from '../../../src/runtime/migration/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { MemoryLog } from '../harness/running-controller.js';
import { CRD_NAME, fill, install, kindOf, live, modelOf, type Release, storedVersions } from './releases.js';

let server: ApiServer;
let client: ApiClient;
beforeEach(async () => {
  server = await ApiServer.start();
  const token = server.tokenFor({ username: 'admin', groups: ['system:masters'] });
  const connection = connectionOf({ server: server.url, ca: server.certificateAuthority, token });
  client = createClient({ connection, fieldManager: 'valves' });
});
afterEach(async () => {
  client.close();
  await server.close();
});

const valve = (name: string): never => ({ namespace: 'default', name }) as never;

function migration(release: Release, more: { readonly clock?: FakeClock; readonly observer?: MigrationObserver } = {}) {
  const { clock = new FakeClock(), observer } = more;
  const log = new MemoryLog();
  return {
    clock,
    log,
    migration: new StoredVersionMigration({ client, clock, log, random: () => 0.5, resource: modelOf(release), observer }),
  };
}

test('objects of an old version are stored anew, and the old version can be dropped from the CRD', async () => {
  await install(client, 'alpha');
  await fill(client, 'alpha', 60);
  await install(client, 'both');
  expect(await storedVersions(client)).toEqual(['v1alpha1', 'v1']);
  await expect(install(client, 'dropped')).rejects.toThrow('status.storedVersions');

  expect(await live(client, 'both', Number.POSITIVE_INFINITY, 20)).toEqual({ writes: 60, hasEnded: true });
  expect(await storedVersions(client)).toEqual(['v1']);
  expect((await client.get(CustomResourceDefinition, { name: CRD_NAME })).metadata.annotations).toBeUndefined();

  await install(client, 'dropped');
  const { items } = await client.listAll(kindOf('dropped'), { namespace: 'default' } as never);
  expect(items).toHaveLength(60);
  expect(await live(client, 'dropped', 0, 20)).toEqual({ writes: 0, hasEnded: true });
});

test('killed again and again, it goes on after the last page', async () => {
  await install(client, 'alpha');
  await fill(client, 'alpha', 200);
  await install(client, 'both');
  const lives = [];
  for (let kill = 0; kill < 20; kill += 1) {
    const life = await live(client, 'both', 15, 10);
    lives.push(life);
    if (life.hasEnded) break;
    expect(await storedVersions(client)).toEqual(['v1alpha1', 'v1']);
  }
  if (lives.at(-1)?.hasEnded !== true) lives.push(await live(client, 'both', Number.POSITIVE_INFINITY, 10));
  expect(lives.at(-1)?.hasEnded).toBe(true);
  expect(await storedVersions(client)).toEqual(['v1']);
  // Each life loses the page at which it was killed, and no more.
  expect(lives.reduce((sum, { writes }) => sum + writes, 0)).toBeLessThan(200 + lives.length * 20);
});

test('a change of the CRD amid the work begins it anew: objects may have been stored as it was then', async () => {
  await install(client, 'alpha');
  await fill(client, 'alpha', 30);
  await install(client, 'both');
  expect((await live(client, 'both', 15, 10)).hasEnded).toBe(false);
  await client.patch(
    CustomResourceDefinition,
    { name: CRD_NAME },
    jsonPatch([{ op: 'add', path: '/spec/names/shortNames', value: ['vlv'] }]),
  );
  expect(await live(client, 'both', Number.POSITIVE_INFINITY, 10)).toEqual({ writes: 30, hasEnded: true });
});

test('managed fields of a version that is served no more are taken away, once, and those of others stay', async () => {
  await install(client, 'alpha');
  await fill(client, 'alpha', 3);
  await install(client, 'both');
  await client.patch(kindOf('both'), valve('valve-1'), { type: 'merge', body: { spec: { size: 5 } } } as never, {
    fieldManager: 'somebody',
  });
  await live(client, 'both', Number.POSITIVE_INFINITY, 10);
  const managers = async (name: string): Promise<unknown[]> =>
    ((await client.get(kindOf('both'), valve(name))) as { metadata: { managedFields?: readonly object[] } }).metadata.managedFields?.map(
      (entry) => {
        const { manager, apiVersion } = entry as { manager?: string; apiVersion?: string };
        return `${manager} ${groupVersionOf(apiVersion ?? '').version}`;
      },
    ) ?? [];
  expect(await managers('valve-1')).toEqual(expect.arrayContaining(['admin v1alpha1', 'somebody v1']));

  await install(client, 'unserved');
  expect(await live(client, 'unserved', Number.POSITIVE_INFINITY, 10)).toEqual({ writes: 3, hasEnded: true });
  expect(await managers('valve-0')).toEqual(['keelson-stored-versions v1']);
  expect(await managers('valve-1')).toEqual(['somebody v1']);
  expect(await live(client, 'unserved', 0, 10)).toEqual({ writes: 0, hasEnded: true });
});

test('it waits before the first object: API servers must have heard of the new storage version', async () => {
  await install(client, 'alpha');
  await fill(client, 'alpha', 3);
  await install(client, 'both');
  const counted: string[] = [];
  const { clock, migration: waiting } = migration('both', {
    observer: { rewrote: (crd, result) => void counted.push(`${crd} ${result}`) },
  });
  const running = waiting.run(new AbortController().signal);
  await clock.timer((delayMs) => delayMs === 30_000);
  expect(counted).toEqual([]);
  clock.advance(30_000);
  await running;
  expect(counted).toEqual(Array.from({ length: 3 }, () => `${CRD_NAME} ok`));
});

test('the CRD of another release, and none, are waited for and logged once', async () => {
  const { clock, log, migration: waiting } = migration('both');
  const ended = new AbortController();
  const running = waiting.run(ended.signal);
  await clock.timer((delayMs) => delayMs === 60_000);
  await install(client, 'alpha');
  clock.advance(60_000);
  await clock.timer((delayMs) => delayMs === 60_000);
  clock.advance(60_000);
  await clock.timer((delayMs) => delayMs === 60_000);
  ended.abort();
  await running;
  expect(log.lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields['why'])).toEqual([
    `the CRD ${CRD_NAME} is not installed`,
    `the CRD ${CRD_NAME} stores v1alpha1, this release v1: apply the CRD of this release`,
  ]);
});

test('an object that the server refuses keeps the old version stored, is named, and is tried again with the next pass', async () => {
  await install(client, 'alpha');
  await fill(client, 'alpha', 25);
  await install(client, 'both');
  let isMended = false;
  const refusing = new Proxy(client, {
    get: (target, property) => {
      const found: unknown = Reflect.get(target, property, target);
      if (property !== 'patch') return typeof found === 'function' ? found.bind(target) : found;
      return async (kind: { kind: string }, key: { name: string }, ...rest: unknown[]): Promise<unknown> => {
        if (kind.kind === 'Valve' && key.name === 'valve-7' && !isMended)
          return client.create(kindOf('both'), { metadata: { name: 'Not A Name', namespace: 'default' }, spec: {} } as never);
        return Reflect.apply(found as () => unknown, target, [kind, key, ...rest]);
      };
    },
  });
  const log = new MemoryLog();
  const clock = new FakeClock();
  const running = new StoredVersionMigration({
    client: refusing,
    clock,
    log,
    random: () => 0.5,
    resource: modelOf('both'),
    pageSize: 10,
  }).run(new AbortController().signal);
  await clock.timer((delayMs) => delayMs === 30_000);
  clock.advance(30_000);
  await clock.timer((delayMs) => delayMs === 1_000);
  expect(await storedVersions(client)).toEqual(['v1alpha1', 'v1']);
  const [warning] = log.lines.filter(({ level }) => level === 'warn');
  expect(String(warning?.fields['error'])).toMatch(
    /Error: 1 objects of valves.migration.keelson.example cannot be written without a change: default\/valve-7 \(/,
  );
  isMended = true;
  clock.advance(1_000);
  await Promise.race([running, clock.timer((delayMs) => delayMs === 30_000).then(() => clock.advance(30_000))]);
  await running;
  expect(await storedVersions(client)).toEqual(['v1']);
});
