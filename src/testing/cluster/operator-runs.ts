import { type Clock, systemClock } from '@keelson/api-server';
import type { KindInfo, ObjectKey } from '@keelson/kubernetes/apimachinery';
import { type Clock as RuntimeClock, systemClock as runtimeSystemClock } from '@keelson/runtime/internal/clock';
import type { ControllerTuning, RunningOperator } from '@keelson/runtime/internal/host';
import type { Connection } from '@keelson/runtime/internal/http';
import type { JournalFilter, JournalOptions, JournalRun } from '@keelson/runtime/internal/journal';
import type { BackgroundActivity, ExternalInterceptor } from '@keelson/runtime/internal/outside';
import {
  type Logger,
  type OperatorModel,
  RUNTIME_CONTRACT,
  RUNTIME_DEFAULTS,
  type RuntimeSettings,
  type SettingsValues,
} from 'keelson/internal/definition';
import { TestClusterError } from './errors.js';
import { certificateSettings, type InstalledOperator } from './installed-operator.js';
import { spanText } from './time-span.js';
import { Deadline } from './wait/index.js';

export interface StartOperatorOptions extends ControllerTuning {
  /** Fakes of what the operator's `uses` declares as external, by name. Asked for where the operator needs it. */
  // Not a record: in the signatures it would let names pass that the operator does not use.
  readonly externals?: unknown;
  /** Stands between the operator and its externals: makes calls fail, late, empty or lost. @defaultValue none */
  readonly interceptExternal?: ExternalInterceptor | undefined;
  /** By name of the controller; what is not given here is as for all. */
  readonly controllers?: Readonly<Record<string, ControllerTuning>> | undefined;
  /**
   * Settings that differ from those of a test: all namespaces, no leader election, no metrics, and ports that are free.
   * `{ leaseName: 'memcached-operator' }` lets replicas elect their leader.
   */
  readonly settings?: Partial<RuntimeSettings> | undefined;
  /** Values of the operator's own settings: `[config.values({ ... })]`. @defaultValue their defaults */
  readonly values?: readonly SettingsValues[] | undefined;
  /** Variables that the operator's own settings are read from, as from the environment of its process. @defaultValue none */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** @defaultValue what an image writes, from warnings on */
  readonly log?: Logger | undefined;
  /** Name of the Pod that the process takes itself for. @defaultValue the operator's name with a number: `memcached-operator-1` */
  readonly podName?: string | undefined;
  /** In [0, 1), for jitter. @defaultValue Math.random */
  readonly random?: (() => number) | undefined;
  /** Keeps the last runs of each object, for `cluster.journal(...)`. @defaultValue true */
  readonly journal?: boolean | JournalOptions | undefined;
}

/** How an operator reaches the server of a cluster, and is reached. */
export interface OperatorSurroundings {
  readonly connection: Connection;
  /** @defaultValue the process' own */
  readonly clock?: RuntimeClock | undefined;
  /** Leads the API server to the webhooks of a Service; with `undefined` no server answers. */
  readonly serveWebhooks?: ((service: string, port: number | undefined) => void) | undefined;
  /** Where a server that is not led calls webhooks. @defaultValue any that is free */
  readonly webhookPort?: number | undefined;
}

export interface OperatorRun {
  readonly installed: InstalledOperator;
  readonly options: StartOperatorOptions;
  readonly surroundings: OperatorSurroundings;
}

interface Run {
  readonly keepsJournal: boolean;
  readonly name: string;
  readonly drainMs: number;
  webhookPort?: number | undefined;
}

/** No Prometheus scrapes it, no port may be one that is taken, and no test wants to wait for what hangs. */
const TEST_SETTINGS: RuntimeSettings = {
  ...RUNTIME_DEFAULTS,
  logLevel: 'warn',
  drainSeconds: 1,
  healthPort: 0,
  webhookPort: 0,
  metrics: undefined,
};

/** The model without webhooks and conversions that are not called here. */
function servedModel({ model, servesWebhooks }: InstalledOperator): OperatorModel {
  return servesWebhooks ? model : { ...model, webhooks: [], customResources: [] };
}

/** The longest that an idle operator may take to end, in real time. */
const GRACE_MS = 500;

/** The parts of a runtime's clock beyond the time of a server, where the clock of a test lacks them. */
export function runtimeClockOf(clock: Clock & Partial<RuntimeClock>): RuntimeClock {
  if (clock === systemClock) return runtimeSystemClock;
  if (clock.monotonicMs !== undefined && clock.wallMs !== undefined) return clock as RuntimeClock;
  const nowMs = (): number => clock.now().getTime();
  return { monotonicMs: nowMs, wallMs: nowMs, schedule: (delayMs, callback) => clock.schedule(delayMs, callback) };
}

