import { FaultError, type Faults, PodControlError } from 'keelson/testing';
import { draws } from '../../../../src/testing/explore/draws.js';
import { pollUntil } from '../../harness/index.js';
import { judge, RegisterClients } from '../../linearizability/index.js';
import { Load } from '../load.js';
import type { MemberWatch } from '../membership/index.js';
import { isReady, type RealWorld } from '../real-world.js';
import { type Disturbance, drawRound, type Round, textOf } from './disturbances.js';
import { OperatorFuse } from './operator-fuse.js';

const NAME = 'ring';
/** A member that hangs or is lost counts as dead after 6 s; etcd waits 5 s before each change of the membership, and there may be several. */
const HEALS_WITHIN_MS = 120_000;
/** A watch that has failed again and again is not tried again at once. */
const RESUMED_WITHIN_MS = 10_000;
const ALWAYS = Number.POSITIVE_INFINITY;

export interface SoakOptions {
  readonly world: RealWorld;
  readonly seed: number;
  readonly report: (line: string) => void;
}

/**
 * A cluster of real members under a load of writes, disturbed round after round. After each round it must serve again as its spec has it; no acknowledged write may
 * be lost, and two changes of the membership may never be in flight: neither among the calls of the operator nor in the list, looked at ten times a second. In the end the history of all clients must be linearizable.
 */
export class Soak {
  readonly #fuse: OperatorFuse;
  readonly #options: SoakOptions;
  readonly #random: () => number;
  readonly #load: Load;
  readonly #watch: MemberWatch;
  readonly #clients: RegisterClients;
  #size: 3 | 5 = 3;
  #rounds = 0;
  #slowestMs = 0;

  static async start(options: SoakOptions): Promise<Soak> {
    const { world } = options;
    await world.stopOperator();
    const fuse = new OperatorFuse();
    await startFused(world, fuse);
    await world.create(NAME, { size: 3, version: '3.6.16' });
    await world.ready(NAME);
    return new Soak(options, fuse);
  }

  private constructor(options: SoakOptions, fuse: OperatorFuse) {
    this.#fuse = fuse;
    const { world, seed } = options;
    this.#options = options;
    this.#random = draws(seed);
    const target = () => world.targetOf(NAME);
    this.#load = new Load(world.etcd, target, { pauseMs: 25 });
    this.#watch = world.watch(NAME);
    // Clients have draws of their own: how many calls they make depends on the machine, and the disturbances must not.
    this.#clients = new RegisterClients({ etcd: world.etcd, target, random: draws(seed + 0.5) });
  }

  /** A summary of what has happened. */
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
      const [ms, last] = await this.#healed();
      this.#options.report(`  healed after ${(ms / 1_000).toFixed(1)} s${last === '' ? '' : `; what came last: ${last}`}`);
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
    if (size !== undefined) {
      await this.#options.world.change(NAME, { size });
      this.#size = size;
    }
    await Promise.all(disturbances.map((disturbance) => this.#disturb(disturbance)));
  }

  async #disturb(disturbance: Disturbance): Promise<void> {
    const { world } = this.#options;
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
        return this.#without(faults, async () => {
          await world.stopOperator();
          await passed(disturbance.awayMs);
          fuse.replace();
        }).then(() => startFused(world, fuse));
      case 'take away the API server':
        return this.#without(faults, () => passed(disturbance.forMs));
      case 'restart the API server': {
        // Watches that come again are told that their history is gone.
        const expiring = faults.expire({ watch: '*', as: 'status', times: ALWAYS });
        breakWatches(faults);
        await pollUntil(async () => expiring.strikes > 0, RESUMED_WITHIN_MS);
        expiring.remove();
        return;
      }
    }
  }

  /** Requests of all but the test are dropped meanwhile, and watches broken. */
  async #without(faults: Faults, act: () => Promise<void>): Promise<void> {
    const outage = faults.drop({ when: 'before', times: ALWAYS });
    breakWatches(faults);
    try {
      await act();
    } finally {
      outage.remove();
    }
  }

  /** The name of a member that serves. */
  async #member(number: number): Promise<string> {
    const { world } = this.#options;
    const voters = [...(await world.membersOf(NAME)).values()].filter(({ isLearner, name }) => !isLearner && name !== undefined);
    const names = voters.map(({ name = '' }) => name).sort();
    return names[number % names.length] ?? '';
  }

  /** @returns the milliseconds that it took, and what was the last that lacked */
  async #healed(): Promise<[number, string]> {
    const began = performance.now();
    let last = '';
    const isWell = await pollUntil(async () => {
      const lacking = await this.#lacking().catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
      if (lacking !== '') last = lacking;
      return lacking === '';
    }, HEALS_WITHIN_MS);
    const ms = performance.now() - began;
    this.#slowestMs = Math.max(this.#slowestMs, ms);
    if (!isWell) throw new Error(`the cluster has not healed within ${HEALS_WITHIN_MS / 1_000} s: ${last}`);
    return [ms, last];
  }

  /** What is not yet as the spec has it, as the members themselves say it: a status may be from before the disturbance. */
  async #lacking(): Promise<string> {
    const { world } = this.#options;
    const pods = await world.podsOf(NAME);
    if (pods.length !== this.#size) return `${pods.length} Pods, not ${this.#size}`;
    if (pods.some(({ metadata }) => metadata.deletionTimestamp !== undefined)) return 'a Pod is being deleted';
    const { endpoints } = await world.targetOf(NAME);
    const statuses = await Promise.all(endpoints.map((endpoint) => world.etcd.status({ endpoints: [endpoint] }, { timeoutMs: 1_000 })));
    const voters = statuses.filter(({ isLearner, leader }) => !isLearner && leader !== undefined);
    if (voters.length !== this.#size) return `${voters.length} voters that know their leader, not ${this.#size}`;
    const members = await world.membersOf(NAME);
    if (members.size !== this.#size) return `${members.size} members in the list, not ${this.#size}`;
    const [problem] = world.operatorProblems;
    if (problem !== undefined) return `the operator is not ready: ${problem}`;
    const cluster = await world.clusterOf(NAME);
    const { conditions = [], size } = cluster.status ?? {};
    const reasons = conditions.map(({ type, status, message }) => `${type} is ${status}: ${message}`);
    return isReady(cluster) ? '' : `the status: size ${size}, ${reasons.join('; ')}`;
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

/** The operator says at length what is done to it. */
function startFused(world: RealWorld, fuse: OperatorFuse): Promise<void> {
  return world.startOperator({ interceptExternal: fuse.interceptExternal, settings: { logLevel: 'error' } });
}

/** An operator that is away has none. */
function breakWatches(faults: Faults): void {
  try {
    faults.drop({ watch: '*' });
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
  }
}

/** How long a disturbance lasts is part of it. */
function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
