import type { CustomResourceModel } from '../../../src/keelson/definition/index.js';
import type { ObjectMeta } from '../../../src/kubernetes/apimachinery/index.js';
import { StoredVersionMigration, type StoredVersionMigrationOptions } from '../../../src/runtime/migration/index.js';
import { PROGRESS_ANNOTATION } from '../../../src/runtime/migration/plan.js';
import { FakeClock } from '../clock/fake-clock.js';
import { MemoryLog } from '../harness/running-controller.js';
import { CRD_NAME, modelOf } from './releases.js';
import { refused, ScriptedServer } from './scripted-server.js';

const named = (...names: readonly string[]): readonly ObjectMeta[] => names.map((name) => ({ name, namespace: 'shop' }));

function scene(options: Partial<StoredVersionMigrationOptions> = {}) {
  const server = new ScriptedServer();
  const clock = new FakeClock();
  const log = new MemoryLog();
  const counted: string[] = [];
  const migration = new StoredVersionMigration({
    client: server.client,
    clock,
    log,
    random: () => 0.5,
    resource: modelOf('both'),
    settleMs: 0,
    observer: { rewrote: (crd, result) => void counted.push(`${crd} ${result}`) },
    ...options,
  });
  const end = new AbortController();
  return { server, clock, log, counted, migration, end };
}

/** Runs a migration to its end, and lets the pause before the first object pass. */
async function runToEnd({ migration, clock, end }: ReturnType<typeof scene>): Promise<void> {
  const running = migration.run(end.signal);
  await clock.timer((delayMs) => delayMs === 0);
  clock.advance(0);
  await running;
}

/** Begins a run, and resolves when it waits for another try. */
async function runToPause({ migration, clock, end }: ReturnType<typeof scene>): Promise<void> {
  void migration.run(end.signal);
  await clock.timer((delayMs) => delayMs === 0);
  clock.advance(0);
  await clock.timer((delayMs) => delayMs === 1_000);
}

const errorIn = (log: MemoryLog): string => String(log.lines.find(({ level }) => level === 'warn')?.fields['error']);

test('each page is written, then kept; with the last one the storage version is the only one', async () => {
  const all = scene({ pageSize: 2 });
  all.server.lists = [[named('a', 'b'), named('c')]];
  await runToEnd(all);
  const { written, kept, statusPatches, limits } = all.server;
  expect([...written].sort()).toEqual(['shop/a', 'shop/b', 'shop/c']);
  expect(kept).toEqual([{ generation: 3, after: 'shop/b' }, { generation: 3, after: 'shop/c' }, null]);
  expect(statusPatches).toEqual([
    [
      { op: 'test', path: '/metadata/generation', value: 3 },
      { op: 'test', path: '/status/storedVersions', value: ['v1alpha1', 'v1'] },
      { op: 'replace', path: '/status/storedVersions', value: ['v1'] },
    ],
  ]);
  expect(limits).toEqual([2]);
  expect(all.counted).toEqual(Array.from({ length: 3 }, () => `${CRD_NAME} ok`));
  expect(all.log.lines).toEqual([
    {
      level: 'info',
      message: 'bringing stored objects to the storage version',
      fields: { crd: CRD_NAME, from: ['v1alpha1', 'v1'], to: 'v1', after: undefined },
    },
    { level: 'info', message: 'all stored objects are in the storage version', fields: { crd: CRD_NAME, objects: 3 } },
    { level: 'info', message: 'the storage version is the only stored version', fields: { crd: CRD_NAME, version: 'v1' } },
  ]);
});

test('objects are listed by 250 and written by eight if nothing else is asked for', async () => {
  const all = scene();
  all.server.lists = [[named(...Array.from({ length: 20 }, (_, index) => `v${String(index).padStart(2, '0')}`))]];
  await runToEnd(all);
  expect([all.server.limits, all.server.mostUnderway, all.server.written.length]).toEqual([[250], 8, 20]);
});

test('after a stop it goes on behind the last key, without a pause', async () => {
  const all = scene();
  all.server.crd = {
    ...(all.server.crd as Exclude<typeof all.server.crd, Error>),
    metadata: {
      name: CRD_NAME,
      generation: 3,
      annotations: { [PROGRESS_ANNOTATION]: '{"generation":3,"after":"shop/b","cleaned":["v0"]}' },
    },
  };
  all.server.lists = [[named('a', 'b', 'c'), named('d')]];
  await all.migration.run(all.end.signal);
  expect(all.server.written).toEqual(['shop/c', 'shop/d']);
  expect(all.server.kept).toEqual([
    { generation: 3, after: 'shop/c', cleaned: ['v0'] },
    { generation: 3, after: 'shop/d', cleaned: ['v0'] },
    null,
  ]);
});

test('pages that have grown too old are listed anew, without those that are done', async () => {
  const all = scene();
  all.server.lists = [[named('a', 'b'), refused.expired()], [named('a', 'b', 'c')]];
  await runToEnd(all);
  expect(all.server.written).toEqual(['shop/a', 'shop/b', 'shop/c']);
  expect(all.server.statusPatches).toHaveLength(1);
});

test('a page whose objects are all done keeps nothing', async () => {
  const all = scene();
  all.server.lists = [
    [named('a'), refused.expired()],
    [named('a'), []],
  ];
  await runToEnd(all);
  expect(all.server.kept).toEqual([{ generation: 3, after: 'shop/a' }, null]);
});

