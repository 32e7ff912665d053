import type { Outcome } from 'keelson';
import type { Deployment, Pod } from 'keelson/kinds';
import { memcachedController } from './controller.js';
import { deploymentFor } from './deployment.js';
import type { Memcached } from './memcached.js';
import { deployment, memcached, pod } from './memcached-objects.js';

type Status = NonNullable<Memcached['status']>;

/** What the cluster holds when the controller runs. */
interface Observed {
  readonly object: Memcached;
  readonly deployments?: readonly Deployment[];
  readonly pods?: readonly Pod[];
}

/** Runs the reconcile function on what it would observe, and gives what it wants. */
function reconcile({ object, deployments = [], pods = [] }: Observed): Outcome<Deployment, Status> {
  let outcome: Outcome<Deployment, Status> = {};
  const context = {
    object,
    deployments: { get: (name: string) => deployments.find(({ metadata }) => metadata.name === name) },
    pods: {
      list: ({ labels }: { labels: Record<string, string> }) =>
        pods.filter(({ metadata }) => Object.entries(labels).every(([label, value]) => metadata.labels?.[label] === value)),
    },
    done: (wanted: Outcome<Deployment, Status>) => {
      outcome = wanted;
    },
  };
  (memcachedController.reconcile as (given: typeof context) => void)(context);
  return outcome;
}

test('a new Memcached gets its Deployment, and a status that promises nothing', () => {
  const object = memcached();
  const { owned, status, conditions } = reconcile({ object });
  expect(owned).toEqual([deploymentFor(object)]);
  expect(status).toMatchObject({ nodes: [], replicas: 0 });
  expect(conditions?.map(({ type, status }) => [type, status])).toEqual([
    ['Available', 'Unknown'],
    ['Ready', 'Unknown'],
  ]);
});

test('it is ready when the Deployment is', () => {
  const complete = { observedGeneration: 1, replicas: 3, updatedReplicas: 3, availableReplicas: 3 };
  const { status, conditions } = reconcile({
    object: memcached(),
    deployments: [deployment(complete)],
    pods: [pod('b'), pod('a'), pod('c')],
  });
  expect(status?.nodes).toEqual(['a', 'b', 'c']);
  expect(conditions?.at(-1)).toMatchObject({ type: 'Ready', status: true, reason: 'PodsReady' });
});

test('pods of another Memcached in the namespace are not counted', () => {
  expect(reconcile({ object: memcached(), pods: [pod('a'), pod('x', { instance: 'other' })] }).status?.nodes).toEqual(['a']);
});

test('the same observation gives the same outcome, so that nothing is written when nothing has changed', () => {
  const observed = { object: memcached(), deployments: [deployment()], pods: [pod('a'), pod('b')] };
  expect(reconcile(observed)).toEqual(reconcile({ ...observed, pods: observed.pods.toReversed() }));
});

test('a pod that comes or goes concerns the Memcached that its label names', () => {
  const enqueue = memcachedController.watches['pods']?.enqueue as (changed: Pod) => unknown;
  expect(enqueue(pod('a'))).toEqual([{ name: 'sessions' }]);
});

test('a deletion is told in an event', () => {
  const told: string[][] = [];
  const finalize = memcachedController.finalize as (context: unknown) => void;
  finalize({ object: memcached(), events: { warning: (...event: string[]) => told.push(event) } });
  expect(told).toEqual([['Deleting', 'Memcached sessions is being deleted from the namespace shop']]);
});
