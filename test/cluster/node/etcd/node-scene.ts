import { isApiError, type StoredOf } from '@keelson/testing';
import { Pod } from 'keelson/kinds';
import type { EtcdApi, EtcdTarget } from '../../../../examples/etcd/client/api.js';
import { EtcdCluster } from '../../../../examples/etcd/cluster/etcd-cluster.js';
import { eventually } from '../../../eventually.js';
import { MemberWatch } from '../../examples-etcd/membership/index.js';
import type { Disturbance, Round } from '../../examples-etcd/soak/disturbances.js';
import { passed, type SoakScene, type SoakSize, votersLacking } from '../../examples-etcd/soak/soak.js';
import { type ApiServerProcess, containerProcess, containerProcesses } from '../harness/index.js';
import { type NodeRings, SYSTEM } from './node-rings.js';

/** The kubelet waits ever longer before it starts a container again: one that it has started so often is lost with its Pod instead. */
const RESTARTS = 2;

type StoredPod = StoredOf<typeof Pod>;

export interface NodeSceneOptions {
  readonly rings: NodeRings;
  readonly apiServer: ApiServerProcess;
  /** Of a cluster that is ready, of three members. */
  readonly name: string;
}

/** Who was there before a round began: the API server may be away amid it. */
interface Struck {
  readonly members: readonly StoredPod[];
  readonly leader: StoredPod | undefined;
}

/** Members are Pods of a node, and so is the operator. All of them, and the API server, get real signals. */
export class NodeScene implements SoakScene {
  readonly etcd: EtcdApi;
  readonly watch: MemberWatch;
  readonly #options: NodeSceneOptions;

  constructor(options: NodeSceneOptions) {
    const { rings, name } = options;
    this.#options = options;
    this.etcd = rings.etcd;
    this.watch = new MemberWatch({ etcd: rings.etcd, target: () => this.target(), cluster: name });
  }

  target(): Promise<EtcdTarget> {
    const { rings, name } = this.#options;
    return rings.targetOf(name);
  }

  async strike({ size, disturbances }: Round): Promise<void> {
    const { rings, name } = this.#options;
    const [pods, operators, leader] = [await rings.podsOf(name), await rings.operatorPods(), await rings.leader()];
    const struck = {
      members: pods.filter(isReady).sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1)),
      leader: operators.find(({ metadata }) => metadata.name === leader),
    };
    if (size !== undefined) await rings.change(name, { size });
    await Promise.all(disturbances.map((disturbance) => this.#disturb(disturbance, struck)));
  }

  async lacking(size: SoakSize): Promise<string> {
    const { rings, name } = this.#options;
    const pods = await rings.podsOf(name);
    if (pods.length !== size) return `${pods.length} Pods, not ${size}`;
    const unready = pods.find((pod) => !isReady(pod));
    if (unready !== undefined)
      return `${unready.metadata.name} is not ready: ${JSON.stringify(unready.status?.containerStatuses?.[0]?.state)}`;
    const endpoints = pods.map(({ status }) => `http://${status?.podIP}:2379`);
    const lacking = await votersLacking(rings.etcd, endpoints, size);
    if (lacking !== '') return lacking;
    const operators = await rings.operatorPods();
    if (operators.length !== 2 || !operators.every(isReady)) return `of the Pods of the operator in ${SYSTEM} not two are ready`;
    // The kubelet says a moment later than the process ends that the Pod is not ready.
    const ended = operators.find(({ metadata: { uid } }) => containerProcesses(uid, 'node').length !== 1);
    if (ended !== undefined) return `the process of ${ended.metadata.name} has not been started again`;
    const { metadata, status } = await rings.cluster.get(EtcdCluster, name);
    const ready = status?.conditions?.find(({ type }) => type === 'Ready');
    const isDone = ready?.status === 'True' && ready.observedGeneration === metadata.generation && status?.size === size;
    return isDone ? '' : `the status: size ${status?.size}, Ready is ${ready?.status}: ${ready?.message}`;
  }

  async #disturb(disturbance: Disturbance, { members, leader }: Struck): Promise<void> {
    const { apiServer } = this.#options;
    const memberOf = (number: number): StoredPod => {
      const pod = members[number % members.length];
      if (pod === undefined) throw new Error('no member is ready');
      return pod;
    };
    switch (disturbance.do) {
      case 'kill the process of':
        return this.#kill(memberOf(disturbance.member), 'etcd');
      case 'stop the process of': {
        const pid = containerProcess(memberOf(disturbance.member).metadata.uid, 'etcd');
        process.kill(pid, 'SIGSTOP');
        await passed(disturbance.forMs);
        return continued(pid);
      }
      case 'lose the Pod of':
        return this.#delete(memberOf(disturbance.member), 0);
      case 'delete the Pod of':
        return this.#delete(memberOf(disturbance.member));
      case 'kill the operator':
        // Between two leaders nobody leads, and there is nobody to be killed.
        return leader === undefined ? undefined : this.#kill(leader, 'node');
      case 'take away the API server':
        apiServer.pause();
        await passed(disturbance.forMs);
        return apiServer.resume();
      case 'restart the API server':
        return apiServer.killAndStart();
    }
  }

  async #kill(pod: StoredPod, program: string): Promise<void> {
    if ((pod.status?.containerStatuses?.[0]?.restartCount ?? 0) >= RESTARTS) return this.#delete(pod, 0);
    process.kill(containerProcess(pod.metadata.uid, program), 'SIGKILL');
  }

  /** Until the API server takes it. */
  async #delete({ metadata: { namespace, name, uid } }: StoredPod, gracePeriodSeconds?: number): Promise<void> {
    const { cluster } = this.#options.rings;
    await eventually(async () => {
      try {
        await cluster.delete(Pod, `${namespace}/${name}`, { uid, gracePeriodSeconds });
        return true;
      } catch (error) {
        // It is gone, or another one has its name.
        return isApiError(error) && [404, 409].includes(error.status.code ?? 0);
      }
    }, `Pod ${name} is deleted`);
  }
}

export function isReady({ metadata, status }: StoredPod): boolean {
  const isTrue = status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true;
  return isTrue && metadata.deletionTimestamp === undefined;
}

/** It may have been killed meanwhile. */
function continued(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
