import { type InProcessCluster, isInvalid, mergePatch, type StoredOf, strategicPatch, TestCluster } from '@keelson/testing';
import { Deployment, EventsV1Event } from 'keelson/kinds';
import { Memcached } from '../../examples/memcached/memcached.js';
import { operator } from '../../examples/memcached/memcached-operator.js';
import { type Follower, follow, type Tell, teller } from './follow.js';
import type { Style } from './tree.js';

export interface LiveOptions {
  readonly style: Style;
  readonly print: (line: string) => void;
}

const NAME = 'memcached-sample';
const WHO_WIDTH = 10;

/** Starts an API server in this process and examples/memcached on it, and shows as it happens what the operator makes of what a user does. */
export async function live({ style, print }: LiveOptions): Promise<void> {
  const tell = teller(print, style, WHO_WIDTH);
  await using cluster = await TestCluster.start({ operator, workloads: { startAfter: 200, readyAfter: 200 }, timeout: '60s' });
  tell('server', 'an API server with RBAC, webhooks and workloads is up, in this process');
  await cluster.startOperator();
  tell('operator', 'runs in the name of its ServiceAccount, and answers its webhooks');
  const follower = await follow(cluster, tell, async (add, options) => {
    await add(cluster.watch(Deployment, options), (object, isGone) => ['Deployment', isGone ? 'is gone' : deploymentText(object)]);
    await add(cluster.watch(Memcached, options), (object, isGone) => {
      const text = isGone ? 'is gone' : memcachedText(object);
      return text === undefined ? undefined : ['Memcached', text];
    });
    await add(cluster.watch(EventsV1Event, options), ({ regarding, type, reason, note }) =>
      regarding?.kind === 'Memcached' ? ['event', `${type} ${reason}: ${note}`] : undefined,
    );
  });
  try {
    await createAndScale(cluster, tell);
    await breakAndRepair(cluster, tell);
    await remove(cluster, tell, follower);
  } finally {
    await follower.stop();
  }
}

async function createAndScale(cluster: InProcessCluster, tell: Tell): Promise<void> {
  tell('you', `create the Memcached ${NAME} with 3 pods`);
  await cluster.create(Memcached({ metadata: { name: NAME }, spec: { size: 3, image: 'memcached:1.6' } }));
  await ready(cluster, 3);
  tell('you', 'ask for 2 pods');
  try {
    await cluster.patch(Memcached, NAME, mergePatch({ spec: { size: 2 } }));
  } catch (error) {
    if (!isInvalid(error)) throw error;
    tell('webhook', `refuses: ${error.status.details?.causes?.map(({ field, message }) => `${field}: ${message}`).join('; ')}`);
  }
  tell('you', 'scale it to 5');
  await cluster.client.scale(Memcached).patch({ name: NAME, namespace: cluster.namespace }, mergePatch({ spec: { replicas: 5 } }));
  await ready(cluster, 5);
}

async function breakAndRepair(cluster: InProcessCluster, tell: Tell): Promise<void> {
  const { metadata, spec } = await cluster.get(Deployment, NAME);
  tell('you', 'break its Deployment: 1 replica, of nginx');
  const broken = { spec: { replicas: 1, template: { spec: { containers: [{ name: 'memcached', image: 'nginx' }] } } } };
  await cluster.patch(Deployment, NAME, strategicPatch(broken));
  await cluster.until(Deployment, NAME, (now) => JSON.stringify(now.spec) === JSON.stringify(spec));
  await ready(cluster, 5);
  tell('you', 'delete its Deployment');
  await cluster.delete(Deployment, NAME);
  await cluster.until(Deployment, NAME, (now) => now.metadata.uid !== metadata.uid);
  await ready(cluster, 5);
}

async function remove(cluster: InProcessCluster, tell: Tell, follower: Follower): Promise<void> {
  tell('you', 'delete the Memcached');
  await cluster.delete(Memcached, NAME);
  await cluster.until(Deployment, NAME, 'absent');
  await cluster.settled();
  await follower.stop();
  cluster.requests.expectNoneDenied();
  tell('server', `nothing is left; ${cluster.requests.length} requests of the operator, none was refused`);
}

/** Nothing of the way there counts: the Deployment must have been seen as it is wanted. */
async function ready(cluster: InProcessCluster, size: number): Promise<void> {
  await cluster.until(Deployment, NAME, ({ metadata, status, spec }) => {
    return (
      spec?.replicas === size &&
      status?.observedGeneration === metadata.generation &&
      status?.availableReplicas === size &&
      status.replicas === size
    );
  });
  await cluster.until(Memcached, NAME, { status: { replicas: size, conditions: [{ type: 'Ready', status: 'True' }] } });
}

function deploymentText({ spec, status }: StoredOf<typeof Deployment>): string {
  const image = spec?.template?.spec?.containers[0]?.image ?? '';
  return `wants ${spec?.replicas ?? 0} of ${image}; ${status?.availableReplicas ?? 0} available`;
}

function memcachedText({ status }: StoredOf<typeof Memcached>): string | undefined {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return ready === undefined ? undefined : `Ready=${ready.status} ${ready.reason}: ${ready.message}`;
}
