import type { Logger, OperatorModel } from '../../definition/index.js';
import { type Clock, systemClock } from '../clock/index.js';
import { EndpointServer, healthChecksOf, Task } from '../operator-parts/index.js';
import type { HealthCheck, Metrics } from '../telemetry/index.js';
import type { LeaderWork } from './leader-work.js';
import type { StartOptions } from './options.js';

export interface OperatorPartsOptions {
  readonly operator: OperatorModel;
  readonly options: StartOptions;
  readonly log: Logger;
  readonly metrics: Metrics;
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

export function runnableParts({ operator, options, log, metrics, clock }: OperatorPartsOptions): RunnableParts {
  const { checks = [], endpoints = [], tasks = [] } = operator;
  const contextOf = (signal: AbortSignal): object => ({ signal, log, now: () => new Date(clock.wallMs()) });
  const observer = metrics.taskObserver(tasks.map(({ name }) => name));
  const made = tasks.map((task) => ({ on: task.on, work: new Task({ task, clock, log, random: options.random, contextOf, observer }) }));
  return {
    leaderTasks: made.filter(({ on }) => on === 'leader').map(({ work }) => work),
    replicaTasks: made.filter(({ on }) => on === 'all').map(({ work }) => work),
    // Probes and requests are real, whatever a test does to the operator's time.
    endpoints: endpoints.map((endpoint) => {
      const port = options.endpointPorts?.[endpoint.name] ?? endpoint.port;
      return new EndpointServer({ endpoint, port, clock: systemClock, log, contextOf });
    }),
    ...healthChecksOf({ checks, clock: systemClock, contextOf }),
  };
}
