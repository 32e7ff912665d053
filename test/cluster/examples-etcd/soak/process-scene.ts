import { FaultError, type Faults, PodControlError } from '@keelson/testing';
import type { EtcdApi, EtcdTarget } from '../../../../examples/etcd/client/api.js';
import { eventually } from '../../../eventually.js';
import type { MemberWatch } from '../membership/index.js';
import { isReady, type RealWorld } from '../real-world.js';
import type { Disturbance, Round } from './disturbances.js';
import { OperatorFuse } from './operator-fuse.js';
import { passed, type SoakScene, type SoakSize, votersLacking } from './soak.js';

const NAME = 'ring';
const ALWAYS = Number.POSITIVE_INFINITY;

/** Members are processes of this machine. The operator runs in this process, and the API server is that of keelson. */
export class ProcessScene implements SoakScene {
  readonly etcd: EtcdApi;
  /** It judges the calls of the operator too. */
  readonly watch: MemberWatch;
  readonly #world: RealWorld;
  readonly #fuse: OperatorFuse;

  /** @returns when the cluster is ready */
  static async make(world: RealWorld): Promise<ProcessScene> {
    await world.stopOperator();
    const fuse = new OperatorFuse();
    await startFused(world, fuse);
    await world.create(NAME, { size: 3, version: '3.6.16' });
    await world.ready(NAME);
    return new ProcessScene(world, fuse);
  }

  private constructor(world: RealWorld, fuse: OperatorFuse) {
    this.#world = world;
    this.#fuse = fuse;
    this.etcd = world.etcd;
    this.watch = world.watch(NAME);
  }

  target(): Promise<EtcdTarget> {
    return this.#world.targetOf(NAME);
  }

  async strike({ size, disturbances }: Round): Promise<void> {
    if (size !== undefined) await this.#world.change(NAME, { size });
    await Promise.all(disturbances.map((disturbance) => this.#disturb(disturbance)));
  }

  async lacking(size: SoakSize): Promise<string> {
    const world = this.#world;
    const pods = await world.podsOf(NAME);
    if (pods.length !== size) return `${pods.length} Pods, not ${size}`;
    if (pods.some(({ metadata }) => metadata.deletionTimestamp !== undefined)) return 'a Pod is being deleted';
    const { endpoints } = await world.targetOf(NAME);
    const lacking = await votersLacking(world.etcd, endpoints, size);
    if (lacking !== '') return lacking;
    const [problem] = world.operatorProblems;
    if (problem !== undefined) return `the operator is not ready: ${problem}`;
    const cluster = await world.clusterOf(NAME);
    const { conditions = [], size: seen } = cluster.status ?? {};
    const reasons = conditions.map(({ type, status, message }) => `${type} is ${status}: ${message}`);
    return isReady(cluster) ? '' : `the status: size ${seen}, ${reasons.join('; ')}`;
  }

  async #disturb(disturbance: Disturbance): Promise<void> {
    const world = this.#world;
    const fuse = this.#fuse;
    const { pods, faults } = world.cluster;
    switch (disturbance.do) {
      case 'kill the process of':
        return pods.signal(await this.#member(disturbance.member), 'SIGKILL');
      case 'stop the process of': {
        const pod = await this.#member(disturbance.member);
        await pods.signal(pod, 'SIGSTOP');
        await passed(disturbance.forMs);
        // The operator may have taken it for dead, and replaced it.
        return pods.signal(pod, 'SIGCONT').catch((error: unknown) => {
          if (!(error instanceof PodControlError)) throw error;
        });
      }
      case 'lose the Pod of':
        return pods.kill(await this.#member(disturbance.member));
      case 'delete the Pod of':
        return world.deletePod(await this.#member(disturbance.member));
      case 'kill the operator':
        fuse.blow();
        return without(faults, async () => {
          await world.stopOperator();
          await passed(disturbance.awayMs);
          fuse.replace();
        }).then(() => startFused(world, fuse));
      case 'take away the API server':
        return without(faults, () => passed(disturbance.forMs));
      case 'restart the API server': {
        // Watches that come again are told that their history is gone.
        const expiring = faults.expire({ watch: '*', as: 'status', times: ALWAYS });
        breakWatches(faults);
        await eventually(async () => expiring.strikes > 0);
        expiring.remove();
        return;
      }
    }
  }

  /** The name of a member that serves. */
  async #member(number: number): Promise<string> {
    const voters = [...(await this.#world.membersOf(NAME)).values()].filter(({ isLearner, name }) => !isLearner && name !== undefined);
    const names = voters.map(({ name = '' }) => name).sort();
    return names[number % names.length] ?? '';
  }
}

/** The operator says at length what is done to it. */
function startFused(world: RealWorld, fuse: OperatorFuse): Promise<void> {
  return world.startOperator({ interceptExternal: fuse.interceptExternal, settings: { logLevel: 'error' } });
}

/** Requests of all but the test are dropped meanwhile, and watches broken. */
async function without(faults: Faults, act: () => Promise<void>): Promise<void> {
  const outage = faults.drop({ when: 'before', times: ALWAYS });
  breakWatches(faults);
  try {
    await act();
  } finally {
    outage.remove();
  }
}

/** An operator that is away has none. */
function breakWatches(faults: Faults): void {
  try {
    faults.drop({ watch: '*' });
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
  }
}
