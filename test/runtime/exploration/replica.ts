import { setMaxListeners } from 'node:events';
import type { ApiServer } from 'keelson/testing';
import type { OperatorModel } from '../../../src/definition/index.js';
import type { Json } from '../../../src/kubernetes/index.js';
import { AdmissionHandles, type Route, routesOf } from '../../../src/runtime/admission/index.js';
import { Cache } from '../../../src/runtime/cache/index.js';
import { ApiClient } from '../../../src/runtime/client/index.js';
import type { Connection } from '../../../src/runtime/http/index.js';
import { LeaderElector } from '../../../src/runtime/leader/index.js';
import { ControllerRunner } from '../../../src/runtime/reconcile/index.js';
import type { MemoryLog } from '../harness/running-controller.js';
import { CarriedTransport } from './carried-transport.js';
import { mortalClient } from './mortal-client.js';
import type { VirtualClock } from './virtual-clock.js';

export interface ReplicaOptions {
  readonly operator: OperatorModel;
  readonly connection: Connection;
  readonly server: ApiServer;
  readonly clock: VirtualClock;
  readonly log: MemoryLog;
  readonly random: () => number;
  readonly namespace: string;
  /** It reads all namespaces, and answers webhooks. */
  readonly isClusterWide: boolean;
  /** Tells it from other replicas, those before it included. */
  readonly identity: string;
  readonly hasElection: boolean;
  /** It is killed when its n-th write is done. */
  readonly diesAfterWrites?: number | undefined;
  readonly stirred: () => void;
}

export const LEASE = 'exploration';

/** One process of an operator, as `host` puts it together, on a clock of the test, and mortal. */
export class Replica {
  readonly #options: ReplicaOptions;
  readonly #client: ApiClient;
  readonly #cache: Cache;
  readonly #runners: readonly ControllerRunner[];
  readonly #elector: LeaderElector | undefined;
  readonly #handles: AdmissionHandles | undefined;
  readonly #routes: ReadonlyMap<string, Route> = new Map();
  readonly #stop = new AbortController();
  readonly #abort = new AbortController();
  readonly #ended: Promise<void>;
  #stopped: Promise<void> | undefined;
  #writes = 0;
  #isDead = false;
  #isSpared = false;

  constructor(options: ReplicaOptions) {
    this.#options = options;
    const { operator, connection, server, clock, log, random, namespace, identity, hasElection } = options;
    for (const { signal } of [this.#stop, this.#abort]) setMaxListeners(0, signal);
    const transport = new CarriedTransport({ connection, clock, random, onAttempt: options.stirred }, server);
    this.#client = new ApiClient({ transport, fieldManager: operator.name });
    const client = mortalClient(this.#client, { isDead: () => this.#isDead, wrote: () => this.#wrote(), stirred: options.stirred });
    this.#cache = new Cache({ client, clock, log, random, ...(options.isClusterWide ? {} : { namespaces: [namespace] }) });
    if (options.isClusterWide) {
      this.#handles = new AdmissionHandles(operator.webhooks, this.#cache);
      this.#routes = routesOf(operator, this.#handles);
    }
    const events = () => ({ normal: () => undefined, warning: () => undefined });
    this.#runners = operator.controllers.map(
      (controller) =>
        new ControllerRunner({
          controller,
          operatorName: operator.name,
          cache: this.#cache,
          client,
          clock,
          log,
          random,
          events,
        }),
    );
    if (hasElection) this.#elector = new LeaderElector({ client, clock, log, random, namespace, name: LEASE, identity });
    this.#cache.start();
    this.#ended = this.#elector?.run(this.#stop.signal, (term) => this.#lead(term)) ?? this.#lead(this.#abort.signal);
    this.#ended.catch(() => undefined);
  }

  get hasElection(): boolean {
    return this.#elector !== undefined;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  get isLeader(): boolean {
    return !this.#isDead && (this.#elector?.isLeader ?? true);
  }

  /** Whether its webhooks can be asked: a Service leads to who is ready. */
  get answers(): boolean {
    return !this.#isDead && this.#handles?.hasSynced === true;
  }

  /** Answers a review, without HTTP. @throws Error when the process dies of it */
  async review(path: string, document: Json): Promise<unknown> {
    const route = this.#routes.get(path);
    if (route === undefined) throw new Error(`no webhook is served at ${path}`);
    const { log } = this.#options;
    const { signal } = this.#abort;
    const panicked = (error: unknown): void => log.error('a webhook failed', { error });
    const answer = await route.answer(document, { signal, log, claim: () => undefined, panicked });
    if (this.#isDead) throw new Error('the process is dead');
    return answer;
  }

  get writes(): number {
    return this.#writes;
  }

  /** Nothing is left to be done that it knows of. A standby's queue fills, and nobody works on it. */
  get isSettled(): boolean {
    if (this.#isDead) return true;
    const isCurrent = this.#cache.problems().length === 0 && this.#runners.every(({ hasSynced }) => hasSynced);
    return isCurrent && (!this.isLeader || this.#runners.every(({ isSettled }) => isSettled));
  }

  get trouble(): string {
    const queues = this.#runners.map(
      ({ queue }) => `${queue.depth} wait, ${queue.inProgress} run, ${queue.failing} fail, ${queue.delayed} later`,
    );
    return `${this.#isDead ? 'dead' : ''} ${this.isLeader ? 'leads' : 'stands by'}; ${queues.join(' | ')}; ${JSON.stringify(this.#cache.problems())}`;
  }

  /** It does not die of its writes any more. */
  spare(): void {
    this.#isSpared = true;
  }

  /** As by `kill -9`. */
  kill(): void {
    if (this.#isDead) return;
    this.#isDead = true;
    this.#stop.abort();
    this.#abort.abort(new Error('the process is dead'));
    this.#client.close();
    // Nothing of it has timers any more.
    this.#stopped = this.#cache.stop();
    this.#stopped.catch(() => undefined);
  }

  /** As by SIGTERM; resolves when nothing of it is left. */
  async end(): Promise<void> {
    if (!this.#isDead) this.#stop.abort();
    await this.#ended.catch((error: unknown) => {
      if (!this.#isDead) throw error;
    });
    for (const runner of this.#runners) runner.close();
    await (this.#stopped ?? this.#cache.stop());
    this.#client.close();
  }

  #wrote(): void {
    this.#writes += 1;
    if (this.#writes === this.#options.diesAfterWrites && !this.#isSpared) this.kill();
  }

  async #lead(term: AbortSignal): Promise<void> {
    const abort = new AbortController();
    setMaxListeners(0, abort.signal);
    const end = (): void => abort.abort(new Error('the term is over'));
    for (const signal of [term, this.#abort.signal]) {
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
    }
    await Promise.all(
      this.#runners.map((runner) => runner.run({ stop: this.#stop.signal, abort: abort.signal, isElected: this.hasElection })),
    );
  }
}
