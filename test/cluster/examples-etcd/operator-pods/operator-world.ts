import { join } from 'node:path';
import { type ContainerOfPod, mergePatch, processes, TestCluster } from '@keelson/testing';
import { Pod } from 'keelson/kinds';
import type { EtcdApi, EtcdTarget } from '../../../../examples/etcd/client/api.js';
import { createEtcdGateway } from '../../../../examples/etcd/client/gateway.js';
import { LocalNames } from '../../../../examples/etcd/client/local-names.js';
import { EtcdCluster } from '../../../../examples/etcd/cluster/etcd-cluster.js';
import { operator } from '../../../../examples/etcd/etcd-operator.js';
import { DEADLINE_MS } from '../../../deadline.cjs';
import { bundledProgram } from '../../harness/index.js';
import { type Entry, MembershipJudge, MemberWatch } from '../membership/index.js';
import { Desk } from './desk.js';

const ROOT = join(__dirname, '../../../..');
const PROGRAM = 'test/cluster/examples-etcd/operator-pods/main.ts';
const SYSTEM = 'etcd-operator-system';
const LEASE = 'etcd-operator';
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

type Cluster = Awaited<ReturnType<typeof started>>;

/** Both are processes of Pods: the members, and replicas of the operator, which connect as Pods do and elect a leader. */
export class OperatorWorld {
  readonly cluster: Cluster;
  readonly etcd: EtcdApi = createEtcdGateway();
  readonly #names: LocalNames;
  readonly #judge: MembershipJudge;
  readonly #desk: Desk;

  /** @param heard is told of each entry before the process goes on */
  static async open(etcd: string, heard: (entry: Entry) => Promise<void>): Promise<OperatorWorld> {
    const names = new LocalNames();
    const judge = new MembershipJudge();
    const desk = await Desk.open(names, async (entry) => {
      judge.take(entry);
      await heard(entry);
    });
    const cluster = await started({ etcd, names, desk: desk.url });
    return new OperatorWorld({ cluster, names, judge, desk });
  }

  private constructor({ cluster, names, judge, desk }: { cluster: Cluster; names: LocalNames; judge: MembershipJudge; desk: Desk }) {
    this.cluster = cluster;
    this.#names = names;
    this.#judge = judge;
    this.#desk = desk;
  }

  async close(): Promise<void> {
    await this.cluster.close();
    await this.#desk.close();
  }

  async startReplica(name: string): Promise<void> {
    const env = [
      { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
      { name: 'KEELSON_LISTEN_ADDRESS', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
      { name: 'KEELSON_LEASE_NAME', value: LEASE },
      { name: 'ETCD_DEAD_MEMBER_AFTER_SECONDS', value: '30' },
    ];
    const container = { name: 'operator', image: 'registry.example.com/etcd-operator:0.1.0', env };
    await this.cluster.create(Pod, {
      metadata: { name, namespace: SYSTEM },
      spec: { serviceAccountName: operator.name, containers: [container] },
    });
  }

  /** From one moment to the next: nothing is said any more, and the Lease is not given back. The kubelet starts it again. */
  async kill(entry: { readonly by: string }): Promise<void> {
    await this.cluster.pods.signal(`${SYSTEM}/${entry.by.split(' ')[0]}`, 'SIGKILL');
    this.#judge.take({ what: 'was killed', by: entry.by });
  }

  async change(spec: { readonly size: number }): Promise<void> {
    await this.cluster.patch(EtcdCluster, 'ring', mergePatch({ spec }));
  }

  async targetOf(name: string): Promise<EtcdTarget> {
    const pods = await this.cluster.list(Pod, { labels: { app: 'etcd', etcd_cluster: name } });
    const running = pods.filter(({ status, metadata }) => status?.phase === 'Running' && metadata.deletionTimestamp === undefined);
    return { endpoints: running.map(({ status }) => `http://${status?.podIP}:2379`) };
  }

  watch(name: string): MemberWatch {
    const target = () => this.targetOf(name);
    return new MemberWatch({ etcd: this.#names.between(this.etcd), target, judge: this.#judge, cluster: `${name}.shop.svc` });
  }
}

interface Programs {
  readonly etcd: string;
  readonly names: LocalNames;
  readonly desk: string;
}

function started({ etcd, names, desk }: Programs) {
  const operatorOf = ({ pathOf }: ContainerOfPod) => ({
    program: process.execPath,
    args: [bundledProgram(PROGRAM), desk, pathOf(SERVICE_ACCOUNT)],
    directory: ROOT,
  });
  const containers = processes({
    'registry.example.com/etcd-operator:*': operatorOf,
    'quay.io/coreos/etcd:*': (container) => ({ program: etcd, args: names.argsOf(container) }),
    'busybox:*': 'simulated',
  });
  return TestCluster.start({ operator, webhooks: false, workloads: { containers }, timeout: DEADLINE_MS, namespace: 'shop' });
}