/** The operators that a cluster runs in the process of its test. */
export class OperatorRuns {
  readonly #running = new Map<RunningOperator, Run>();
  readonly #timeoutMs: number;
  #count = 0;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** The runtime is loaded here: a suite without an operator does not pay for it. */
  async start({ installed, options, surroundings }: OperatorRun): Promise<RunningOperator> {
    const { names } = installed;
    const model = servedModel(installed);
    const { connection, clock, webhookPort = 0 } = surroundings;
    const { settings, podName = `${model.name}-${++this.#count}`, ...rest } = options;
    const whole = { ...TEST_SETTINGS, ...certificateSettings(installed), webhookPort, ...settings };
    const { start } = await import('@keelson/runtime/internal/host');
    // Two replicas in one process cannot have the same port.
    const endpointPorts = Object.fromEntries((model.endpoints ?? []).map(({ name }) => [name, 0]));
    const running = await start(model, {
      endpointPorts,
      journal: true,
      ...rest,
      connection,
      clock,
      settings: whole,
      environment: { ...rest.environment, [RUNTIME_CONTRACT.env.podName]: podName, [RUNTIME_CONTRACT.env.podNamespace]: names.namespace },
      // A test that moves the time moves it exactly.
      requeueJitter: clock === undefined || clock === runtimeSystemClock ? undefined : 0,
      processMetrics: false,
      webhookLingerMs: 0,
    });
    const run: Run = { keepsJournal: rest.journal !== false, name: podName, drainMs: whole.drainSeconds * 1000 };
    this.#running.set(running, run);
    const service = `${names.namespace}/${names.webhookService}`;
    const lead = (): void => surroundings.serveWebhooks?.(service, this.#webhookPort);
    const forget = (): void => {
      this.#running.delete(running);
      if (installed.servesWebhooks) lead();
    };
    void running.ended.then(forget, forget);
    // A test that goes on may create what is judged; an operator that ended instead says why.
    run.webhookPort = await Promise.race([running.servingWebhooks, running.ended.then(() => undefined)]);
    if (installed.servesWebhooks) lead();
    return running;
  }

  /** The port of the replica that was started last: one answers for all. */
  get #webhookPort(): number | undefined {
    return [...this.#running.values()].findLast(({ webhookPort }) => webhookPort !== undefined)?.webhookPort;
  }

  /**
   * The work that an operator still has; `undefined` for an idle one. Replicas that do not lead fill their queues and wait, as they should.
   *
   * @param rest `idle`: what failed and waits for its next try does not count
   */
  busyWith(rest: 'idle' | 'settled'): string | undefined {
    for (const [running, { name }] of this.#running) {
      const [problem] = [...running.readinessProblems, ...running.controllerProblems];
      if (problem !== undefined) return `${name} is not ready: ${problem.what}: ${problem.why}`;
      if (!running.isLeader) continue;
      if (!running.isIdle) return `${name} is at work`;
      if (rest === 'settled' && !running.isSettled) return `${name} has failed with an object, and will try again`;
    }
    return undefined;
  }

  /** The background work of all operators. */
  background(): BackgroundActivity {
    const all = [...this.#running.keys()].map(({ background }) => background);
    return {
      running: all.reduce((sum, { running }) => sum + running, 0),
      signs: all.reduce((sum, { signs }) => sum + signs, 0),
    };
  }

  get hasAny(): boolean {
    return this.#running.size > 0;
  }

  /** The runs of all operators that run, in the order in which they began. @throws StartOptionsError when one keeps no journal */
  journal(filter: JournalFilter): readonly JournalRun[] {
    return [...this.#running.keys()]
      .flatMap((running) => running.journal(filter))
      .sort((a, b) => a.startedAt.getTime() - b.startedAt.getTime());
  }

  /** Runs for an object, and runs that wrote it, of all operators that keep a journal. */
  concerning({ kind }: KindInfo, { namespace, name }: ObjectKey): readonly JournalRun[] {
    const object = namespace === undefined ? name : `${namespace}/${name}`;
    const concerns = (on: { readonly kind: string; readonly object: string }): boolean => on.kind === kind && on.object === object;
    return [...this.#running]
      .flatMap(([running, { keepsJournal }]) => (keepsJournal ? running.journal() : []))
      .filter((run) => concerns(run) || run.writes.some(concerns))
      .sort((a, b) => a.startedAt.getTime() - b.startedAt.getTime());
  }

  /**
   * @param moveTime moves the operators' time, where that stands still: what is under way is given up when the time to drain is over
   * @throws TestClusterError naming operators that do not end
   */
  async stop(moveTime?: (ms: number) => void): Promise<void> {
    // Code that waits for `ended` gets the error.
    for (const operator of this.#running.keys()) void operator.stop().catch(() => undefined);
    if (moveTime !== undefined && !(await this.#ended(GRACE_MS)))
      moveTime(Math.max(...[...this.#running.values()].map((run) => run.drainMs)));
    if (await this.#ended(this.#timeoutMs)) return;
    const left = [...this.#running.values()].map(({ name }) => name);
    throw new TestClusterError(
      `${left.join(', ')} did not end within ${spanText(this.#timeoutMs)}: a reconcile is still under way; does it end when its signal is aborted?`,
    );
  }

  async #ended(withinMs: number): Promise<boolean> {
    const deadline = new Deadline(withinMs);
    try {
      while (this.#running.size > 0 && !deadline.isOver) await deadline.pause(1);
    } finally {
      deadline.dispose();
    }
    return this.#running.size === 0;
  }
}
