import { setMaxListeners } from 'node:events';
import type { ApiServer } from '@keelson/api-server';
import type { Json } from '@keelson/kubernetes/apimachinery';
import { AdmissionHandles, type Route, routesOf } from '@keelson/runtime/internal/admission';
import { Cache } from '@keelson/runtime/internal/cache';
import { ApiClient } from '@keelson/runtime/internal/client';
import { contextsOf, lead } from '@keelson/runtime/internal/host';
import type { Connection } from '@keelson/runtime/internal/http';
import { LeaderElector } from '@keelson/runtime/internal/leader';
import { Task } from '@keelson/runtime/internal/operator-parts';
import { type ExternalInterceptor, Given } from '@keelson/runtime/internal/outside';
import { Controllers } from '@keelson/runtime/internal/reconcile';
import { type Logger, type OperatorModel, type SettingsValues, settingsFrom, usesOf } from 'keelson/internal/definition';
import { type Carriage, CarriedTransport } from './carried-transport.js';
import { mortalClient } from './mortal-client.js';
import type { VirtualClock } from './virtual-clock.js';

export interface ReplicaOptions {
  readonly operator: OperatorModel;
  readonly connection: Connection;
  readonly server: ApiServer;
  readonly clock: VirtualClock;
  readonly log: Logger;
  readonly random: () => number;
  /** The objects that it works on are there. */
  readonly namespaces: readonly string[];
  /** It reads all namespaces, and answers webhooks. */
  readonly isClusterWide: boolean;
  /** Tells it from other replicas, those before it included. */
  readonly identity: string;
  readonly hasElection: boolean;
  readonly lease: { readonly namespace: string; readonly name: string };
  readonly stirred: () => void;
  /** Values of the operator's externals, by name. @defaultValue none */
  readonly externals?: Readonly<Record<string, unknown>> | undefined;
  readonly interceptExternal?: ExternalInterceptor | undefined;
  /** Values of the operator's settings. @defaultValue their defaults */
  readonly values?: readonly SettingsValues[] | undefined;
  /** Stands between its caches and the server, and between the rest of it and the server. */
  readonly carriages: { readonly cache: Carriage; readonly rest: Carriage };
}

/** One process of an operator, as `host` puts it together, on a clock of the test, and mortal. */
export class Replica {
  readonly identity: string;
  readonly #options: ReplicaOptions;
  readonly #clients: readonly ApiClient[];
  readonly #cache: Cache;
  readonly #controllers: Controllers;
  readonly #tasks: readonly Task[];
  readonly #elector: LeaderElector | undefined;
  readonly #handles: AdmissionHandles | undefined;
  readonly #routes: ReadonlyMap<string, Route> = new Map();
  readonly #stop = new AbortController();
  readonly #abort = new AbortController();
  readonly #ended: Promise<void>;
  #stopped: Promise<void> | undefined;
  #isDead = false;

