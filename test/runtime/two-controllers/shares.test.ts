import { jsonPatch, reconcileOnce, TestCluster } from '@keelson/testing';
import { defineController, defineOperator, merge, type Operator } from 'keelson';
import { CustomResourceDefinition } from 'keelson/kinds';
import { createClient } from '../../../src/runtime/client/index.js';
import { MemoryLog } from '../harness/running-controller.js';
import { newPlay, Ring, ringOperator } from './ring.js';

const ring = (spec: object = {}) => Ring({ metadata: { name: 'a' }, spec });
const operatorOf = (...controllers: readonly unknown[]): Operator =>
  defineOperator({ name: 'ring-operator', controllers: controllers as never });
const start = (operator: Operator) => TestCluster.start({ operator });

const members = defineController({
  name: 'members',
  for: Ring,
  reconcile: ({ object, done }) => done({ status: { members: object.spec.size } }),
});

test('a field that moves from one controller to another in a new release is not lost', async () => {
  let looked: () => void = () => undefined;
  const hasLooked = new Promise<void>((resolve) => {
    looked = resolve;
  });
  const backups = defineController({
    name: 'backups',
    for: Ring,
    writesStatus: { fields: ['lastBackup'] },
    reconcile({ object, done }) {
      looked();
      return done({ status: { lastBackup: object.spec.bucket } });
    },
  });
  // After the other one has found its field as it should be.
  const later = defineController({
    name: 'members',
    for: Ring,
    async reconcile({ object, done }) {
      await hasLooked;
      return done({ status: { members: object.spec.size } });
    },
  });
  await using cluster = await start(operatorOf(later, backups));
  await cluster.create(ring());
  // As the release before has left it: one controller said all of it.
  const key = { name: 'a', namespace: 'default' };
  const client = createClient({ connection: cluster.connection });
  const said = { metadata: key, status: { members: 9, lastBackup: 'b' } };
  await client.status(Ring).apply(key, said as never, { fieldManager: 'ring-operator/members', force: true });
  client.close();
  await cluster.startOperator();
  await cluster.until(Ring, 'a', { status: { members: 1 } });
  await cluster.settled();
  expect((await cluster.get(Ring, 'a')).status).toMatchObject({ members: 1, lastBackup: 'b' });
});

test("an apply of nothing under the manager of a controller that is gone takes its part of the status away, and no other's", async () => {
  await using cluster = await start(ringOperator(newPlay()));
  const running = await cluster.startOperator();
  await cluster.create(ring({ bucket: 'b' }));
  await cluster.until(Ring, 'a', ({ status }) => status?.lastBackup !== undefined && status.members !== undefined);
  await cluster.settled();
  await running.stop();
  const typesOf = ({ status }: Ring): string[] => (status?.conditions ?? []).map(({ type }) => type).sort();
  expect(typesOf(await cluster.get(Ring, 'a'))).toContain('BackupsReady');
  const client = createClient({ connection: cluster.connection });
  const key = { name: 'a', namespace: 'default' };
  // As kubectl sends it: docs/controllers.md, "Several controllers for one kind".
  await client.status(Ring).apply(key, { metadata: key } as never, { fieldManager: 'ring-operator/backups' });
  client.close();
  const left = await cluster.get(Ring, 'a');
  expect([typesOf(left), left.status?.lastBackup, left.status?.members]).toEqual([['Ready'], undefined, 1]);
});

test('a restart finds all as it is and writes nothing', async () => {
  const play = newPlay();
  await using cluster = await start(ringOperator(play));
  const first = await cluster.startOperator();
  await cluster.create(ring());
  await cluster.settled();
  await first.stop();
  const mark = cluster.requests.mark;
  const runs = { ...play.runs };
  await cluster.startOperator();
  await cluster.until(() => play.runs.members > runs.members && play.runs.backups > runs.backups);
  await cluster.settled();
  expect(cluster.requests.since(mark).filter({ verb: 'patch' }).all).toEqual([]);
});

