import type { PodControls } from '@keelson/api-server';
import { apiVersionOf, type Json, type KubernetesObject, millisecondsOf, type Span } from '@keelson/kubernetes/apimachinery';
import { connectionOf } from '@keelson/runtime/internal/http';
import { ClusterClient, userInfoOf } from '../cluster/index.js';
import { Board } from './board.js';
import { BrokenWatches } from './broken-watches.js';
import { LeavingClaims } from './claims.js';
import { Finding } from './finding.js';
import { History, type Manners } from './history.js';
import type { Disturbance, Plan } from './plan.js';
import { ProblemLog } from './problem-log.js';
import { endOf, reviewedBy } from './processes.js';
import { lastRelease } from './releases.js';
import { Replica } from './replica.js';
import { stateLines } from './state-lines.js';
import { Still } from './still.js';
import type { KnowsKinds, Stage } from './story.js';
import type { World } from './world.js';

/** A step of the clock fires one timer. */
const MOST_STEPS = 3_000;
/** While something is disturbed an operator may try in vain for as long as that goes on. */
const STEPS_WHILE_DISTURBED = 60;
/** Steps after which one that waits to be started again is started, because the user waits for it. */
const PATIENCE_STEPS = 20;

export interface ActOptions {
  readonly namespace: string;
  /** Further namespaces of the story. */
  readonly others: readonly string[];
  readonly plan: Plan;
  readonly random: () => number;
  readonly externals: Readonly<Record<string, unknown>>;
  /** Those of the undisturbed run. */
  readonly manners: Manners;
  /** Writes after which the operator is taken for one that never rests. */
  readonly mostWrites: number;
  /** Timers that fire before a user gives up waiting. @defaultValue 3,000 */
  readonly mostSteps?: number | undefined;
}

/** One run of a story: processes of the operator come and go, time passes, things go wrong. */
export class Act implements Stage<never>, KnowsKinds {
  readonly cluster: ClusterClient;
  readonly externals: never;
  readonly kinds: World['kinds'];
  readonly namespace: string;
  readonly history: History = new History();
  readonly #world: World;
  readonly #options: ActOptions;
  readonly #board: Board;
  readonly #replicas: Replica[] = [];
  readonly #still: Still;
  readonly #log: ProblemLog;
  readonly #claims: LeavingClaims;
  readonly #watches: BrokenWatches;
  #isAway = false;
  #release: number;
  #writesBehind = 0;
  #isDisturbed = true;
  /** The most timers that fired while the user waited for one thing. */
  longestWait = 0;
  #step = -1;

