import { processes, type StoredOf, TestCluster } from '@keelson/testing';
import { EventsV1Event, Pod } from 'keelson/kinds';
import type { EtcdApi, EtcdTarget } from '../../examples/etcd/client/api.js';
import { createEtcdGateway } from '../../examples/etcd/client/gateway.js';
import { LocalNames } from '../../examples/etcd/client/local-names.js';
import { EtcdCluster } from '../../examples/etcd/cluster/etcd-cluster.js';
import { operator } from '../../examples/etcd/etcd-operator.js';
import { type Follower, follow, type Tell, teller } from './follow.js';
import type { LiveOptions } from './live.js';

export interface MembersOptions extends LiveOptions {
  /** A program of etcd. */
  readonly path: string;
  readonly version: string;
}

const NAME = 'ring';
const WHO_WIDTH = 11;

/** examples/etcd with members that are processes of etcd: a cluster of three is made, written to, loses a member, and is read. */
export async function members({ style, print, path, version }: MembersOptions): Promise<void> {
  const tell = teller(print, style, WHO_WIDTH);
  const names = new LocalNames();
  await using cluster = await start(path, names);
  const etcd = createEtcdGateway();
  await cluster.startOperator({ externals: { etcd: names.between(etcd) } });
  tell('operator', `runs on an API server in this process; its members will be processes of etcd ${version}`);
  const follower = await follow(cluster, tell, async (add, options) => {
    await add(cluster.watch(Pod, options), (pod, isGone) => [pod.metadata.name, isGone ? 'is gone' : podText(pod)]);
    await add(cluster.watch(EtcdCluster, options), (object, isGone) => {
      const text = isGone ? 'is gone' : clusterText(object);
      return text === undefined ? undefined : ['EtcdCluster', text];
    });
    await add(cluster.watch(EventsV1Event, options), ({ regarding, reason, note }) =>
      regarding?.kind === 'EtcdCluster' ? ['event', `${reason}: ${note}`] : undefined,
    );
  });
  try {
    await play(cluster, etcd, version, tell);
    await remove(cluster, tell, follower);
  } finally {
    await follower.stop();
  }
}

function start(path: string, names: LocalNames) {
  const containers = processes({
    'quay.io/coreos/etcd:*': (container) => ({ program: path, args: names.argsOf(container) }),
    'busybox:*': 'simulated',
  });
  return TestCluster.start({ operator, workloads: { containers }, timeout: '60s' });
}

type Cluster = Awaited<ReturnType<typeof start>>;

async function play(cluster: Cluster, etcd: EtcdApi, version: string, tell: Tell): Promise<void> {
  tell('you', `create the EtcdCluster ${NAME} with 3 members`);
  await cluster.create(EtcdCluster({ metadata: { name: NAME }, spec: { size: 3, version } }));
  await ready(cluster);
  tell('you', 'write colour=blue');
  await etcd.put(await targetOf(cluster), 'colour', 'blue');
  const { leader } = await etcd.status(await targetOf(cluster));
  const { members: before } = await etcd.members(await targetOf(cluster));
  const lost = before.find(({ id }) => id === leader)?.name ?? '';
  tell('you', `kill ${lost}, which leads, with its Pod and its data`);
  await cluster.pods.kill(lost);
  await cluster.until(async () => (await idsOf(cluster, etcd).catch(() => [leader])).every((id) => id !== leader));
  await ready(cluster);
  const known = new Set(before.map(({ id }) => id));
  const { members: after } = await etcd.members(await targetOf(cluster));
  const replacement = after.find(({ id }) => !known.has(id))?.name ?? '';
  const endpoint = `http://${await cluster.addressOf(Pod, replacement)}:2379`;
  const { keyValues } = await etcd.range({ endpoints: [endpoint] }, 'colour');
  tell('you', `read from ${replacement}, which is new: ${keyValues.map(({ key, value }) => `${key}=${value}`).join()}`);
}

async function remove(cluster: Cluster, tell: Tell, follower: Follower): Promise<void> {
  tell('you', 'delete the EtcdCluster');
  await cluster.delete(EtcdCluster, NAME);
  await cluster.until(async () => (await cluster.list(Pod)).length === 0);
  await follower.stop();
  cluster.requests.expectNoneDenied();
  tell('server', `nothing is left, no process either; ${cluster.requests.length} requests of the operator, none was refused`);
}

/** All three serve, as etcd says and as the status says. */
async function ready(cluster: Cluster): Promise<void> {
  await cluster.until(
    EtcdCluster,
    NAME,
    ({ status }) =>
      status?.members?.ready?.length === 3 && status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true,
  );
}

async function idsOf(cluster: Cluster, etcd: EtcdApi): Promise<readonly string[]> {
  return (await etcd.members(await targetOf(cluster))).members.map(({ id }) => id);
}

async function targetOf(cluster: Cluster): Promise<EtcdTarget> {
  const pods = await cluster.list(Pod);
  const running = pods.filter(({ status, metadata }) => status?.phase === 'Running' && metadata.deletionTimestamp === undefined);
  return { endpoints: running.map(({ status }) => `http://${status?.podIP}:2379`) };
}

function podText({ metadata, status }: StoredOf<typeof Pod>): string {
  if (metadata.deletionTimestamp !== undefined) return 'is being deleted';
  const isReady = status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;
  return isReady ? `serves at ${status?.podIP}:2379` : `${status?.phase ?? 'Pending'}`;
}

function clusterText({ status }: StoredOf<typeof EtcdCluster>): string | undefined {
  const conditions = status?.conditions?.filter(({ type }) => type === 'Available' || type === 'Ready') ?? [];
  if (conditions.length === 0) return undefined;
  return conditions.map(({ type, status: is, message }) => `${type}=${is}${is === 'True' ? '' : ` (${message})`}`).join(', ');
}
