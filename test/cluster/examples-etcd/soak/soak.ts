import type { EtcdApi, EtcdTarget } from '../../../../examples/etcd/client/api.js';
import { draws } from '../../../../src/testing/explore/draws.js';
import { eventually } from '../../../eventually.js';
import { expectLinearizable, RegisterClients } from '../../linearizability/index.js';
import { Load } from '../load.js';
import type { MemberWatch } from '../membership/index.js';
import { drawRound, type Round, textOf } from './disturbances.js';

export type SoakSize = 3 | 5;

/** A cluster of real members, of three at first, with its operator and its API server: they can be disturbed. */
export interface SoakScene {
  readonly etcd: EtcdApi;
  /** The list of members, looked at all the while. */
  readonly watch: MemberWatch;
  /** Who serves now. */
  target(): Promise<EtcdTarget>;
  /** @returns when all that the round says has been done */
  strike(round: Round): Promise<void>;
  /** Says what differs from a healed cluster of this size, as the members themselves see it: a status may be from before the disturbance. Empty: it is healed. */
  lacking(size: SoakSize): Promise<string>;
}

export interface SoakOptions {
  readonly scene: SoakScene;
  readonly seed: number;
  /** How to play it again, for the message of a failure. */
  readonly again: string;
}

/**
 * A cluster under a load of writes, disturbed round after round. After each round it must serve again as its spec has it. No acknowledged write may be lost, and the
 * list of members may never show two changes in flight. In the end the history of all clients must be linearizable.
 */
export class Soak {
  readonly #options: SoakOptions;
  readonly #random: () => number;
  readonly #load: Load;
  readonly #clients: RegisterClients;
  readonly #lines: string[] = [];
  #size: SoakSize = 3;
  #rounds = 0;
  #slowestMs = 0;

  /** Writes begin at once. */
  constructor(options: SoakOptions) {
    const { scene, seed } = options;
    const target = () => scene.target();
    this.#options = options;
    this.#random = draws(seed);
    this.#load = new Load(scene.etcd, target, { pauseMs: 25 });
    // Clients have draws of their own: how many calls they make depends on the machine, and the disturbances must not.
    this.#clients = new RegisterClients({ etcd: scene.etcd, target, random: draws(seed + 0.5) });
  }

  /**
   * Plays rounds for that long, and judges all of it.
   *
   * @returns a report
   * @throws Error with what does not hold, the rounds up to then, and how to play them again
   */
  async run(seconds: number): Promise<string> {
    try {
      const end = performance.now() + seconds * 1_000;
      while (performance.now() < end) await this.#round();
      await this.#stop();
      await this.#wholesome();
      await expectLinearizable(this.#clients.history.operations, '120s');
    } catch (error) {
      throw new Error(`${textOfError(error)}\n${this.#lines.join('\n')}\nagain: ${this.#options.again}`, { cause: error });
    } finally {
      await this.#stop();
    }
    return [this.#summary, ...this.#lines].join('\n');
  }

  get #summary(): string {
    const { operations, lost } = this.#clients.history;
    const slowest = (this.#slowestMs / 1_000).toFixed(1);
    return `${this.#rounds} rounds, the slowest healed after ${slowest} s; ${this.#load.acknowledged} writes acknowledged; ${operations.length} operations in the history, ${lost} of unknown outcome`;
  }

  async #stop(): Promise<void> {
    await Promise.all([this.#load.stop(), this.#options.scene.watch.stop(), this.#clients.stop()]);
  }

  async #round(): Promise<void> {
    const round = drawRound(this.#random, this.#size);
    this.#rounds += 1;
    const title = `round ${this.#rounds}: ${textOf(round)}`;
    this.#lines.push(title);
    try {
      await this.#options.scene.strike(round);
      this.#size = round.size ?? this.#size;
      const [ms, last] = await this.#healed();
      this.#lines.push(`  healed after ${(ms / 1_000).toFixed(1)} s${last === '' ? '' : `; what came last: ${last}`}`);
      await this.#wholesome();
    } catch (error) {
      throw new Error(`${title}: ${textOfError(error)}`, { cause: error });
    }
  }

  /** @returns the milliseconds that it took, and what was the last that lacked */
  async #healed(): Promise<[number, string]> {
    const { scene } = this.#options;
    const began = performance.now();
    let last = '';
    const isWell = async (): Promise<boolean> => {
      const lacking = await scene.lacking(this.#size).catch(textOfError);
      if (lacking !== '') last = lacking;
      return lacking === '';
    };
    await eventually(isWell, () => `the cluster is healed: ${last}`);
    const ms = performance.now() - began;
    this.#slowestMs = Math.max(this.#slowestMs, ms);
    return [ms, last];
  }

  async #wholesome(): Promise<void> {
    const { watch } = this.#options.scene;
    const lost = await this.#load.lost();
    if (lost.length > 0) throw new Error(`${lost.length} acknowledged writes are lost: ${lost.slice(0, 5).join(', ')}`);
    const [problem] = watch.problems;
    if (problem !== undefined) throw new Error(`the membership: ${problem}`);
    if (watch.clusterIds.size !== 1) throw new Error(`there were ${watch.clusterIds.size} clusters: ${[...watch.clusterIds].join()}`);
  }
}

/** Says which members do not vote, or do not know who leads. Empty: all do, and they are as many as the size says. */
export async function votersLacking(etcd: EtcdApi, endpoints: readonly string[], size: SoakSize): Promise<string> {
  const statuses = await Promise.all(endpoints.map((endpoint) => etcd.status({ endpoints: [endpoint] }, { timeoutMs: 1_000 })));
  const voters = statuses.filter(({ isLearner, leader }) => !isLearner && leader !== undefined);
  if (voters.length !== size) return `${voters.length} voters that know their leader, not ${size}`;
  const { members } = await etcd.members({ endpoints });
  return members.length === size ? '' : `${members.length} members in the list, not ${size}`;
}

/** How long a disturbance lasts is part of it. */
export function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const textOfError = (error: unknown): string => (error instanceof Error ? error.message : String(error));
