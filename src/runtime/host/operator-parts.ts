import type { CheckModel, Logger, OperatorModel } from 'keelson/internal/definition';
import { type Clock, systemClock } from '../clock/index.js';
import { EndpointServer, healthChecksOf, Task } from '../operator-parts/index.js';
import type { Given } from '../outside/index.js';
import type { HealthCheck, Metrics, Tracing } from '../telemetry/index.js';
import type { LeaderWork } from './leader-work.js';
import type { StartOptions } from './options.js';
import { contextsOf } from './using-context.js';

export interface OperatorPartsOptions {
  readonly operator: OperatorModel;
  readonly options: StartOptions;
  readonly given: Given;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly listenAddress: string | undefined;
  readonly tracing: Tracing;
  readonly clock: Clock;
}

/** The author's declarations beside controllers and webhooks, ready to be run. */
export interface RunnableParts {
  readonly leaderTasks: readonly LeaderWork[];
  /** For every replica, leader or not. */
  readonly replicaTasks: readonly LeaderWork[];
  readonly endpoints: readonly EndpointServer[];
  readonly readiness: readonly HealthCheck[];
  readonly liveness: readonly HealthCheck[];
}

export function runnableParts({
  operator,
  options,
  listenAddress,
  given,
  log,
  metrics,
  tracing,
  clock,
}: OperatorPartsOptions): RunnableParts {
  const { checks = [], endpoints = [], tasks = [] } = operator;
  const contextFor = contextsOf({ given, log, clock });
  const observer = metrics.taskObserver(tasks.map(({ name }) => name));
  const { random } = options;
  const made = tasks.map(({ run, ...rest }) => {
    const task = { ...rest, run: spanned(run as Act, tracing, { name: `task ${rest.name}`, attributes: { 'keelson.task': rest.name } }) };
    return { on: task.on, work: new Task({ task, clock, log, random, contextOf: contextFor(task), observer }) };
  });
  return {
    leaderTasks: made.filter(({ on }) => on === 'leader').map(({ work }) => work),
    replicaTasks: made.filter(({ on }) => on === 'all').map(({ work }) => work),
    // Probes and requests are real, whatever a test does to the operator's time.
    endpoints: endpoints.map(({ handle, ...rest }) => {
      const { name } = rest;
      const port = options.endpointPorts?.[name] ?? rest.port;
      const span = { name: `endpoint ${name}`, attributes: { 'keelson.endpoint': name } };
      const endpoint = { ...rest, handle: spanned(handle as Act, tracing, span) };
      return new EndpointServer({ endpoint, port, host: listenAddress, clock: systemClock, log, contextOf: contextFor(endpoint) });
    }),
    ...healthChecksOf({ checks: checks.map((check) => checkIn(tracing, check)), clock: systemClock, contextFor }),
  };
}

/** Probes ask all the time: only what calls other systems is worth a trace. */
function checkIn(tracing: Tracing, check: CheckModel): CheckModel {
  const { name, uses, run } = check;
  if (uses === undefined) return check;
  return { ...check, run: spanned(run as Act, tracing, { name: `check ${name}`, attributes: { 'keelson.check': name } }) };
}

type Act = (...given: unknown[]) => unknown;

/** Calls of externals stand below the span of the function that makes them, as in a reconcile. */
function spanned(
  act: Act,
  tracing: Tracing,
  { name, attributes }: { readonly name: string; readonly attributes: Readonly<Record<string, string>> },
): Act {
  return (...given) => tracing.inSpan(name, attributes, async () => act(...given));
}
