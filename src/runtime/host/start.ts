import {
  type Needs,
  type Operator,
  type OperatorModel,
  RUNTIME_CONTRACT,
  runtimeSettingsOf,
  unknownVariables,
} from 'keelson/internal/definition';
import { systemClock } from '../clock/index.js';
import { createLog, createTracing, Metrics } from '../telemetry/index.js';
import { connectionFor } from './connect.js';
import { clockFor, publishStarted } from './operator-channel.js';
import type { StartOptions } from './options.js';
import { RunningOperator } from './running-operator.js';
import { checkNames, checkSelectors } from './tuning.js';

/**
 * Starts an operator inside a process of your own: signals, exit codes and unhandled errors stay yours. {@link run} is for images.
 *
 * @example
 * ```ts
 * const running = await start(operator, { concurrency: 5 });
 * process.once('SIGTERM', () => void running.stop());
 * await running.ended;
 * ```
 *
 * @throws StartOptionsError, RuntimeSettingsError, ConnectionSettingsError, TelemetryServerError when a port is taken: nothing is left running then
 */
export function start(operator: Operator): Promise<RunningOperator>;
export function start<TExternals>(
  operator: Operator<TExternals>,
  options: StartOptions & Needs<NoInfer<TExternals>>,
): Promise<RunningOperator>;
export async function start(operator: OperatorModel, options: StartOptions = {}): Promise<RunningOperator> {
  const environment = options.environment ?? process.env;
  checkNames(
    operator.controllers.map(({ name }) => name),
    options,
  );
  const settings = options.settings ?? runtimeSettingsOf(environment);
  checkSelectors(operator.controllers, settings);
  const log = options.log ?? (await createLog({ level: settings.logLevel }));
  const connection = await connectionFor(options, systemClock);
  const metrics = await Metrics.create({ processMetrics: options.processMetrics });
  log.info('starting', {
    operator: operator.name,
    server: connection.origin,
    controllers: operator.controllers.map(({ name }) => name),
    // A namespace that does not exist looks like an empty one: only its name in the log shows the mistake.
    ...(settings.watchNamespaces === undefined ? {} : { namespaces: settings.watchNamespaces }),
    ...(settings.selector === undefined ? {} : { selector: settings.selector }),
    ...(settings.fieldSelector === undefined ? {} : { fieldSelector: settings.fieldSelector }),
  });
  if (settings.paused === true) log.warn(`paused by ${RUNTIME_CONTRACT.env.paused}: no object is reconciled until it is removed`);
  const unknown = options.environment === undefined && options.settings !== undefined ? [] : unknownVariables(environment);
  if (unknown.length > 0) {
    const known = Object.values(RUNTIME_CONTRACT.env).join(', ');
    log.warn(`nothing reads the environment variables ${unknown.join(', ')}; known are ${known}`);
  }
  const tracing = await createTracing({ clock: systemClock, log });
  const clock = clockFor(options.clock);
  const running = await RunningOperator.start({
    operator,
    options: { ...options, environment, clock },
    settings,
    connection,
    log,
    metrics,
    tracing,
  });
  publishStarted(running);
  return running;
}
