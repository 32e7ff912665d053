import { isRecord } from '@keelson/kubernetes/apimachinery';
import {
  type ExternalsContext,
  isSettings,
  type Logger,
  type MetricModel,
  type OperatorModel,
  settingsFrom,
  type UseModel,
  usesOf,
} from 'keelson/internal/definition';
import type { Clock } from '../clock/index.js';
import { ExternalError, Given } from '../outside/index.js';
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
  const settings = settingsFrom(uses, options.environment ?? process.env, options.values);
  return new Given({
    uses,
    values: { ...metricsOf(uses, metrics, log), ...settings },
    externals: externalsFrom(options.externals, uses, settings),
    monotonicMs: () => clock.monotonicMs(),
    observer: metrics.outsideObserver(operator.name),
    beginSpan: (name, attributes) => tracing.beginSpan(name, attributes),
    intercept: options.interceptExternal,
  });
}

/** @param given the values, or a function that makes them from settings */
function externalsFrom(
  given: unknown,
  uses: Readonly<Record<string, UseModel>>,
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (typeof given !== 'function') return (given ?? {}) as Readonly<Record<string, unknown>>;
  const context: ExternalsContext = {
    settings: (declared) => {
      const name = Object.keys(uses).find((each) => uses[each] === declared);
      if (name !== undefined) return values[name] as never;
      const [variable] = isSettings(declared) ? declared.fields.map((field) => field.variable) : [];
      throw new ExternalError(
        `externals: ${variable === undefined ? 'what is asked for is not made by settings()' : `no part of the operator declares the settings with ${variable}`}; ` +
          'write external<T>({ settings: config }), so that manifests have their variables',
      );
    },
  };
  const made: unknown = (given as (context: ExternalsContext) => unknown)(context);
  if (isRecord(made)) return made;
  throw new ExternalError('externals: the function returned no object; return the externals by name, and make none of them in a promise');
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
