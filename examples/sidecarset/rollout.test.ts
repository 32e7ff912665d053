import type { Stored } from 'keelson';
import type { Pod } from 'keelson/kinds';
import { isConsistent } from './pod-state.js';
import { rolloutOf, updateOf } from './rollout.js';
import type { SidecarSet } from './sidecar-set.js';
import { injectedPod, settledPod, sidecar, sidecarSet } from './sidecar-set-objects.js';

const before = sidecarSet('mesh');
const wanted = (updateStrategy: Partial<SidecarSet['spec']['updateStrategy']> = {}, image = 'proxy:2') =>
  sidecarSet('mesh', { containers: [sidecar(image)], updateStrategy });
const podsOf = (count: number, set: SidecarSet = before) => Array.from({ length: count }, (_, index) => injectedPod(`pod-${index}`, set));
const next = (set: SidecarSet, pods: readonly Pod[]) => rolloutOf(set, pods).next.map(({ metadata }) => metadata.name);

/** What the API server makes of the patch. */
function patched(pod: Stored<Pod>, set: SidecarSet): Stored<Pod> {
  const { metadata, spec } = updateOf(pod, set);
  return {
    ...pod,
    metadata: { ...pod.metadata, annotations: { ...pod.metadata.annotations, ...metadata.annotations } },
    spec: { ...pod.spec, ...spec },
  };
}

test('one Pod at a time: the next when the last one runs the new image and is ready', () => {
  const set = wanted();
  let pods = podsOf(3);
  for (const name of ['pod-0', 'pod-1', 'pod-2']) {
    expect(next(set, pods)).toEqual([name]);
    pods = pods.map((pod) => (pod.metadata.name === name ? patched(pod, set) : pod));
    expect(next(set, pods)).toEqual([]);
    pods = pods.map((pod) => (pod.metadata.name === name ? settledPod(pod, false) : pod));
    expect(next(set, pods)).toEqual([]);
    pods = pods.map((pod) => (pod.metadata.name === name ? settledPod(pod) : pod));
  }
  expect(rolloutOf(set, pods)).toMatchObject({ updated: { length: 3 }, outdated: [], next: [] });
});

test('a Pod that is not ready uses the budget up, and may be updated itself', () => {
  const [first, ...others] = podsOf(3);
  const broken = settledPod(first as Stored<Pod>, false);
  expect(next(wanted(), [broken, ...others])).toEqual(['pod-0']);
  expect(next(wanted(), [patched(broken, wanted()), ...others])).toEqual([]);
});

test('a broken image does not stop its own repair', () => {
  const broken = patched(podsOf(1)[0] as Stored<Pod>, wanted({}, 'proxy:broken'));
  const pods = [settledPod(broken, false), ...podsOf(3).slice(1)];
  expect(next(wanted({}, 'proxy:3'), pods)).toEqual(['pod-0']);
});

test.each<[string, Partial<SidecarSet['spec']['updateStrategy']>, number, number]>([
  ['two at a time', { maxUnavailable: 2 }, 5, 2],
  ['none', { maxUnavailable: 0 }, 5, 0],
  ['5% of three are one', { maxUnavailable: '5%' }, 3, 1],
  ['half of five are three', { maxUnavailable: '50%' }, 5, 3],
  ['paused', { paused: true }, 3, 0],
  ['not at all', { type: 'NotUpdate' }, 3, 0],
  ['all but two', { partition: 2, maxUnavailable: 9 }, 5, 3],
  ['a partition of more than there are', { partition: 9, maxUnavailable: 9 }, 5, 0],
  ['half stay', { partition: '50%', maxUnavailable: 9 }, 4, 2],
  ['99% of two: one may go on', { partition: '99%', maxUnavailable: 9 }, 2, 1],
  ['all stay', { partition: '100%', maxUnavailable: 9 }, 2, 0],
])('%s', (_, strategy, count, expected) => {
  expect(next(wanted(strategy), podsOf(count))).toHaveLength(expected);
});

test('Pods that are updated already count for the partition', () => {
  const set = wanted({ partition: 2, maxUnavailable: 9 });
  expect(next(set, [...podsOf(4), injectedPod('new', set)])).toHaveLength(2);
});

test('a selector chooses canaries', () => {
  const canary = injectedPod('canary', before, { labels: { app: 'web', canary: 'yes' } });
  const set = wanted({ selector: { matchLabels: { canary: 'yes' } }, maxUnavailable: 9 });
  expect(next(set, [...podsOf(3), canary])).toEqual(['canary']);
});

test('the youngest Pod comes first', () => {
  const times = ['2026-01-01T00:00:00Z', '2026-01-03T00:00:00Z', '2026-01-02T00:00:00Z'];
  const pods = times.map((creationTimestamp, index) => injectedPod(`pod-${index}`, before, { creationTimestamp }));
  expect(next(wanted(), pods)).toEqual(['pod-1']);
});

test.each([
  ['env', [sidecar('proxy:1', { env: [{ name: 'A', value: '1' }] })]],
  ['image and env', [sidecar('proxy:2', { env: [{ name: 'A', value: '1' }] })]],
  ['a container more', [sidecar('proxy:1'), sidecar('other:1', { name: 'other' })]],
])('a change of %s waits for new Pods', (_, containers) => {
  const rollout = rolloutOf(sidecarSet('mesh', { containers }), podsOf(2));
  expect(rollout).toMatchObject({ updated: [], outdated: [], needRecreation: { length: 2 }, next: [] });
});

test('the patch changes images and marks, for this version of the Pod alone', () => {
  const set = sidecarSet('mesh', {
    containers: [sidecar('proxy:2')],
    initContainers: [sidecar('native:2', { name: 'native', restartPolicy: 'Always' })],
  });
  const pod = injectedPod('a', sidecarSet('mesh', { initContainers: [sidecar('native:1', { name: 'native', restartPolicy: 'Always' })] }));
  const { metadata, spec } = updateOf(pod, set);
  expect(metadata.resourceVersion).toBe('1');
  expect(spec.containers.map(({ image }) => image)).toEqual(['app:1', 'proxy:2']);
  expect(spec.initContainers?.map(({ image }) => image)).toEqual(['native:2']);
  expect(spec.containers[0]).toEqual(pod.spec?.containers[0]);
});

test('another tag of the same image: the kubelet may report either, the new container tells', () => {
  const set = wanted();
  const updated = patched(podsOf(1)[0] as Stored<Pod>, set);
  expect(isConsistent(updated, set)).toBe(false);
  const [app, proxy] = updated.status?.containerStatuses ?? [];
  if (app === undefined || proxy === undefined) throw new Error('no statuses');
  const restarted = {
    ...updated,
    status: { ...updated.status, containerStatuses: [app, { ...proxy, containerID: 'containerd://another' }] },
  };
  expect(isConsistent(restarted, set)).toBe(true);
});
