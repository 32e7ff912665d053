import { type Logger, type MetricModel, type OperatorModel, settingsFrom, type UseModel, usesOf } from 'keelson/internal/definition';
import type { Clock } from '../clock/index.js';
import { Given } from '../outside/index.js';
import type { Metrics, Tracing } from '../telemetry/index.js';
import type { StartOptions } from './options.js';

export interface GivenParts {
  readonly operator: OperatorModel;
  readonly options: StartOptions;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * The externals, settings and metrics of the process, for all parts of the operator.
 *
 * @throws ExternalError naming externals that are missing, and those that nothing asks for; SettingsError naming variables that cannot be used
 */
export function givenTo({ operator, options, metrics, tracing, clock, log }: GivenParts): Given {
  const uses = usesOf(operator);
  return new Given({
    uses,
    values: { ...metricsOf(uses, metrics, log), ...settingsFrom(uses, options.environment ?? process.env, options.values) },
    externals: (options.externals ?? {}) as Readonly<Record<string, unknown>>,
    monotonicMs: () => clock.monotonicMs(),
    observer: metrics.outsideObserver(operator.name),
    beginSpan: (name, attributes) => tracing.beginSpan(name, attributes),
    intercept: options.interceptExternal,
  });
}

/** Two names may mean one metric. */
function metricsOf(uses: Readonly<Record<string, UseModel>>, metrics: Metrics, log: Logger): Readonly<Record<string, unknown>> {
  const made = new Map<UseModel, object>();
  return Object.fromEntries(
    Object.entries(uses).flatMap(([name, use]) => {
      if (use.sort !== 'metric') return [];
      const value = made.get(use) ?? metrics.own(use as MetricModel, log);
      made.set(use, value);
      return [[name, value]];
    }),
  );
}
