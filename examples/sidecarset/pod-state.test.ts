import { canonicalImage, isConsistent, isMatched } from './pod-state.js';
import { injectedPod, pod, sidecarSet } from './sidecar-set-objects.js';

const set = sidecarSet('mesh');

test('a Pod counts when it lives, is selected and has the sidecars', () => {
  const matched = injectedPod('a', set);
  expect(isMatched(matched, set)).toBe(true);
  expect(isMatched(pod('older'), set)).toBe(false);
  expect(isMatched(matched, sidecarSet('other'))).toBe(false);
  const { metadata } = matched;
  expect(isMatched({ ...matched, metadata: { ...metadata, labels: { app: 'left' } } }, set)).toBe(false);
  expect(isMatched({ ...matched, metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }, set)).toBe(false);
  expect(isMatched({ ...matched, metadata: { ...metadata, namespace: 'kube-system' } }, set)).toBe(false);
  expect(isMatched({ ...matched, status: { phase: 'Succeeded' } }, set)).toBe(false);
});

test.each([
  ['nginx', 'docker.io/library/nginx:latest'],
  ['proxy:1', 'docker.io/library/proxy:1'],
  ['team/proxy:1', 'docker.io/team/proxy:1'],
  ['index.docker.io/team/proxy:1', 'docker.io/team/proxy:1'],
  ['host:5000/proxy', 'host:5000/proxy:latest'],
  ['localhost/proxy:1', 'localhost/proxy:1'],
  ['proxy@sha256:abc', 'docker.io/library/proxy@sha256:abc'],
])('%s is %s', (image, expected) => {
  expect(canonicalImage(image)).toBe(expected);
  expect(canonicalImage(expected)).toBe(expected);
});

test('what a runtime reports under its full name is not another image', () => {
  const given = injectedPod('a', set);
  const containerStatuses = given.status?.containerStatuses?.map((status) => ({ ...status, image: canonicalImage(status.image) }));
  expect(isConsistent({ ...given, status: { ...given.status, containerStatuses } }, set)).toBe(true);
});

test('a sidecar that has not started is not consistent; other containers do not matter', () => {
  const given = injectedPod('a', set);
  const without = (name: string) => ({
    ...given,
    status: { ...given.status, containerStatuses: given.status?.containerStatuses?.filter((s) => s.name !== name) },
  });
  expect(isConsistent(without('proxy'), set)).toBe(false);
  expect(isConsistent(without('app'), set)).toBe(true);
});
