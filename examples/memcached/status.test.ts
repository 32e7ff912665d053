import { deployment, memcached, pod } from './memcached-objects.js';
import { conditionsOf, statusOf } from './status.js';

test('nodes are the live pods in order of their names: the order of a list must not cause a write', () => {
  const pods = [pod('c'), pod('a'), pod('b', { deletionTimestamp: '2026-01-01T00:00:00Z' })];
  expect(statusOf(memcached(), pods)).toMatchObject({ nodes: ['a', 'c'], replicas: 2 });
});

test('the selector of the scale subresource selects the pods', () => {
  expect(statusOf(memcached(), []).selector).toBe(
    'app.kubernetes.io/name=memcached,app.kubernetes.io/managed-by=memcached-operator,app.kubernetes.io/instance=sessions',
  );
});

const conditions = (status: Parameters<typeof deployment>[0]) =>
  Object.fromEntries(conditionsOf(memcached(), deployment(status)).map((condition) => [condition.type, condition.status]));

test('nothing is known before the Deployment has a status', () => {
  expect(conditionsOf(memcached(), undefined).map(({ status }) => status)).toEqual(['Unknown', 'Unknown']);
  expect(conditions(undefined)).toEqual({ Available: 'Unknown', Ready: 'Unknown' });
});

const complete = { observedGeneration: 1, replicas: 3, updatedReplicas: 3, availableReplicas: 3 };

test.each([
  ['every pod serves', complete, { Available: true, Ready: true }],
  ['one of three pods serves', { ...complete, availableReplicas: 1 }, { Available: true, Ready: false }],
  ['no pod serves', { ...complete, availableReplicas: 0 }, { Available: false, Ready: false }],
  ['old pods serve while new ones start', { ...complete, replicas: 4, updatedReplicas: 1 }, { Available: true, Ready: false }],
  ['the Deployment controller has not seen the change yet', { ...complete, observedGeneration: 0 }, { Available: true, Ready: false }],
])('%s', (_, status, expected) => {
  expect(conditions(status)).toEqual(expected);
});
