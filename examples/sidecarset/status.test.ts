import type { Pod } from 'keelson/kinds';
import { rolloutOf } from './rollout.js';
import { injectedPod, sidecar, sidecarSet } from './sidecar-set-objects.js';
import { conditionsOf, statusOf } from './status.js';

const set = sidecarSet('mesh');
const condition = (of: typeof set, pods: readonly Pod[]) => {
  const [ready] = conditionsOf(of, pods, rolloutOf(of, pods));
  return [ready?.status, ready?.reason];
};

test('it counts the Pods, those that are updated, and those that are ready', () => {
  const older = injectedPod('older', sidecarSet('mesh', { containers: [sidecar('proxy:0')] }));
  const pods = [older, injectedPod('a', set), injectedPod('b', set, { ready: false })];
  expect(statusOf(pods, rolloutOf(set, pods), 'mesh-abc')).toEqual({
    matchedPods: 3,
    updatedPods: 2,
    readyPods: 2,
    updatedReadyPods: 1,
    latestRevision: 'mesh-abc',
  });
});

test('it is ready when all Pods serve with the sidecars of the spec, also when there are none', () => {
  expect(condition(set, [])).toEqual([true, 'PodsUpdated']);
  expect(condition(set, [injectedPod('a', set)])).toEqual([true, 'PodsUpdated']);
  expect(condition(set, [injectedPod('a', set, { ready: false })])).toEqual([false, 'PodsUnavailable']);
});

test.each([
  ['Updating', {}, [sidecar('proxy:2')]],
  ['UpdatePaused', { paused: true }, [sidecar('proxy:2')]],
  ['UpdateDisabled', { type: 'NotUpdate' as const }, [sidecar('proxy:2')]],
  ['PodsNeedRecreation', {}, [sidecar('proxy:1', { args: ['-v'] })]],
])('it says why not: %s', (reason, updateStrategy, containers) => {
  expect(condition(sidecarSet('mesh', { updateStrategy, containers }), [injectedPod('a', set)])).toEqual([false, reason]);
});
