import { FakeClock, type InProcessCluster, TestCluster } from '@keelson/testing';
import { ConfigMap } from 'keelson/kinds/core/v1';
import { isConflict, isInvalid, isServiceUnavailable, isTooManyRequests, mergePatch } from '../../../src/runtime/client/index.js';

const OPERATOR = { user: 'operator', groups: ['system:masters'] };

const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

let cluster: InProcessCluster<FakeClock>;
beforeEach(async () => {
  cluster = await TestCluster.start({ clock: new FakeClock() });
  await cluster.create(ConfigMap, { metadata: { name: 'a' }, data: { n: '0' } });
});
afterEach(() => cluster?.close());

const touch = (n: string) => cluster.as(OPERATOR).patch(ConfigMap, 'a', mergePatch({ data: { n } }));

test('a refusal strikes once, after the matches that pass, and spares the test itself', async () => {
  const fault = cluster.faults.fail({ verb: 'patch', kind: ConfigMap, name: 'a', status: 409, after: 1 });
  await cluster.patch(ConfigMap, 'a', mergePatch({ data: { n: 'test' } }));
  await touch('1');
  expect(isConflict(await errorOf(touch('2')))).toBe(true);
  await touch('3');
  expect(fault.strikes).toBe(1);
  expect((await cluster.get(ConfigMap, 'a')).data).toEqual({ n: '3' });
  expect(cluster.faults.log).toMatchObject([{ fault: 'fail 409', user: 'operator', verb: 'patch', resource: 'configmaps', name: 'a' }]);
});

test.each([
  [422, isInvalid],
  [429, isTooManyRequests],
  [503, isServiceUnavailable],
] as const)('status %i comes as the client knows it', async (status, isThat) => {
  cluster.faults.fail({ verb: 'patch', status });
  expect(isThat(await errorOf(touch('1')))).toBe(true);
});

test('matches by kind, namespace, name and user', async () => {
  for (const other of [{ kind: 'secrets' }, { namespace: 'kube-system' }, { name: 'b' }, { user: 'stranger' }, { verb: 'update' }] as const)
    cluster.faults.fail({ status: 500, ...other });
  await touch('1');
  cluster.faults.fail({ status: 500, kind: 'configmaps', namespace: 'default', name: 'a', user: 'operator', verb: ['update', 'patch'] });
  await expect(touch('2')).rejects.toThrow('a fault was ordered');
});

test('a connection that breaks before: nothing is done; after: all is done', async () => {
  cluster.faults.drop({ verb: 'create' });
  const create = (name: string) => cluster.as(OPERATOR).create(ConfigMap, { metadata: { name } });
  await expect(create('b')).rejects.toThrow(/connection|socket/i);
  expect(await cluster.find(ConfigMap, 'b')).toBeUndefined();
  cluster.faults.crashAfterWrites(2);
  await touch('1');
  await expect(create('b')).rejects.toThrow(/connection|socket/i);
  expect(await cluster.find(ConfigMap, 'b')).toBeDefined();
  await create('c');
});

test('a delay waits for the clock of the server', async () => {
  cluster.faults.delay({ verb: 'patch', ms: 5_000 });
  let isDone = false;
  const late = touch('1').then(() => {
    isDone = true;
  });
  await cluster.until(() => cluster.faults.log.length === 1);
  expect([isDone, (await cluster.get(ConfigMap, 'a')).data]).toEqual([false, { n: '0' }]);
  cluster.clock.advance('5s');
  await late;
});

test('a list that may be old shows the state of the order; others do not', async () => {
  const fault = cluster.faults.staleLists({ kind: ConfigMap });
  await touch('1');
  const seen = async (resourceVersion?: string) => {
    const options = { namespace: 'default', labels: {}, ...(resourceVersion === undefined ? {} : { resourceVersion }) };
    const items = await cluster.as(OPERATOR).list(ConfigMap, options);
    return items.find(({ metadata }) => metadata.name === 'a')?.data?.['n'];
  };
  expect([await seen('0'), await seen()]).toEqual(['0', '1']);
  fault.remove();
  expect(await seen('0')).toBe('1');
});

test('a lease is stolen', async () => {
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'leader' }, spec: { holderIdentity: 'me' } };
  await expect(cluster.faults.stealLease('leader')).rejects.toThrow('there is no lease default/leader');
  await cluster.create(lease);
  await cluster.faults.stealLease('leader', { holder: 'rival' });
  const kind = {
    group: 'coordination.k8s.io',
    version: 'v1',
    kind: 'Lease',
    plural: 'leases',
    scope: 'Namespaced',
    subresources: [],
  } as const;
  expect(await cluster.get(kind, 'leader')).toMatchObject({
    spec: { holderIdentity: 'rival', leaseTransitions: 1, renewTime: '2030-01-01T00:00:00.000000Z' },
  });
});

test('a seed gives equal requests equal fates, in whatever order they mix', async () => {
  const fates = async (names: readonly string[]) => {
    const order = cluster.faults.seeded(7, { rates: { conflict: 0.3, serverError: 0.2 } });
    const fate: Record<string, string[]> = {};
    for (const name of names) {
      const outcome = await touchOne(name);
      fate[name] = [...(fate[name] ?? []), outcome];
    }
    order.remove();
    return fate;
  };
  const touchOne = (name: string) =>
    cluster
      .as(OPERATOR)
      .patch(ConfigMap, name, mergePatch({ data: { m: '1' } }))
      .then(
        () => 'done',
        (error: unknown) => String((error as { httpStatus: number }).httpStatus),
      );
  await cluster.create(ConfigMap, { metadata: { name: 'b' } });
  const names = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 'a' : 'b'));
  const first = await fates(names);
  expect(await fates([...names].sort())).toEqual(first);
  expect(new Set(Object.values(first).flat())).toEqual(new Set(['done', '409', '500']));
  expect(() => cluster.faults.seeded(1, { rates: { conflict: 2 } })).toThrow('the rate conflict is 2');
});
