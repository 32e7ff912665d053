import { Lease, Namespace } from 'keelson/kinds';
import { type FaultRates, type InProcessCluster, TestCluster } from 'keelson/testing';
import { WebhookCallError, type WebhookClientConfig } from '../../../src/api-server/access/webhook-client/index.js';
import type { Json } from '../../../src/kubernetes/index.js';
import { ApiClient } from '../../../src/runtime/client/index.js';
import { connectionOf } from '../../../src/runtime/http/index.js';
import { CarriedTransport } from '../../../src/testing/explore/carried-transport.js';
import { LEASE, Replica } from '../../../src/testing/explore/replica.js';
import { Still } from '../../../src/testing/explore/still.js';
import { VirtualClock } from '../../../src/testing/explore/virtual-clock.js';
import { MemoryLog } from '../harness/running-controller.js';
import type { Performance, Scenario, Stage } from './scenario.js';

const MOST_STEPS = 5_000;

/** A server and its time; performances follow each other in namespaces of their own. */
export class World {
  readonly scenario: Scenario;
  readonly cluster: InProcessCluster<VirtualClock>;
  readonly clock: VirtualClock;
  /** Of the test: no fault strikes it. */
  readonly client: ApiClient;

  private constructor(scenario: Scenario, cluster: InProcessCluster<VirtualClock>) {
    this.scenario = scenario;
    this.cluster = cluster;
    this.clock = cluster.clock;
    const { server } = cluster;
    const token = server.tokenFor({ username: 'exploration', groups: ['system:masters', 'system:authenticated'] });
    const connection = connectionOf({ server: server.url, token });
    this.client = new ApiClient({
      transport: new CarriedTransport({ connection, clock: this.clock }, server),
      fieldManager: 'exploration',
    });
  }

  static async open(scenario: Scenario): Promise<World> {
    const { operator } = scenario.perform(() => 0.5);
    const clock = new VirtualClock();
    return new World(
      scenario,
      await TestCluster.start({
        operator,
        clock,
        protocol: 'http',
        serviceRange: '10.96.0.0/16',
        ...(scenario.cluster === undefined
          ? { webhooks: false }
          : { operatorNamespace: scenario.cluster.operatorNamespace, workloads: true }),
      }),
    );
  }

  close(): Promise<void> {
    return this.cluster.close();
  }

  async act(namespace: string, random: () => number): Promise<Act> {
    await this.client.create(Namespace, { metadata: { name: namespace } });
    const act = new Act(this, namespace, random);
    // Webhooks are called without sockets, too: nobody could tell whether an answer is still under way in the kernel.
    this.cluster.server.core.webhooks.call = (config, review) => act.review(config, review as Json);
    return act;
  }
}

export interface Casting {
  readonly hasElection?: boolean;
  readonly diesAfterWrites?: number | undefined;
}

/** One performance: replicas come and go, time passes, things go wrong. */
export class Act implements Stage {
  readonly client: ApiClient;
  readonly namespace: string;
  readonly performance: Performance;
  readonly log = new MemoryLog();
  readonly user: string;
  readonly #world: World;
  readonly #random: () => number;
  readonly #replicas: Replica[] = [];
  readonly #mark: number;
  readonly #still: Still;

  constructor(world: World, namespace: string, random: () => number) {
    this.#world = world;
    this.#random = random;
    this.client = world.client;
    this.namespace = namespace;
    this.user = `operator-of-${namespace}`;
    this.performance = world.scenario.perform(random);
    this.#mark = world.cluster.requests.mark;
    this.#still = new Still(world.cluster.server);
  }

  get replicas(): readonly Replica[] {
    return this.#replicas;
  }

  start(casting: Casting = {}): Replica {
    const { server } = this.#world.cluster;
    const token = server.tokenFor({ username: this.user, groups: ['system:masters', 'system:authenticated'] });
    const replica = new Replica({
      operator: this.performance.operator,
      connection: connectionOf({ server: server.url, token }),
      server,
      clock: this.#world.clock,
      log: this.log,
      random: this.#random,
      namespace: this.namespace,
      isClusterWide: this.#world.scenario.cluster !== undefined,
      identity: `replica-${this.#replicas.length}`,
      hasElection: casting.hasElection ?? false,
      diesAfterWrites: casting.diesAfterWrites,
      stirred: () => this.#still.stir(),
    });
    this.#replicas.push(replica);
    return replica;
  }

