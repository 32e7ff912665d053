import type { ReplicaSet } from '../../../src/kubernetes/kinds/index.js';
import { conditionsOf, container, Stage, template } from './stage.js';

describe('a ReplicaSet', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.start();
  });
  afterEach(() => stage.close());
  const create = (spec: object = {}): Promise<void> =>
    stage.create({
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'web', namespace: 'default' },
      spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: template('a:1'), ...spec },
    });
  const status = (): ReplicaSet['status'] => stage.world.must<ReplicaSet>('apps/replicasets', 'default/web').status;
  const names = (): readonly string[] => stage.pods.map(({ metadata }) => metadata.name);
  const orphan = (name: string): Promise<void> =>
    stage.create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'default', labels: { app: 'web', own: 'yes' } },
      spec: { containers: [container('b:1')] },
    });

  test('makes the Pods that are missing, and a new one for each that fails or goes', async () => {
    await create();
    expect(stage.images).toEqual(['a:1 2/2']);
    const [first = '', second = ''] = names();
    await stage.world.server.pods.fail(first);
    await stage.world.delete('pods', `default/${second}`);
    await stage.world.settled();
    expect(stage.pods.filter((pod) => pod.status?.phase === 'Running')).toHaveLength(2);
    expect(names()).not.toContain(second);
  });

  test('lets go first of the Pods that are not ready', async () => {
    await create({ replicas: 3 });
    const [, unready = ''] = names();
    await stage.world.server.pods.setReady(unready, false);
    await stage.world.settled();
    const others = names().filter((name) => name !== unready);
    await stage.patch('apps/replicasets', 'web', { spec: { replicas: 2 } });
    expect(names()).toEqual(others);
  });

  test('adopts Pods that nobody owns, and makes only those that are still missing', async () => {
    // One that was made and deleted again would be seen.
    stage.world.server.pods.holdBack('web-*', { before: 'gone' });
    await orphan('mine');
    await create();
    expect(names()).toHaveLength(2);
    expect(stage.pod('mine').metadata.ownerReferences).toMatchObject([{ kind: 'ReplicaSet', name: 'web', controller: true }]);
    expect(status()).toMatchObject({ replicas: 2, fullyLabeledReplicas: 2, readyReplicas: 2, availableReplicas: 2, observedGeneration: 1 });
  });

  test('releases a Pod whose labels do not match any more, and makes another', async () => {
    await create();
    const [first = ''] = names();
    await stage.patch('pods', first, { metadata: { labels: { app: 'other' } } });
    expect(stage.pod(first).metadata.ownerReferences ?? []).toEqual([]);
    expect(names()).toHaveLength(3);
    expect(status()).toMatchObject({ replicas: 2 });
  });

  test('counts a Pod as available when it has been ready for long enough', async () => {
    await create({ minReadySeconds: 5 });
    expect(status()).toMatchObject({ readyReplicas: 2 });
    expect(status()?.availableReplicas ?? 0).toBe(0);
    await stage.world.pass(5);
    expect(status()).toMatchObject({ readyReplicas: 2, availableReplicas: 2 });
  });

  test('says why it cannot make its Pods, and takes that back when it can', async () => {
    await stage.create({
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'few', namespace: 'default' },
      spec: { hard: { pods: '1' } },
    });
    await create();
    expect(conditionsOf({ status: status() })).toEqual({ ReplicaFailure: 'True FailedCreate' });
    expect(status()?.conditions?.[0]?.message).toContain('exceeded quota: few');
    expect(names()).toHaveLength(1);
    stage.world.problems.splice(0);
    await stage.world.delete('resourcequotas', 'default/few');
    await stage.world.pass(60);
    expect(names()).toHaveLength(2);
    expect(status()?.conditions ?? []).toEqual([]);
  });
});
