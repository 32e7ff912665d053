import { Pod } from 'keelson/kinds';
import { isApiError, type StoredOf } from 'keelson/testing';
import { EtcdCluster } from '../../../../examples/etcd/cluster/etcd-cluster.js';
import { draws } from '../../../../src/testing/explore/draws.js';
import { Load } from '../../examples-etcd/load.js';
import { MemberWatch } from '../../examples-etcd/membership/index.js';
import { type Disturbance, drawRound, type Round, textOf } from '../../examples-etcd/soak/disturbances.js';
import { pollUntil } from '../../harness/index.js';
import { judge, RegisterClients } from '../../linearizability/index.js';
import { type ApiServerProcess, containerProcess } from '../harness/index.js';
import { type NodeRings, SYSTEM } from './node-rings.js';

/** A kubelet looks each five seconds whether a member is ready, etcd waits as long before each change of the membership, and two cores run all of it. */
const HEALS_WITHIN_MS = 240_000;
/** The kubelet waits ever longer before it starts a container again: one that it has started so often is lost with its Pod instead. */
const RESTARTS = 2;

type StoredPod = StoredOf<typeof Pod>;

export interface NodeSoakOptions {
  readonly rings: NodeRings;
  readonly apiServer: ApiServerProcess;
  /** Of a cluster that is ready, of three members. */
  readonly name: string;
  readonly seed: number;
  readonly report: (line: string) => void;
}

/** What a round is about: who was there before it began, as the API server may be away amid it. */
interface Struck {
  readonly members: readonly StoredPod[];
  readonly leader: StoredPod | undefined;
}

/**
 * A cluster of members in Pods of a node, whose operator is Pods too, under a load of writes: members, the operator and the API server are killed and stopped, round
 * after round, by real signals. After each round it must serve again as its spec has it; no acknowledged write may be lost, and the list of members, looked at ten
 * times a second, may never show two changes in flight. In the end the history of all clients must be linearizable.
 */
export class NodeSoak {
  readonly #options: NodeSoakOptions;
  readonly #random: () => number;
  readonly #load: Load;
  readonly #watch: MemberWatch;
  readonly #clients: RegisterClients;
  #size: 3 | 5 = 3;
  #rounds = 0;
  #slowestMs = 0;

  constructor(options: NodeSoakOptions) {
    const { rings, name, seed } = options;
    const target = () => rings.targetOf(name);
    this.#options = options;
    this.#random = draws(seed);
    this.#load = new Load(rings.etcd, target, { pauseMs: 25 });
    this.#watch = new MemberWatch({ etcd: rings.etcd, target, cluster: name });
    // Clients have draws of their own: how many calls they make depends on the machine, and the disturbances must not.
    this.#clients = new RegisterClients({ etcd: rings.etcd, target, random: draws(seed + 0.5) });
  }

