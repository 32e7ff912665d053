import { reconcileOnce } from '@keelson/testing';
import type { Stored } from 'keelson';
import type { Pod } from 'keelson/kinds';
import { sidecarSetController } from './controller.js';
import { isAvailable } from './pod-state.js';
import { injectedPod, settledPod, sidecar, sidecarSet } from './sidecar-set-objects.js';

const COUNT = 1000;
type Patch = Pick<Pod, 'metadata' | 'spec'>;

const patched = (pod: Stored<Pod>, { metadata, spec }: Patch): Stored<Pod> => ({
  ...pod,
  metadata: { ...pod.metadata, annotations: { ...metadata.annotations }, resourceVersion: `${Number(pod.metadata.resourceVersion) + 1}` },
  spec: { ...pod.spec, ...spec } as NonNullable<Pod['spec']>,
});

test('2B-27: a thousand Pods are updated once each, a tenth at a time, in as many runs as kubelets take; then nothing is left to do', async () => {
  const before = sidecarSet('web', { updateStrategy: { maxUnavailable: '10%' } });
  const after = sidecarSet('web', { containers: [sidecar('proxy:2')], updateStrategy: { maxUnavailable: '10%' } });
  const pods = new Map(
    Array.from({ length: COUNT }, (_, index) => `web-${index}`).map((name) => [name, injectedPod(name, before)] as const),
  );
  const patches = new Map<string, number>();
  const pulling: string[] = [];
  let [runs, most] = [0, 0];
  for (;;) {
    runs += 1;
    const { writes } = await reconcileOnce(sidecarSetController, { object: after, pods: [...pods.values()] });
    for (const { handle, verb, arguments: given } of writes) {
      expect([handle, verb]).toEqual(['pods', 'patch']);
      const [target, patch] = given as [Stored<Pod>, Patch];
      const { name, resourceVersion } = target.metadata;
      expect(patch.metadata.resourceVersion).toBe(resourceVersion);
      patches.set(name, (patches.get(name) ?? 0) + 1);
      pods.set(name, patched(pods.get(name) as Stored<Pod>, patch));
      pulling.push(name);
    }
    most = Math.max(most, [...pods.values()].filter((pod) => !isAvailable(pod, after)).length);
    if (pulling.length === 0) break;
    // Half of the kubelets are done by the next run.
    for (const name of pulling.splice(0, Math.ceil(pulling.length / 2))) pods.set(name, settledPod(pods.get(name) as Stored<Pod>));
  }
  expect([patches.size, Math.max(...patches.values())]).toEqual([COUNT, 1]);
  expect(most).toBe(COUNT / 10);
  // 50 at a time, the first 100, the last halves, and the run that finds nothing to do.
  expect(runs).toBeLessThan(COUNT / 50 + 12);
  const { status, conditions } = await reconcileOnce(sidecarSetController, { object: after, pods: [...pods.values()] });
  expect([status, conditions]).toMatchObject([
    { matchedPods: COUNT, updatedPods: COUNT, readyPods: COUNT },
    [{ type: 'Ready', status: true, reason: 'PodsUpdated' }],
  ]);
});