  /** As a Service leads there: to one of those that are ready. @throws WebhookCallError when there is none */
  async review({ service }: WebhookClientConfig, document: Json): Promise<unknown> {
    const ready = this.#replicas.filter(({ answers }) => answers);
    const replica = ready[Math.floor(this.#random() * ready.length)];
    if (replica === undefined) throw new WebhookCallError('dial tcp: connect: connection refused');
    this.#still.stir();
    return replica.review(service?.path ?? '', document).catch((error: unknown) => {
      throw new WebhookCallError(error instanceof Error ? error.message : String(error));
    });
  }

  faults(seed: number, rates: FaultRates, times: number): void {
    this.#world.cluster.faults.seeded(seed, { rates, match: { user: this.user }, times });
  }

  /** A connection has died without a word. */
  get hasSilence(): boolean {
    return this.#world.cluster.faults.log.some(({ fault, user }) => fault === 'silenceAtEvent' && user === this.user);
  }

  mend(): void {
    this.#world.cluster.faults.clear();
  }

  async stealLease(): Promise<void> {
    const lease = await this.client.get(Lease, { namespace: this.namespace, name: LEASE }).catch(() => undefined);
    if (lease !== undefined) await this.#world.cluster.faults.stealLease(LEASE, { namespace: this.namespace });
  }

  /** Everybody has had a turn, and nothing goes on. What never rests cannot stop time. */
  async still(): Promise<void> {
    await this.#still.come();
  }

  /** One timer at most. @returns whether there was one */
  async step(untilMs?: number): Promise<boolean> {
    await this.still();
    return this.#world.clock.step(untilMs);
  }

  async pass(seconds: number): Promise<void> {
    const untilMs = this.#world.clock.monotonicMs() + seconds * 1000;
    while (await this.step(untilMs));
    await this.still();
  }

  async until(what: string, condition: () => Promise<boolean>): Promise<void> {
    for (let steps = 0; steps < MOST_STEPS; steps += 1) {
      await this.still();
      if (await condition()) return;
      this.#world.clock.step();
    }
    throw new Error(`it never came to this: ${what}\n${this.trouble()}`);
  }

  /** Nothing is left to be done by anybody, and somebody would do it. */
  settled(): Promise<void> {
    return this.settledOr(() => false);
  }

  settledOr(isEnough: () => boolean): Promise<void> {
    return this.until('all is done', async () => isEnough() || this.isSettled);
  }

  get isSettled(): boolean {
    return this.#replicas.some(({ isLeader }) => isLeader) && this.#replicas.every(({ isSettled }) => isSettled);
  }

  get hasElection(): boolean {
    return this.#replicas.some(({ hasElection }) => hasElection);
  }

  /** What is there, as a text that does not depend on how it came about. */
  async state(): Promise<string> {
    const text = await this.#world.cluster.snapshot({
      resources: this.#world.scenario.kinds,
      ...(this.#world.scenario.cluster === undefined ? { namespaces: [this.namespace] } : {}),
      mask: ['metadata.generation', 'status.observedGeneration', 'status.conditions.*.observedGeneration'],
    });
    // The hash is about the owner's uid too.
    const hashless = text.replaceAll(/keelson\.dev\/applied: .*/g, 'keelson.dev/applied: <hash>');
    return `${hashless}\n${JSON.stringify((await this.performance.outside?.(this)) ?? null)}`.replaceAll(this.namespace, '<namespace>');
  }

  /** How often each object was created by the operator. */
  creations(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { resource, namespace, name, user } of this.#world.cluster.requests.since(this.#mark).filter({ code: 201 }).all) {
      const isElsewhere = namespace !== this.namespace && this.#world.scenario.cluster === undefined;
      if (user !== this.user || isElsewhere || resource === 'leases' || this.#isMortal(name)) continue;
      counts.set(`${resource}/${name}`, (counts.get(`${resource}/${name}`) ?? 0) + 1);
    }
    return counts;
  }

  #isMortal(name: string): boolean {
    return this.performance.mortal?.some((mortal) => (typeof mortal === 'string' ? mortal === name : mortal.test(name))) === true;
  }

  /** Writes of the operator from now on, but for its Lease. */
  writes(): () => readonly string[] {
    const { mark } = this.#world.cluster.requests;
    return () =>
      this.#world.cluster.requests
        .since(mark)
        .writes()
        .byUser(this.user)
        .all.filter(({ resource }) => resource !== 'leases')
        .map(({ verb, resource, subresource, name, code }) => `${verb} ${resource}/${subresource} ${name} ${code}`);
  }

  trouble(): string {
    const lines = this.log.lines.filter(({ level }) => level !== 'debug').slice(-12);
    const told = lines.map(
      ({ level, message, fields }) =>
        `  ${level} ${message} ${JSON.stringify(fields, (_, value: unknown) => (value instanceof Error ? value.message : value))}`,
    );
    return [...this.#replicas.map(({ trouble }) => `  ${trouble}`), ...told].join('\n');
  }

  async end(): Promise<void> {
    this.mend();
    await Promise.all(this.#replicas.map((replica) => this.#ended(replica)));
    const { cluster } = this.#world.scenario;
    if (cluster !== undefined) {
      await this.client.deleteCollection(cluster.kind, {});
      await this.still();
    }
    await this.client.delete(Namespace, { name: this.namespace });
    await this.still();
  }

  /** Whoever ends may wait for a timer. */
  async #ended(replica: Replica): Promise<void> {
    let isOver = false;
    const ending = replica.end().finally(() => (isOver = true));
    ending.catch(() => undefined);
    for (let steps = 0; !isOver && steps < MOST_STEPS; steps += 1) {
      await this.still();
      if (!isOver) this.#world.clock.step(this.#world.clock.monotonicMs() + 1_000);
    }
    await ending;
  }
}
