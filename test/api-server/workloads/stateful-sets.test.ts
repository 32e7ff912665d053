import type { PersistentVolumeClaim, StatefulSet } from '../../../src/kubernetes/kinds/index.js';
import { claimTemplate, Stage, statefulSet, template } from './stage.js';

describe('a StatefulSet', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.start();
  });
  afterEach(() => stage.close());
  const set = (): StatefulSet => stage.world.must<StatefulSet>('apps/statefulsets', 'default/db');
  const names = (): readonly string[] =>
    stage.pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(({ metadata }) => metadata.name);
  const imageOf = (name: string): string | undefined => stage.pod(name).spec.containers[0]?.image;

  test('makes its Pods one after the other, each only when the one before is ready', async () => {
    const held = stage.world.server.pods.holdBack('db-1');
    await stage.create(statefulSet());
    expect(names()).toEqual(['db-0', 'db-1']);
    expect(set().status).toMatchObject({ replicas: 2, readyReplicas: 1, availableReplicas: 1, currentReplicas: 2, updatedReplicas: 2 });
    held.release();
    await stage.world.settled();
    expect(names()).toEqual(['db-0', 'db-1', 'db-2']);
    const { status } = set();
    expect(status).toMatchObject({
      observedGeneration: 1,
      replicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      currentReplicas: 3,
      collisionCount: 0,
    });
    expect(status?.currentRevision).toBe(status?.updateRevision);
    expect(stage.pod('db-1')).toMatchObject({
      metadata: {
        labels: {
          'apps.kubernetes.io/pod-index': '1',
          'statefulset.kubernetes.io/pod-name': 'db-1',
          'controller-revision-hash': status?.updateRevision,
        },
      },
      spec: { hostname: 'db-1', subdomain: 'db' },
    });
  });

  test('with Parallel makes them all at once', async () => {
    stage.world.server.pods.holdBack('db-*');
    await stage.create(statefulSet({ podManagementPolicy: 'Parallel' }));
    expect(names()).toEqual(['db-0', 'db-1', 'db-2']);
  });

  test('is scaled down from the end', async () => {
    await stage.create(statefulSet());
    stage.world.server.pods.holdBack('db-2', { before: 'gone' });
    await stage.patch('apps/statefulsets', 'db', { spec: { replicas: 1 } });
    expect(names()).toEqual(['db-0', 'db-1']);
    stage.world.server.pods.release();
    await stage.world.settled();
    expect(names()).toEqual(['db-0']);
  });

  test('is updated from the end, and stops at a Pod that does not become ready', async () => {
    await stage.create(statefulSet());
    const held = stage.world.server.pods.holdBack({ image: 'a:2', name: 'db-1' });
    await stage.patch('apps/statefulsets', 'db', { spec: { template: template('a:2') } });
    expect(['db-0', 'db-1', 'db-2'].map(imageOf)).toEqual(['a:1', 'a:2', 'a:2']);
    const { status } = set();
    expect(status).toMatchObject({ currentReplicas: 1, updatedReplicas: 2, readyReplicas: 2 });
    expect(status?.currentRevision).not.toBe(status?.updateRevision);
    held.release();
    await stage.world.settled();
    expect(['db-0', 'db-1', 'db-2'].map(imageOf)).toEqual(['a:2', 'a:2', 'a:2']);
    expect(set().status).toMatchObject({ currentReplicas: 3, updatedReplicas: 3, currentRevision: status?.updateRevision });
  });

  test('leaves Pods below the partition as they are, even when they come back', async () => {
    await stage.create(statefulSet());
    await stage.patch('apps/statefulsets', 'db', {
      spec: { updateStrategy: { rollingUpdate: { partition: 2 } }, template: template('a:2') },
    });
    expect(['db-0', 'db-1', 'db-2'].map(imageOf)).toEqual(['a:1', 'a:1', 'a:2']);
    await stage.world.delete('pods', 'default/db-0');
    await stage.world.settled();
    expect(imageOf('db-0')).toBe('a:1');
  });

  test('begins at the ordinal that it is told', async () => {
    await stage.create(statefulSet({ replicas: 2, ordinals: { start: 5 } }));
    expect(names()).toEqual(['db-5', 'db-6']);
  });

  test('makes claims, which are bound and outlive its Pods', async () => {
    await stage.create(statefulSet({ replicas: 2, volumeClaimTemplates: [claimTemplate('data')] }));
    expect(stage.pod('db-1').spec.volumes?.[0]).toMatchObject({ name: 'data', persistentVolumeClaim: { claimName: 'data-db-1' } });
    const claim = stage.world.must<PersistentVolumeClaim>('persistentvolumeclaims', 'default/data-db-1');
    expect(claim).toMatchObject({
      metadata: { labels: { app: 'web' } },
      spec: { storageClassName: 'standard' },
      status: { phase: 'Bound', capacity: { storage: '1Gi' } },
    });
    await stage.world.delete('apps/statefulsets', 'default/db');
    await stage.world.settled();
    expect(names()).toEqual([]);
    expect(stage.world.names('persistentvolumeclaims')).toEqual(['data-db-0', 'data-db-1']);
  });

  test('lets claims go with their Pods, or with it, by its retention policy', async () => {
    const policy = { whenScaled: 'Delete', whenDeleted: 'Delete' };
    await stage.create(
      statefulSet({ replicas: 2, volumeClaimTemplates: [claimTemplate('data')], persistentVolumeClaimRetentionPolicy: policy }),
    );
    await stage.patch('apps/statefulsets', 'db', { spec: { replicas: 1 } });
    expect(stage.world.names('persistentvolumeclaims')).toEqual(['data-db-0']);
    expect(stage.world.list('persistentvolumes', '')).toHaveLength(1);
    await stage.patch('apps/statefulsets', 'db', { spec: { replicas: 2 } });
    expect(stage.world.names('persistentvolumeclaims')).toEqual(['data-db-0', 'data-db-1']);
    await stage.world.delete('apps/statefulsets', 'default/db');
    await stage.world.settled();
    expect(stage.world.names('persistentvolumeclaims')).toEqual([]);
    expect(stage.world.list('persistentvolumes', '')).toEqual([]);
  });

  test('replaces a Pod that has failed', async () => {
    await stage.create(statefulSet({ replicas: 1 }));
    const { uid } = stage.pod('db-0').metadata as { readonly uid?: string };
    await stage.world.server.pods.fail('db-0', { reason: 'Evicted' });
    await stage.world.settled();
    expect(stage.pod('db-0').metadata).not.toMatchObject({ uid });
    expect(set().status).toMatchObject({ readyReplicas: 1 });
  });
});
