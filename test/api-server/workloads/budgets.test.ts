import { ControllerClient } from '../../../src/api-server/controllers/index.js';
import type { PodDisruptionBudget } from '../../../src/kubernetes/kinds/index.js';
import { conditionsOf, container, deployment, job, Stage } from './stage.js';

describe('a PodDisruptionBudget', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.start();
  });
  afterEach(() => stage.close());
  const budget = (spec: object): object => ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web', namespace: 'default' },
    spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
  });
  const status = (): PodDisruptionBudget['status'] =>
    stage.world.must<PodDisruptionBudget>('policy/poddisruptionbudgets', 'default/web').status;
  const evict = async (name: string): Promise<string> => {
    const { core } = stage.world.server;
    const client = new ControllerClient({ ...core, report: () => undefined }, 'test');
    const place = { resource: { group: '', plural: 'pods' }, namespace: 'default', name, subresource: 'eviction' };
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: 'default' } };
    const outcome = await client.post(place, body).then(
      () => 'evicted',
      (error: unknown) => (error as Error).message,
    );
    await stage.world.settled();
    return outcome;
  };

  test('lets Pods go as long as enough are healthy, and says how many', async () => {
    await stage.create(deployment());
    await stage.create(budget({ minAvailable: 2 }));
    expect(status()).toMatchObject({ currentHealthy: 3, desiredHealthy: 2, expectedPods: 3, disruptionsAllowed: 1, observedGeneration: 1 });
    expect(conditionsOf({ status: status() })).toEqual({ DisruptionAllowed: 'True SufficientPods' });
    stage.world.server.pods.holdBack('web-*');
    const [first, second] = stage.pods.map(({ metadata }) => metadata.name);
    expect(await evict(first ?? '')).toBe('evicted');
    expect(status()).toMatchObject({ currentHealthy: 2, disruptionsAllowed: 0 });
    expect(status()).not.toHaveProperty('disruptedPods');
    expect(await evict(second ?? '')).toBe("Cannot evict pod as it would violate the pod's disruption budget.");
    stage.world.server.pods.release();
    await stage.world.settled();
    expect(await evict(second ?? '')).toBe('evicted');
  });

  test('takes a percentage of what the controllers want, not of what there is', async () => {
    await stage.create(deployment({ replicas: 4 }));
    await stage.create(budget({ maxUnavailable: '25%' }));
    expect(status()).toMatchObject({ expectedPods: 4, desiredHealthy: 3, disruptionsAllowed: 1 });
    await stage.world.server.pods.setReady(stage.pods[0]?.metadata.name ?? '', false);
    await stage.world.settled();
    expect(status()).toMatchObject({ expectedPods: 4, currentHealthy: 3, disruptionsAllowed: 0 });
  });

  test('allows nothing where nobody knows how many Pods are wanted', async () => {
    await stage.create(
      job({ template: { metadata: { labels: { app: 'web' } }, spec: { restartPolicy: 'Never', containers: [container('a:1')] } } }),
    );
    await stage.create(budget({ maxUnavailable: 1 }));
    expect(status()?.conditions?.[0]).toMatchObject({
      status: 'False',
      reason: 'SyncFailed',
      message: 'jobs.batch does not implement the scale subresource',
    });
  });

  test('that is deleted while its status is written is no problem of the server', async () => {
    // A change has the status written soon after: somewhere among these moments.
    for (let moment = 0; moment < 30; moment += 1) {
      await stage.create(budget({ minAvailable: 2 }));
      await stage.world.patch('policy/poddisruptionbudgets', 'default/web', { spec: { minAvailable: 1 } });
      for (let turn = 0; turn < moment; turn += 1) await Promise.resolve();
      await stage.world.delete('policy/poddisruptionbudgets', 'default/web');
      await stage.world.settled();
    }
    expect(stage.world.problems).toEqual([]);
  });
});
