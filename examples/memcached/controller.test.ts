import { finalizeOnce, reconcileOnce } from '@keelson/testing';
import type { Pod } from 'keelson/kinds';
import { memcachedController } from './controller.js';
import { deploymentFor } from './deployment.js';
import { IMAGE_VARIABLE } from './image.js';
import { deployment, memcached, pod } from './memcached-objects.js';

// #region once
test('a new Memcached gets its Deployment, and a status that promises nothing', async () => {
  const object = memcached();
  const { owned, status, conditions } = await reconcileOnce(memcachedController, { object });
  expect(owned).toEqual({ deployments: [deploymentFor(object)] });
  expect(status).toMatchObject({ nodes: [], replicas: 0 });
  expect(conditions?.map(({ type, status }) => [type, status])).toEqual([
    ['Available', 'Unknown'],
    ['Ready', 'Unknown'],
  ]);
});

test('it is ready when the Deployment is', async () => {
  const complete = { observedGeneration: 1, replicas: 3, updatedReplicas: 3, availableReplicas: 3 };
  const { status, conditions } = await reconcileOnce(memcachedController, {
    object: memcached(),
    deployments: [deployment(complete)],
    pods: [pod('b'), pod('a'), pod('c')],
  });
  expect(status?.['nodes']).toEqual(['a', 'b', 'c']);
  expect(conditions?.at(-1)).toMatchObject({ type: 'Ready', status: true, reason: 'PodsReady' });
});
// #endregion

test('pods of another Memcached in the namespace are not counted', async () => {
  const pods = [pod('a'), pod('x', { instance: 'other' })];
  expect((await reconcileOnce(memcachedController, { object: memcached(), pods })).status?.['nodes']).toEqual(['a']);
});

test('the same observation gives the same outcome, so that nothing is written when nothing has changed', async () => {
  const observed = { object: memcached(), deployments: [deployment()], pods: [pod('a'), pod('b')] };
  const again = await reconcileOnce(memcachedController, { ...observed, pods: observed.pods.toReversed() });
  expect(again).toEqual(await reconcileOnce(memcachedController, observed));
});

describe('without an image of its own', () => {
  const { image: _, ...spec } = memcached().spec;
  const object = { ...memcached(), spec };
  afterEach(() => delete process.env[IMAGE_VARIABLE]);

  test('a Memcached runs that of the platform', async () => {
    process.env[IMAGE_VARIABLE] = 'mirror.example.com:5000/memcached';
    const { owned } = await reconcileOnce(memcachedController, { object });
    expect(owned?.['deployments']).toMatchObject([
      { spec: { template: { spec: { containers: [{ image: 'mirror.example.com:5000/memcached' }] } } } },
    ]);
  });

  test('and where there is none either, it fails with what to set', async () => {
    await expect(reconcileOnce(memcachedController, { object })).rejects.toThrow('no image: set spec.image, or MEMCACHED_IMAGE');
  });
});

test('a pod that comes or goes concerns the Memcached that its label names', () => {
  const enqueue = memcachedController.watches['pods']?.enqueue as (changed: Pod) => unknown;
  expect(enqueue(pod('a'))).toEqual([{ name: 'sessions' }]);
  expect(enqueue({ ...pod('a'), metadata: { name: 'a' } })).toEqual([]);
});

// #region finalize
test('a deletion is told in a condition, then in an event, before the object may go', async () => {
  const object = memcached();
  const first = await finalizeOnce(memcachedController, { object });
  expect(first.conditions).toMatchObject([{ type: 'Degraded', status: 'Unknown', reason: 'Finalizing' }]);
  expect(first).toMatchObject({ events: [], requeueAfterMs: 100 });
  const told = { ...object, status: { conditions: first.conditions } };
  const second = await finalizeOnce(memcachedController, { object: told });
  expect(second.events).toEqual([
    { type: 'Warning', reason: 'Deleting', note: 'Memcached sessions is being deleted from the namespace shop' },
  ]);
  expect(second.conditions).toMatchObject([{ type: 'Degraded', status: true, reason: 'Finalizing' }]);
  expect(second.requeueAfterMs).toBeUndefined();
});
// #endregion