  constructor(world: World, options: ActOptions) {
    this.#world = world;
    this.#options = options;
    this.namespace = options.namespace;
    this.#release = options.plan.release;
    this.externals = options.externals as never;
    this.kinds = world.kinds;
    this.cluster = new ClusterClient({ client: world.client, kinds: world.kinds, namespace: options.namespace });
    this.#still = new Still(world.cluster.server);
    this.#watches = new BrokenWatches(world.cluster, options.plan.replicas);
    this.#log = new ProblemLog(options.namespace);
    this.#claims = new LeavingClaims(!world.runsPods);
    this.#board = new Board({
      plan: options.plan,
      history: this.history,
      namespaces: [options.namespace, ...options.others],
      clock: world.clock,
      operatorName: world.operator.name,
      revision: () => world.cluster.server.core.store.revision,
      stirred: () => this.#still.stir(),
      manners: options.manners,
      kill: (number, staysAway) => {
        this.#isAway = staysAway;
        const replica = number === undefined ? this.#replicas.findLast(({ isLeader }) => isLeader) : this.#replicas[number];
        replica?.kill();
      },
      takeOver: (release) => this.takeOver(release),
      breakWatch: (resource, how) => this.#watches.break(resource, how),
      leaving: (resource, object) => this.#claims.leaving(resource, object),
    });
    const { core } = world.cluster.server;
    core.store.journal = { append: (record) => this.#board.changed(record, this.#step) };
    // Webhooks are called without sockets, too: an answer that is still under way in the kernel cannot be seen.
    core.webhooks.call = (config, review) => {
      this.#still.stir();
      return reviewedBy(
        this.#replicas.findLast(({ answers }) => answers),
        config,
        review as Json,
      );
    };
  }

  /** The disturbances that have happened. */
  get struck(): Board['struck'] {
    return this.#board.struck;
  }

  /** Number of the step of the story that is played, or was played last. */
  set step(step: number) {
    this.#step = step;
  }

  start(): void {
    for (let alive = this.#replicas.filter(({ isDead }) => !isDead).length; alive < this.#options.plan.replicas; alive += 1) {
      const { server } = this.#world.cluster;
      const number = this.#replicas.length;
      const token = server.tokenFor(userInfoOf(this.#world.cluster.operator));
      const { clock } = this.#world;
      const identity = `replica-${number}`;
      this.#replicas.push(
        new Replica({
          operator: this.#world.releaseOf(this.#release),
          connection: connectionOf({ server: server.url, token }),
          server,
          clock,
          log: this.#log.logger,
          random: this.#options.random,
          namespaces: [this.namespace, ...this.#options.others],
          lease: this.#world.lease,
          isClusterWide: this.#world.isClusterWide,
          identity: `${this.namespace}-${identity}`,
          hasElection: this.#options.plan.replicas > 1,
          stirred: () => this.#still.stir(),
          externals: this.#options.externals,
          values: this.#world.values,
          interceptExternal: (details, call) => this.#board.called(number, details, call),
          carriages: this.#board.carriagesOf(number),
        }),
      );
    }
  }

  /** Resolves when all parts have had a turn, and nothing goes on. @throws Finding when the operator does not come to rest */
  async still(): Promise<void> {
    const isStill = await this.#still.come(() => this.#isBehind);
    const writes = this.history.writes.length - this.#writesBehind;
    if (isStill && writes <= this.#options.mostWrites) return;
    if (this.#isBehind) {
      // It tries in vain as long as it sees an old state: the clock does not move while it is busy, and its watch waits for the clock.
      this.#writesBehind = this.history.writes.length;
      this.#board.goOn();
      this.#watches.endSilence();
      return;
    }
    const last = this.history.writes.slice(-5).map(({ what }) => what);
    throw new Finding('quiet', 'the operator writes again and again', [`its last writes: ${[...new Set(last)].join(', ')}`]);
  }

  /** Whether a process may not see what there is now. */
  get #isBehind(): boolean {
    return this.#board.isAnyBehind || this.silentMs > 0 || this.#replicas.some(({ isInterrupted }) => isInterrupted);
  }

  /** Whether the operator sees what there is now, and has nothing left to do. */
  get isAttentive(): boolean {
    return !this.#board.isAnyBehind && this.silentMs === 0 && this.#isSettled;
  }

  /** How long it still takes until a watch that says nothing is taken for dead. */
  get silentMs(): number {
    return this.#watches.silentMs;
  }

  /** Whether the externals may be otherwise for a reason that the operator cannot know. */
  get hasCalledBehind(): boolean {
    return this.#board.hasCalledBehind;
  }

  /** One timer at most. @returns whether there was one */
  async tick(untilMs?: number): Promise<boolean> {
    await this.still();
    await this.#lease();
    await this.#claims.release(this.cluster, () => this.objects);
    this.#revive();
    return this.#world.clock.step(untilMs);
  }

  async pass(span: Span): Promise<void> {
    const untilMs = this.#world.clock.monotonicMs() + (millisecondsOf(span) ?? 0);
    while (await this.tick(untilMs));
    await this.still();
  }

  async until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
    const { mostSteps = MOST_STEPS } = this.#options;
    for (let steps = 0; steps < mostSteps; steps += 1) {
      this.longestWait = Math.max(this.longestWait, steps);
      await this.still();
      if (await condition()) return;
      if (steps > PATIENCE_STEPS) this.#isAway = false;
      // An old state goes on when the user waits for what comes of the new one.
      if (steps > STEPS_WHILE_DISTURBED) this.#board.goOn();
      await this.tick();
    }
    throw new Finding('stuck', `it never came to this: ${what}`, []);
  }

  /** Resolves when nothing is left to be done, while a replica is there to do it. */
  async settled(): Promise<void> {
    await this.still();
    for (let steps = 0; !this.#isSettled || this.#claims.size > 0; steps += 1) {
      if (this.#isDisturbed && (steps > STEPS_WHILE_DISTURBED || (this.#isAway && this.#replicas.every(({ isDead }) => isDead)))) return;
      if (steps > MOST_STEPS) throw new Finding('stuck', 'the operator never comes to an end of its work', this.troubles);
      await this.tick();
      await this.still();
    }
  }

  get #isSettled(): boolean {
    return this.#replicas.some(({ isLeader }) => isLeader) && this.#replicas.every(({ isSettled }) => isSettled);
  }

  /** The processes of one release end, those of another one begin. */
  takeOver(release: number): void {
    this.#release = release;
    for (const replica of this.#replicas) replica.kill();
  }

  /** The story has gone a step further. */
  stepped(step: number): void {
    this.#isAway = false;
    this.#board.stepped(step);
    this.#revive();
  }

  /** Nothing goes wrong any more, and the release runs that is to be the last: the moment of its takeover may not have come. */
  mend(): void {
    const last = lastRelease(this.#options.plan);
    if (this.#release !== last) this.takeOver(last);
    this.#isDisturbed = false;
    this.#isAway = false;
    this.#board.mend();
    this.#world.cluster.faults.clear();
    this.#revive();
  }

  /** A process that has died is started anew, as a Deployment does. */
  #revive(): void {
    if (!this.#isAway && this.#replicas.length > 0) this.start();
  }

  async #lease(): Promise<void> {
    if (this.#board.takeSteal()) await this.#world.stealLease();
  }

  /** A disturbance that is not one of requests has happened. */
  disturbed(disturbance: Disturbance): void {
    this.#board.struck.add(disturbance);
  }

  /** Writes an object past all validation. */
  store(object: KubernetesObject, change: (object: KubernetesObject) => KubernetesObject): void {
    this.#world.store(object, change);
  }

  /** Whether it is of a kind that a controller of the operator is for. */
  isOwn({ kind, apiVersion }: KubernetesObject): boolean {
    return this.#world.operator.controllers.some(
      (controller) => controller.for.kind === kind && apiVersion === apiVersionOf(controller.for),
    );
  }

  /** Controls of the Pods, where the cluster runs them. */
  get pods(): ((namespace: string) => PodControls) | undefined {
    return this.#world.runsPods ? (namespace) => this.#world.cluster.pods.in(namespace) : undefined;
  }

  /** All objects of the run, as they are stored. */
  get objects(): readonly KubernetesObject[] {
    return this.#world.objectsOf([this.namespace, ...this.#options.others]);
  }

  /** Objects of the operator and of the user, as lines that do not depend on how they came about. */
  state(mask: readonly string[] = []): string[] {
    return stateLines(this, mask);
  }

  /** The last warnings and errors of the operator. */
  get troubles(): readonly string[] {
    return this.#log.last;
  }

  /** @throws ExplorationSetupError when processes do not end */
  async end(): Promise<void> {
    this.#board.mend();
    this.#world.cluster.faults.clear();
    await Promise.all(this.#replicas.map((replica) => endOf(replica, { still: this.#still, clock: this.#world.clock })));
    this.#world.cluster.server.core.store.journal = undefined;
    this.#world.clear([this.namespace, ...this.#options.others]);
    // The controllers of the cluster hear of it before the next run begins.
    await this.#still.come();
  }
}
