import { type Logger, RUNTIME_CONTRACT, RUNTIME_DEFAULTS, type RuntimeSettings } from '../../definition/index.js';
import { type Clock as RuntimeClock, systemClock as runtimeSystemClock } from '../../runtime/clock/index.js';
import type { ControllerTuning, RunningOperator } from '../../runtime/host/index.js';
import type { Connection } from '../../runtime/http/index.js';
import { type Clock, systemClock } from '../clock/index.js';
import { TestClusterError } from './errors.js';
import type { InstalledOperator } from './installed-operator.js';
import { spanText } from './time-span.js';
import { Deadline } from './wait/index.js';

export interface StartOperatorOptions extends ControllerTuning {
  /** By name of the controller; what is not given here is as for all. */
  readonly controllers?: Readonly<Record<string, ControllerTuning>> | undefined;
  /**
   * Settings that differ from those of a test: all namespaces, no leader election, no metrics, and ports that are free.
   * `{ leaseName: 'memcached-operator' }` lets replicas elect their leader.
   */
  readonly settings?: Partial<RuntimeSettings> | undefined;
  /** @defaultValue what an image writes, from warnings on */
  readonly log?: Logger | undefined;
  /** Name of the Pod that the process takes itself for. @defaultValue the operator's name with a number: `memcached-operator-1` */
  readonly podName?: string | undefined;
  /** In [0, 1), for jitter. @defaultValue Math.random */
  readonly random?: (() => number) | undefined;
}

/** How an operator reaches the server of a cluster, and is reached. */
export interface OperatorSurroundings {
  readonly connection: Connection;
  /** @defaultValue the process' own */
  readonly clock?: RuntimeClock | undefined;
  /** Leads the API server to the webhooks of a Service; undefined: it finds them at their address. */
  readonly serveWebhooks?: ((service: string, port: number | undefined) => void) | undefined;
}

export interface OperatorRun {
  readonly installed: InstalledOperator;
  readonly options: StartOperatorOptions;
  readonly surroundings: OperatorSurroundings;
}

interface Run {
  readonly name: string;
  readonly drainMs: number;
}

/** Nobody scrapes it, no port may be one that is taken, and no test wants to wait for what hangs. */
const TEST_SETTINGS: RuntimeSettings = {
  ...RUNTIME_DEFAULTS,
  logLevel: 'warn',
  drainSeconds: 1,
  healthPort: 0,
  webhookPort: 0,
  metrics: undefined,
};
/** So long, in real time, an operator may take that has nothing under way. */
const GRACE_MS = 500;

/** What a runtime needs beyond the time of a server, where the clock of a test does not have it. */
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
    const { model, names } = installed;
    const { connection, clock } = surroundings;
    const { settings, podName = `${model.name}-${++this.#count}`, ...rest } = options;
    const whole = { ...TEST_SETTINGS, ...settings };
    const { start } = await import('../../runtime/host/index.js');
    const running = await start(model, {
      ...rest,
      connection,
      clock,
      settings: whole,
      environment: { [RUNTIME_CONTRACT.env.podName]: podName, [RUNTIME_CONTRACT.env.podNamespace]: names.namespace },
      freeze: true,
      processMetrics: false,
    });
    this.#running.set(running, { name: podName, drainMs: whole.drainSeconds * 1000 });
    const forget = (): void => void this.#running.delete(running);
    void running.ended.then(forget, forget);
    return running;
  }

  /**
   * What an operator has still to do; undefined: none has anything. Replicas that do not lead fill their queues and wait, as they should.
   *
   * @param rest `idle`: what failed and waits for its next try does not count
   */
  busyWith(rest: 'idle' | 'settled'): string | undefined {
    for (const [running, { name }] of this.#running) {
      const [problem] = running.readinessProblems;
      if (problem !== undefined) return `${name} is not ready: ${problem.what}: ${problem.why}`;
      if (!running.isLeader) continue;
      if (!running.isIdle) return `${name} is at work`;
      if (rest === 'settled' && !running.isSettled) return `${name} has failed with an object, and will try again`;
    }
    return undefined;
  }

  /**
   * @param moveTime moves the operators' time, where that stands still: what is under way is given up when the time to drain is over
   * @throws TestClusterError naming operators that do not end
   */
  async stop(moveTime?: (ms: number) => void): Promise<void> {
    // What it ended with is told to whoever waits for `ended`.
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