test('where objects do not come in the order of their keys, no key says how far it is', async () => {
  const all = scene();
  all.server.lists = [[named('a'), named('c', 'b'), named('d')]];
  await runToEnd(all);
  expect([...all.server.written].sort()).toEqual(['shop/a', 'shop/b', 'shop/c', 'shop/d']);
  expect(all.server.kept).toEqual([{ generation: 3, after: 'shop/a' }, null]);
});

test('objects of the cluster are named without a namespace', async () => {
  const all = scene();
  all.server.lists = [[[{ name: 'a' }]]];
  await runToEnd(all);
  expect([all.server.written, all.server.kept[0]]).toEqual([['a'], { generation: 3, after: 'a' }]);
});

test.each<[string, readonly (readonly [string, boolean])[], string]>([
  [
    'in the storage version, where that is served',
    [
      ['v1alpha1', true],
      ['v1', true],
    ],
    'v1',
  ],
  [
    'in another one that is served, where it is not',
    [
      ['v1', false],
      ['v1alpha1', false],
      ['v1beta1', true],
    ],
    'v1beta1',
  ],
  ['in the storage version, where none is served', [['v1', false]], 'v1'],
])('objects are listed and written %s', async (_, versions, expected) => {
  const versionList = versions.map(([name, served]) => ({ name, served }));
  const all = scene({ resource: { ...modelOf('both'), storageVersion: 'v1', versionList } as unknown as CustomResourceModel });
  all.server.lists = [[named('a')]];
  await runToEnd(all);
  expect([...all.server.kinds]).toEqual([expected]);
});

test('objects that are refused are named, five of them, and the others are counted', async () => {
  const refuseAll = async (names: readonly string[]): Promise<string> => {
    const all = scene();
    all.server.lists = [[named(...names)]];
    for (const name of names) all.server.refusals.set(name, [refused.invalid()]);
    await runToPause(all);
    expect(all.counted).toEqual(names.map(() => `${CRD_NAME} error`));
    all.end.abort();
    return errorIn(all.log);
  };
  const five = await refuseAll(['a', 'b', 'c', 'd', 'e']);
  expect(five).toContain(`5 objects of ${CRD_NAME} cannot be written without a change: shop/a (`);
  expect(five).toMatch(/shop\/e \([^;]*\); correct or delete them$/);
  const seven = await refuseAll(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  expect(seven).toContain(`7 objects of ${CRD_NAME}`);
  expect(seven).toMatch(/shop\/e \([^;]*\) and 2 more; correct or delete them$/);
  expect(seven).not.toContain('shop/f');
});

test('behind an object that is refused the others are written, and no page is kept any more', async () => {
  const all = scene();
  all.server.lists = [[named('a'), named('b', 'c'), named('d')]];
  all.server.refusals.set('b', [refused.conflict()]);
  await runToPause(all);
  expect([...all.server.written].sort()).toEqual(['shop/a', 'shop/b', 'shop/c', 'shop/d']);
  expect([all.server.kept, all.server.statusPatches]).toEqual([[{ generation: 3, after: 'shop/a' }], []]);
  all.end.abort();
});

test('what concerns all objects ends the pass at once', async () => {
  const all = scene({ concurrency: 1 });
  all.server.lists = [[named('a', 'b', 'c')]];
  all.server.refusals.set('b', [refused.internal()]);
  await runToPause(all);
  expect([all.server.written, all.server.kept, all.counted]).toEqual([['shop/a', 'shop/b'], [], [`${CRD_NAME} ok`]]);
  all.end.abort();
});

test('failures are tried again after pauses that grow; the same one is a warning once', async () => {
  const { server, clock, log, migration, end } = scene();
  server.crd = refused.internal();
  const running = migration.run(end.signal);
  for (const ms of [1_000, 2_000, 4_000]) {
    await clock.timer((delayMs) => delayMs === ms);
    clock.advance(ms);
  }
  await clock.timer((delayMs) => delayMs === 8_000);
  expect(log.lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
    'warn stored versions cannot be migrated yet; trying again',
    'debug stored versions cannot be migrated yet; trying again',
    'debug stored versions cannot be migrated yet; trying again',
    'debug stored versions cannot be migrated yet; trying again',
  ]);
  expect(log.lines[0]?.fields['crd']).toBe(CRD_NAME);
  end.abort();
  await running;
  expect(clock.pending).toBe(0);
});

test('an end amid the work is no failure', async () => {
  const all = scene({ concurrency: 1 });
  all.server.lists = [[named('a', 'b', 'c')]];
  const write = all.server.client.patch;
  Object.assign(all.server.client, {
    patch: (...given: Parameters<typeof write>) => {
      all.end.abort(new Error('the term is over'));
      return write(...given);
    },
  });
  await runToEnd(all);
  expect(all.server.written).toEqual(['shop/a']);
  expect(all.log.lines.filter(({ level }) => level === 'warn')).toEqual([]);
  expect([all.server.statusPatches, all.clock.pending]).toEqual([[], 0]);
});

test('a version that is served no more is noted as cleaned, and stored versions that are right are not written', async () => {
  const all = scene();
  all.server.crd = {
    metadata: { name: CRD_NAME, generation: 3 },
    spec: {
      versions: [
        { name: 'v1', served: true, storage: true },
        { name: 'v1alpha1', served: false, storage: false },
      ],
    },
    status: { storedVersions: ['v1'] },
  };
  await runToEnd(all);
  expect([all.server.statusPatches, all.server.kept]).toEqual([[], [{ cleaned: ['v1alpha1'] }]]);
});