  constructor(options: ReplicaOptions) {
    this.#options = options;
    this.identity = options.identity;
    const { operator, clock, log, random, namespaces, identity, hasElection, carriages, isClusterWide } = options;
    for (const { signal } of [this.#stop, this.#abort]) setMaxListeners(0, signal);
    const own = this.#clientOver(carriages.rest);
    const reading = this.#clientOver(carriages.cache);
    this.#clients = [own, reading];
    const mortality = { isDead: () => this.#isDead, stirred: options.stirred };
    const client = mortalClient(own, mortality);
    const cached = mortalClient(reading, mortality);
    const served = isClusterWide ? {} : { namespaces };
    // A carriage takes a streamed list for a watch, so caches ask for pages.
    this.#cache = new Cache({ client: cached, clock, log, random, ...served, streamLists: false });
    const given = givenTo(options);
    if (isClusterWide) {
      this.#handles = new AdmissionHandles(operator.webhooks, this.#cache, given);
      this.#routes = routesOf(operator, this.#handles);
    }
    const events = () => ({ normal: () => undefined, warning: () => undefined });
    const ground = { cache: this.#cache, client, clock, log, random, events, given };
    this.#controllers = new Controllers(operator, () => ground);
    const contextFor = contextsOf({ given, log, clock });
    this.#tasks = (operator.tasks ?? [])
      .filter(({ on }) => on === 'leader')
      .map((task) => new Task({ task, clock, log, random, contextOf: contextFor(task) }));
    if (hasElection) this.#elector = new LeaderElector({ client, clock, log, random, ...options.lease, identity });
    this.#cache.start();
    this.#ended = this.#elector?.run(this.#stop.signal, (term) => this.#lead(term)) ?? this.#lead(this.#abort.signal);
    this.#ended.catch(() => undefined);
  }

  #clientOver(carriage: Carriage): ApiClient {
    const { connection, clock, random, stirred, server, operator } = this.#options;
    const transport = new CarriedTransport({ connection, clock, random, onAttempt: stirred }, server, carriage);
    return new ApiClient({ transport, fieldManager: operator.name });
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  get isLeader(): boolean {
    return !this.#isDead && (this.#elector?.isLeader ?? true);
  }

  /** Whether its webhooks can be asked: a Service leads to ready replicas. */
  get answers(): boolean {
    return !this.#isDead && this.#handles?.isReady === true;
  }

  /** Whether it has a webhook, or a conversion, at this path. */
  serves(path: string): boolean {
    return this.#routes.has(path);
  }

  /** Answers a review, without HTTP. @throws Error when the process dies of it */
  async review(path: string, document: Json): Promise<unknown> {
    const route = this.#routes.get(path);
    if (route === undefined) throw new Error(`no webhook is served at ${path}`);
    const { log } = this.#options;
    const { signal } = this.#abort;
    const panicked = (error: unknown): void => log.error('a webhook failed', { error });
    // A copy, as what comes over the wire: handlers get it frozen, and the API server goes on with its own.
    const answer = await route.answer(structuredClone(document), { signal, log, claim: () => undefined, panicked });
    if (this.#isDead) throw new Error('the process is dead');
    return answer;
  }

  /** A watch has ended, and waits before it is begun again: the process reads an old state of this kind alone. */
  get isInterrupted(): boolean {
    return !this.#isDead && this.#cache.problems().length > 0;
  }

  /** Nothing is left to be done that it knows of. A standby's queue fills, and no worker empties it. */
  get isSettled(): boolean {
    if (this.#isDead) return true;
    const isCurrent = this.#cache.problems().length === 0 && this.#controllers.hasSynced;
    return isCurrent && (!this.isLeader || (this.#controllers.isSettled && this.#controllers.background.running === 0));
  }

  /** As by `kill -9`. */
  kill(): void {
    if (this.#isDead) return;
    this.#isDead = true;
    this.#stop.abort();
    this.#abort.abort(new Error('the process is dead'));
    for (const client of this.#clients) client.close();
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
    this.#controllers.close();
    await (this.#stopped ?? this.#cache.stop());
    for (const client of this.#clients) client.close();
  }

  #lead(term: AbortSignal): Promise<void> {
    return lead(term, {
      controllers: this.#controllers,
      works: this.#tasks,
      stop: this.#stop.signal,
      abort: this.#abort.signal,
      isElected: this.#elector !== undefined,
    });
  }
}

function givenTo({ operator, externals = {}, interceptExternal, clock, values }: ReplicaOptions): Given {
  const uses = usesOf(operator);
  // The metrics of an exploration are not read.
  const metrics = Object.entries(uses).flatMap(([name, { sort }]) => (sort === 'metric' ? [[name, SILENT_METRIC] as const] : []));
  return new Given({
    uses,
    values: { ...Object.fromEntries(metrics), ...settingsFrom(uses, {}, values) },
    externals,
    monotonicMs: () => clock.monotonicMs(),
    intercept: interceptExternal,
  });
}

const ignore = (): void => undefined;
const SILENT_METRIC = Object.freeze({ set: ignore, inc: ignore, observe: ignore, remove: ignore });
