import { setMaxListeners } from 'node:events';
import { type InProcessCluster, type InProcessOptions, TestCluster } from '@keelson/testing';
import type { ControllerModel, Events, Logger, OperatorModel } from '../../../src/keelson/definition/index.js';
import { Cache, type StoredObject } from '../../../src/runtime/cache/index.js';
import { type ApiClient, createClient } from '../../../src/runtime/client/index.js';
import { type Clock, systemClock } from '../../../src/runtime/clock/index.js';
import { ControllerRunner, type ControllerRunnerOptions } from '../../../src/runtime/reconcile/index.js';
import { connectionTo } from './connection.js';

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export class MemoryLog implements Logger {
  readonly lines: LogLine[] = [];

  debug(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.lines.push({ level: 'debug', message, fields });
  }

  info(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.lines.push({ level: 'info', message, fields });
  }

  warn(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.lines.push({ level: 'warn', message, fields });
  }

  error(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.lines.push({ level: 'error', message, fields });
  }

  /** `error reconciling failed: web` */
  get texts(): string[] {
    return this.lines.map(({ level, message }) => `${level} ${message}`);
  }
}

export interface RecordedEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly note: string;
  /** `ConfigMap a` */
  readonly about: string;
  readonly related: string | undefined;
}

export interface StartOptions extends Partial<Omit<ControllerRunnerOptions, 'controller' | 'cache' | 'client'>> {
  readonly cluster?: Partial<InProcessOptions>;
  /** It reads, and works when the test calls `lead()`. */
  readonly standsBy?: boolean;
}

/** One controller of an operator against a server in the process, under the operator's own rights. */
export class RunningController {
  readonly cluster: InProcessCluster;
  readonly log: MemoryLog;
  readonly recorded: RecordedEvent[] = [];
  readonly #operator: OperatorModel;
  readonly #options: StartOptions;
  #client: ApiClient | undefined;
  #cache: Cache | undefined;
  #runner: ControllerRunner | undefined;
  #stop = new AbortController();
  #abort = new AbortController();
  #ended: Promise<void> = Promise.resolve();

  private constructor(cluster: InProcessCluster, operator: OperatorModel, options: StartOptions) {
    this.cluster = cluster;
    this.log = new MemoryLog();
    this.#operator = operator;
    this.#options = options;
  }

  static async start(operator: OperatorModel, options: StartOptions = {}): Promise<RunningController> {
    const cluster = await TestCluster.start({ operator, webhooks: false, namespace: 'shop', ...options.cluster });
    const running = new RunningController(cluster, operator, options);
    await running.begin();
    return running;
  }

  get runner(): ControllerRunner {
    if (this.#runner === undefined) throw new Error('it is not running');
    return this.#runner;
  }

  async begin(more: Partial<StartOptions> = {}): Promise<void> {
    const [controller] = this.#operator.controllers;
    if (controller === undefined) throw new Error('the operator has no controller');
    const clock: Clock = this.#options.clock ?? systemClock;
    const client = await this.#connect();
    this.#cache = new Cache({ client, clock, log: this.log });
    this.#runner = new ControllerRunner({
      instance: { operator: this.#operator.name },
      clock,
      log: this.log,
      events: (object) => this.#events(object),
      requeueJitter: 0,
      ...this.#options,
      ...more,
      controller: controller as ControllerModel,
      cache: this.#cache,
      client,
    });
    this.#stop = new AbortController();
    this.#abort = new AbortController();
    // As in the host: each run listens to it.
    setMaxListeners(0, this.#abort.signal);
    this.#cache.start();
    if (this.#options.standsBy !== true) this.#ended = this.#runner.run({ stop: this.#stop.signal, abort: this.#abort.signal });
  }

  /** It has been elected. */
  lead(): void {
    this.#ended = this.runner.run({ stop: this.#stop.signal, abort: this.#abort.signal, isElected: true });
  }

  /** Resolves when nothing is left to be done, and nothing has come for a moment. */
  async settled(): Promise<void> {
    await this.cluster.settled({ isIdle: () => this.runner.hasSynced && this.runner.queue.isIdle });
  }

  /** As a process that is told to end. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
    await this.#end();
  }

  /** As a process that is gone. */
  async crash(): Promise<void> {
    this.#abort.abort(new Error('the process is gone'));
    this.#client?.close();
    await this.#ended;
    await this.#end();
  }

  async close(): Promise<void> {
    await this.stop();
    await this.cluster.close();
  }

  async #end(): Promise<void> {
    this.#runner?.close();
    await this.#cache?.stop();
    this.#client?.close();
  }

  async #connect(): Promise<ApiClient> {
    this.#client = createClient({ connection: connectionTo(this.cluster), clock: systemClock });
    return this.#client;
  }

  #events({ kind, metadata: { name } }: StoredObject): Events {
    const record =
      (type: RecordedEvent['type']): Events['normal'] =>
      (reason, note, { related } = {}) => {
        const other = related === undefined ? undefined : `${related.kind} ${related.metadata.name}`;
        this.recorded.push({ type, reason, note, about: `${kind} ${name}`, related: other });
      };
    return { normal: record('Normal'), warning: record('Warning') };
  }
}
