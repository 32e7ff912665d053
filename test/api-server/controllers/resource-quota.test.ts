import { configMap, type Stored, World, type Written } from './world.js';

interface Quota extends Stored {
  readonly status: { readonly hard?: Readonly<Record<string, string>>; readonly used?: Readonly<Record<string, string>> };
}

describe('what is used of a quota', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.start();
  });
  afterEach(async () => {
    await world.close();
    expect(world.problems).toEqual([]);
  });

  const quota = (hard: Readonly<Record<string, string>>): Written => ({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'q', namespace: 'default' },
    spec: { hard },
  });
  const pod = (name: string, more: object = {}): Written => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', ...more },
    spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '500m' } } }] },
  });
  const used = (): Quota['status']['used'] => world.must<Quota>('resourcequotas', 'default/q').status.used;

  test('is counted when the quota comes, and its limits are taken up', async () => {
    await world.create(pod('a'));
    await world.create(quota({ pods: '2', 'requests.cpu': '1', 'count/pods': '5', 'count/nothing.example.com': '1' }));
    await world.settled();
    expect(world.must<Quota>('resourcequotas', 'default/q').status).toEqual({
      hard: { 'count/nothing.example.com': '1', 'count/pods': '5', pods: '2', 'requests.cpu': '1' },
      used: { 'count/pods': '1', pods: '1', 'requests.cpu': '500m' },
    });
  });

  test('is given back when objects go and Pods end', async () => {
    await world.create(quota({ pods: '2', 'count/pods': '2', configmaps: '3' }));
    await world.settled();
    await world.create(pod('a'));
    await world.create(pod('b'));
    await world.create(configMap('m'));
    await world.settled();
    expect(used()).toEqual({ configmaps: '1', 'count/pods': '2', pods: '2' });
    await world.patch('pods', 'default/a', { status: { phase: 'Failed' } }, 'status');
    await world.delete('configmaps', 'default/m');
    await world.settled();
    expect(used()).toEqual({ configmaps: '0', 'count/pods': '2', pods: '1' });
    await world.delete('pods', 'default/b', { gracePeriodSeconds: 0 });
    await world.settled();
    expect(used()).toEqual({ configmaps: '0', 'count/pods': '1', pods: '0' });
  });

  test('is given back where a write was charged and failed', async () => {
    await world.create(quota({ secrets: '2' }));
    await world.settled();
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'default' } };
    await world.create(secret);
    await expect(world.create(secret)).rejects.toThrow('already exists');
    expect(used()).toEqual({ secrets: '2' });
    await world.pass(5 * 60);
    expect(used()).toEqual({ secrets: '1' });
  });

  test('is never more than the limit, however many ask at once', async () => {
    await world.create(quota({ pods: '3' }));
    await world.settled();
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, (_, index) => world.create(pod(`p${index}`))));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    await world.settled();
    expect(used()).toEqual({ pods: '3' });
    expect(world.names('pods')).toHaveLength(3);
  });

  test('is right after many have come and gone at once', async () => {
    await world.create(quota({ pods: '100' }));
    await world.settled();
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await world.create(pod(`p${index}`));
        if (index % 2 === 0) await world.delete('pods', `default/p${index}`, { gracePeriodSeconds: 0 });
      }),
    );
    await world.settled();
    expect(used()).toEqual({ pods: '10' });
  });

  test('counts who has been charged and is not stored yet, whenever it is counted', async () => {
    await world.create(quota({ pods: '9' }));
    await world.settled();
    await world.create(pod('p0'));
    for (let steps = 1; steps < 100; steps += 1) {
      const created = world.create(pod(`p${steps}`));
      for (let step = 0; step < steps; step += 1) await Promise.resolve();
      await Promise.all([created, world.delete('pods', `default/p${steps - 1}`, { gracePeriodSeconds: 0 })]);
      await world.settled();
      expect([steps, used()]).toEqual([steps, { pods: '1' }]);
    }
  });

  test('follows changed limits, and knows no more what is limited no more', async () => {
    await world.create(quota({ pods: '3', services: '1' }));
    await world.settled();
    await world.patch('resourcequotas', 'default/q', { spec: { hard: { services: null, secrets: '1' } } });
    await world.settled();
    expect(world.must<Quota>('resourcequotas', 'default/q').status).toEqual({
      hard: { pods: '3', secrets: '1' },
      used: { pods: '0', secrets: '0' },
    });
  });
});