  get summary(): string {
    const { operations, lost } = this.#clients.history;
    const slowest = (this.#slowestMs / 1_000).toFixed(1);
    return `${this.#rounds} rounds, the slowest healed after ${slowest} s; ${this.#load.acknowledged} writes acknowledged; ${operations.length} operations in the history, ${lost} of unknown outcome`;
  }

  /** @throws Error with what does not hold, and the round */
  async round(): Promise<void> {
    const round = drawRound(this.#random, this.#size);
    this.#rounds += 1;
    const title = `round ${this.#rounds}: ${textOf(round)}`;
    this.#options.report(title);
    try {
      await this.#strike(round);
      const seconds = await this.#healed();
      this.#options.report(`  healed after ${seconds.toFixed(1)} s`);
      await this.#wholesome();
    } catch (error) {
      throw new Error(`${title}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }

  /** Ends the load, and judges all of it. @throws Error when the history is not linearizable, or too long to be judged */
  async finish(): Promise<void> {
    await this.stop();
    await this.#wholesome();
    const { history } = this.#clients;
    const verdict = await judge(history.operations, '120s');
    if (verdict.verdict !== 'ok') throw new Error(`the history of ${history.operations.length} operations: ${JSON.stringify(verdict)}`);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#load.stop(), this.#watch.stop(), this.#clients.stop()]);
  }

  async #strike({ size, disturbances }: Round): Promise<void> {
    const { rings, name } = this.#options;
    const [pods, operators, leader] = [await rings.podsOf(name), await rings.operatorPods(), await rings.leader()];
    const struck = {
      members: pods.filter(isReady).sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1)),
      leader: operators.find(({ metadata }) => metadata.name === leader),
    };
    if (size !== undefined) {
      await rings.change(name, { size });
      this.#size = size;
    }
    await Promise.all(disturbances.map((disturbance) => this.#disturb(disturbance, struck)));
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
    const isDone = await pollUntil(async () => {
      try {
        await cluster.delete(Pod, `${namespace}/${name}`, { uid, gracePeriodSeconds });
        return true;
      } catch (error) {
        // It is gone, or another one has its name.
        return isApiError(error) && [404, 409].includes(error.status.code ?? 0);
      }
    }, HEALS_WITHIN_MS);
    if (!isDone) throw new Error(`Pod ${name} could not be deleted`);
  }

  /** @returns the seconds that it took */
  async #healed(): Promise<number> {
    const began = performance.now();
    let last = '';
    const isWell = await pollUntil(async () => {
      last = await this.#lacking().catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
      return last === '';
    }, HEALS_WITHIN_MS);
    const ms = performance.now() - began;
    this.#slowestMs = Math.max(this.#slowestMs, ms);
    if (!isWell) throw new Error(`the cluster has not healed within ${HEALS_WITHIN_MS / 1_000} s: ${last}`);
    return ms / 1_000;
  }

  /** What is not yet as the spec has it, as the members themselves say it: a status may be from before the disturbance. */
  async #lacking(): Promise<string> {
    const { rings, name } = this.#options;
    const pods = await rings.podsOf(name);
    if (pods.length !== this.#size) return `${pods.length} Pods, not ${this.#size}`;
    const unready = pods.find((pod) => !isReady(pod));
    if (unready !== undefined)
      return `${unready.metadata.name} is not ready: ${JSON.stringify(unready.status?.containerStatuses?.[0]?.state)}`;
    const statuses = await Promise.all(
      pods.map(({ status }) => rings.etcd.status({ endpoints: [`http://${status?.podIP}:2379`] }, { timeoutMs: 1_000 })),
    );
    const voters = statuses.filter(({ isLearner, leader }) => !isLearner && leader !== undefined);
    if (voters.length !== this.#size) return `${voters.length} voters that know their leader, not ${this.#size}`;
    const { size } = await rings.membersOf(name);
    if (size !== this.#size) return `${size} members in the list, not ${this.#size}`;
    const operators = await rings.operatorPods();
    if (operators.length !== 2 || !operators.every(isReady)) return `of the Pods of the operator in ${SYSTEM} not two are ready`;
    const { metadata, status } = await rings.cluster.get(EtcdCluster, name);
    const ready = status?.conditions?.find(({ type }) => type === 'Ready');
    const isDone = ready?.status === 'True' && ready.observedGeneration === metadata.generation && status?.size === this.#size;
    return isDone ? '' : `the status: size ${status?.size}, Ready is ${ready?.status}: ${ready?.message}`;
  }

  async #wholesome(): Promise<void> {
    const lost = await this.#load.lost();
    if (lost.length > 0) throw new Error(`${lost.length} acknowledged writes are lost: ${lost.slice(0, 5).join(', ')}`);
    const [problem] = this.#watch.problems;
    if (problem !== undefined) throw new Error(`the membership: ${problem}`);
    if (this.#watch.clusterIds.size !== 1)
      throw new Error(`there were ${this.#watch.clusterIds.size} clusters: ${[...this.#watch.clusterIds].join()}`);
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

/** How long a disturbance lasts is part of it. */
function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
