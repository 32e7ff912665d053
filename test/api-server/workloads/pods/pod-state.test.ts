import {
  claimNamesOf,
  isActive,
  isAvailable,
  nextAvailabilityMs,
  podFromTemplate,
} from '../../../../src/api-server/workloads/pods/index.js';
import type { Pod } from '../../../../src/kubernetes/kinds/index.js';

const READY_AT = '2030-01-01T00:00:10Z';
const ready = (since = READY_AT): Pod =>
  ({ metadata: { name: 'a' }, status: { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: since }] } }) as unknown as Pod;
const unready = { metadata: { name: 'b' }, status: { conditions: [{ type: 'Ready', status: 'False' }] } } as unknown as Pod;
const after = (seconds: number): { minReadySeconds: number; now: Date } => ({
  minReadySeconds: 30,
  now: new Date(Date.parse(READY_AT) + seconds * 1000),
});

test('a Pod is available when it has been ready for long enough, to the second', () => {
  expect([29, 30].map((seconds) => isAvailable(ready(), after(seconds)))).toEqual([false, true]);
  expect(isAvailable(ready(), { minReadySeconds: 0, now: new Date(0) })).toBe(true);
  expect(isAvailable(unready, { minReadySeconds: 0, now: new Date(READY_AT) })).toBe(false);
});

test('the next look is when the first of the ready Pods will be available', () => {
  expect(nextAvailabilityMs([unready, ready(), ready('2030-01-01T00:00:20Z')], after(12))).toBe(18_000);
  expect(nextAvailabilityMs([unready, ready()], after(30))).toBeUndefined();
});

test('a Pod that has ended, or is being deleted, is not active', () => {
  const pod = (phase: string, metadata: object = {}): Pod => ({ metadata, status: { phase } }) as unknown as Pod;
  const going = pod('Running', { deletionTimestamp: READY_AT });
  expect([pod('Pending'), pod('Running'), pod('Failed'), pod('Succeeded'), going].map(isActive)).toEqual([true, true, false, false, false]);
});

test('a Pod uses the claims that it names and those that are made for it', () => {
  const volumes = [
    { name: 'x', persistentVolumeClaim: { claimName: 'data' } },
    { name: 'scratch', ephemeral: {} },
    { name: 'y', emptyDir: {} },
  ];
  expect(claimNamesOf({ metadata: { name: 'a' }, spec: { volumes } } as unknown as Pod)).toEqual(['data', 'a-scratch']);
});

test('a Pod of a template has its labels and its spec, and the name is the business of the server', () => {
  const reference = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'u', controller: true };
  const template = { metadata: { name: 'ignored', labels: { app: 'web' }, finalizers: ['f'] }, spec: { containers: [{ name: 'main' }] } };
  expect(podFromTemplate(template, { name: 'web', reference })).toEqual({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { generateName: 'web-', labels: { app: 'web' }, annotations: {}, finalizers: ['f'], ownerReferences: [reference] },
    spec: { containers: [{ name: 'main' }] },
  });
});