test('an object that does not fit its definition has a summary of each: neither removes that of the other', async () => {
  await using cluster = await start(ringOperator(newPlay()));
  const path = '/spec/versions/0/schema/openAPIV3Schema/properties/spec';
  const definition = await cluster.get(CustomResourceDefinition, 'rings.rings.example.com');
  const schema = definition.spec.versions[0]?.schema?.openAPIV3Schema?.properties?.['spec'];
  const set = (value: unknown) =>
    cluster.patch(CustomResourceDefinition, 'rings.rings.example.com', jsonPatch([{ op: 'replace', path, value }]));
  await set({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
  await cluster.create({ ...ring(), spec: { size: 'big', bucket: 'b' } } as never);
  await set(schema);
  await cluster.startOperator({ log: new MemoryLog() });
  await cluster.until(Ring, 'a', ({ status }) =>
    expect(status?.conditions?.map(({ type, reason }) => `${type} ${reason}`).sort()).toEqual([
      'BackupsReady ObjectUnfit',
      'Ready ObjectUnfit',
      'Stalled ObjectUnfit',
    ]),
  );
});

describe('what is said outside of a share', () => {
  const saying = (outcome: object, writesStatus: object = { summary: 'BackupsReady', fields: ['lastBackup'] }) =>
    defineController({
      name: 'backups',
      for: Ring,
      writesStatus,
      reconcile: ({ done }: { done: (o: object) => never }) => done(outcome),
    } as never);
  const condition = (type: string) => ({ conditions: [{ type, status: true, reason: 'A' }] });

  test.each<[string, object, string]>([
    [
      'a field',
      { status: { members: 1 } },
      "status.members is not in the controller's share of the status; name it under writesStatus.fields",
    ],
    ['a part of a status', { status: merge({ members: 1 } as never) }, 'status.members is not in'],
    [
      'a condition',
      condition('Ready'),
      "the condition Ready is not in the controller's share of the status; name it under writesStatus.conditions",
    ],
  ])('%s is refused before anything is written', async (_, outcome, message) => {
    await expect(reconcileOnce(saying(outcome) as never, { object: ring() } as never)).rejects.toThrow(message);
  });

  test.each<[string, object, string]>([
    [
      'a field',
      { status: { lastBackup: 'x' } },
      'status.lastBackup is that of the controller backups, which names it under writesStatus; leave it out',
    ],
    [
      'a condition',
      condition('BackupsReady'),
      'the condition BackupsReady is that of the controller backups, which names it under writesStatus; leave it out',
    ],
  ])('%s that another controller names is refused to the one that writes the rest', async (_, outcome, message) => {
    const greedy = defineController({
      name: 'members',
      for: Ring,
      reconcile: ({ done }: { done: (o: object) => never }) => done(outcome),
    } as never);
    const log = new MemoryLog();
    await using cluster = await start(operatorOf(greedy, saying({ status: { lastBackup: 'mine' } })));
    await cluster.startOperator({ log });
    await cluster.create(ring());
    await cluster.until(() => log.lines.some(({ fields }) => String(fields['error']).includes(message)));
    await cluster.until(Ring, 'a', { status: { lastBackup: 'mine', conditions: [{ type: 'Ready', status: 'False' }] } });
  });

  test('a part that is written amid a run is refused too', async () => {
    const seen: string[] = [];
    const backups = defineController({
      name: 'backups',
      for: Ring,
      writesStatus: { fields: ['lastBackup'] },
      async reconcile({ status, done }) {
        await status.write({ lastBackup: 'half' });
        await status.write({ members: 3 } as never).catch((error: unknown) => seen.push(String(error)));
        return done({ status: { lastBackup: 'whole' } });
      },
    });
    await using cluster = await start(operatorOf(members, backups));
    await cluster.startOperator();
    await cluster.create(ring());
    await cluster.until(Ring, 'a', { status: { members: 1, lastBackup: 'whole' } });
    expect(seen[0]).toContain("status.write(...): status.members is not in the controller's share of the status");
  });
});
