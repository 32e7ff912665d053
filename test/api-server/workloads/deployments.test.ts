import { conditionsOf, deployment, Stage, template } from './stage.js';

describe('a Deployment', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.start();
  });
  afterEach(() => stage.close());

  test('makes a ReplicaSet, whose Pods become ready, and says so', async () => {
    await stage.create(deployment());
    expect(stage.images).toEqual(['a:1 3/3']);
    const { status, metadata } = stage.deployment();
    expect(status).toMatchObject({ observedGeneration: 1, replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3 });
    expect(status).not.toHaveProperty('unavailableReplicas');
    expect(conditionsOf({ status })).toEqual({ Available: 'True MinimumReplicasAvailable', Progressing: 'True NewReplicaSetAvailable' });
    const [replicaSet] = stage.replicaSets;
    const hash = replicaSet?.metadata.labels?.['pod-template-hash'];
    expect(replicaSet).toMatchObject({
      metadata: {
        name: `web-${hash}`,
        annotations: {
          'deployment.kubernetes.io/revision': '1',
          'deployment.kubernetes.io/desired-replicas': '3',
          'deployment.kubernetes.io/max-replicas': '4',
        },
      },
      status: { replicas: 3, fullyLabeledReplicas: 3, readyReplicas: 3, availableReplicas: 3, observedGeneration: 1 },
    });
    expect(metadata.annotations).toEqual({ 'deployment.kubernetes.io/revision': '1' });
  });

  test('rolls out no further than maxSurge and maxUnavailable allow while new Pods are held back', async () => {
    await stage.create(deployment({ replicas: 4, strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } }));
    const held = stage.world.server.pods.holdBack({ image: 'a:2' });
    await stage.patch('apps/deployments', 'web', { spec: { template: template('a:2') } });
    expect(stage.images).toEqual(['a:1 3/3', 'a:2 0/2']);
    expect(stage.deployment().status).toMatchObject({ replicas: 5, updatedReplicas: 2, availableReplicas: 3, unavailableReplicas: 2 });
    held.release();
    await stage.world.settled();
    expect(stage.images).toEqual(['a:2 4/4']);
    expect(conditionsOf(stage.deployment())).toMatchObject({ Progressing: 'True NewReplicaSetAvailable' });
  });

  test('with Recreate has no two templates running at once', async () => {
    await stage.create(deployment({ strategy: { type: 'Recreate' } }));
    const held = stage.world.server.pods.holdBack('web-*', { before: 'gone' });
    await stage.patch('apps/deployments', 'web', { spec: { template: template('a:2') } });
    expect(stage.pods.map(({ spec }) => spec.containers[0]?.image)).toEqual(['a:1', 'a:1', 'a:1']);
    held.release();
    await stage.world.settled();
    expect(stage.images).toEqual(['a:2 3/3']);
  });

  test('that does not get on fails after its deadline, and not before', async () => {
    await stage.create(deployment({ progressDeadlineSeconds: 60 }));
    stage.world.server.pods.holdBack({ image: 'a:2' });
    await stage.patch('apps/deployments', 'web', { spec: { template: template('a:2') } });
    await stage.world.pass(59);
    expect(conditionsOf(stage.deployment())).toMatchObject({ Progressing: 'True ReplicaSetUpdated' });
    await stage.world.pass(3);
    expect(conditionsOf(stage.deployment())).toMatchObject({
      Progressing: 'False ProgressDeadlineExceeded',
      Available: 'True MinimumReplicasAvailable',
    });
    const [name] = stage.replicaSets
      .filter(({ spec }) => spec.template?.spec?.containers[0]?.image === 'a:2')
      .map(({ metadata }) => metadata.name);
    const progressing = stage.deployment().status?.conditions?.find(({ type }) => type === 'Progressing');
    expect(progressing?.message).toBe(`ReplicaSet "${name}" has timed out progressing.`);
  });

  test('counts revisions, and takes an old ReplicaSet up again when it goes back', async () => {
    await stage.create(deployment());
    await stage.patch('apps/deployments', 'web', { spec: { template: template('a:2') } });
    await stage.patch('apps/deployments', 'web', { spec: { template: template('a:1') } });
    expect(stage.replicaSets).toHaveLength(2);
    const back = stage.replicaSets.find(({ spec }) => spec.replicas === 3);
    expect(back?.metadata.annotations).toMatchObject({
      'deployment.kubernetes.io/revision': '3',
      'deployment.kubernetes.io/revision-history': '1',
    });
    expect(stage.deployment().metadata.annotations).toMatchObject({ 'deployment.kubernetes.io/revision': '3' });
  });

  test('keeps no more old ReplicaSets than its history limit', async () => {
    await stage.create(deployment({ revisionHistoryLimit: 1 }));
    for (const image of ['a:2', 'a:3', 'a:4']) await stage.patch('apps/deployments', 'web', { spec: { template: template(image) } });
    expect(new Set(stage.replicaSets.map(({ spec }) => spec.template?.spec?.containers[0]?.image))).toEqual(new Set(['a:3', 'a:4']));
    expect(stage.replicaSets).toHaveLength(2);
  });

  test('that is paused is scaled, but not rolled out', async () => {
    await stage.create(deployment());
    await stage.patch('apps/deployments', 'web', { spec: { paused: true, replicas: 5, template: template('a:2') } });
    expect(stage.images).toEqual(['a:1 5/5']);
    expect(conditionsOf(stage.deployment())).toMatchObject({ Progressing: 'Unknown DeploymentPaused' });
    await stage.patch('apps/deployments', 'web', { spec: { paused: false } });
    expect(stage.images).toEqual(['a:2 5/5']);
  });

  test('that is scaled in the middle of a rollout grows in proportion', async () => {
    await stage.create(deployment({ replicas: 10, strategy: { rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } } }));
    stage.world.server.pods.holdBack({ image: 'a:2' });
    await stage.patch('apps/deployments', 'web', { spec: { template: template('a:2') } });
    expect(stage.images).toEqual(['a:1 8/8', 'a:2 0/5']);
    await stage.patch('apps/deployments', 'web', { spec: { replicas: 15 } });
    // The example of the documentation of Kubernetes: five more, of which the larger gets three.
    expect(stage.images).toEqual(['a:1 11/11', 'a:2 0/7']);
  });

  test('takes another name for a ReplicaSet where a stranger has it', async () => {
    await stage.create(deployment({ replicas: 1 }));
    const [
      {
        metadata: { name },
      } = { metadata: { name: '' } },
    ] = stage.replicaSets;
    await stage.world.delete('apps/deployments', 'default/web');
    await stage.world.settled();
    const stranger = { metadata: { labels: { app: 'other' } }, spec: { containers: [{ name: 'main', image: 'x' }] } };
    const spec = { replicas: 0, selector: { matchLabels: { app: 'other' } }, template: stranger };
    await stage.create({ apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name, namespace: 'default' }, spec });
    await stage.create(deployment({ replicas: 1 }));
    expect(stage.images).toEqual(['a:1 1/1']);
    expect(stage.deployment().status?.collisionCount).toBe(1);
  });

  test('is followed by its Pods when it is deleted', async () => {
    await stage.create(deployment());
    await stage.world.delete('apps/deployments', 'default/web');
    await stage.world.settled();
    expect(stage.replicaSets).toEqual([]);
    expect(stage.pods).toEqual([]);
  });
});
