import { isRecord } from '@keelson/kubernetes/apimachinery';
import { isSettings, type UseModel } from 'keelson/internal/definition';
import { HandleError } from './errors.js';

/** A call of a metric of the operator's own. */
export interface RecordedMetric {
  /** Name of the handle. */
  readonly handle: string;
  readonly verb: 'set' | 'inc' | 'observe' | 'remove';
  readonly labels: Readonly<Record<string, string>>;
  /** Absent: none was given. */
  readonly value?: number | undefined;
}

export interface UsesOnceOptions {
  /** In messages: `controller memcached`. */
  readonly who: string;
  /** In messages: the call that gives a fake. */
  readonly how: (name: string) => string;
  readonly recordMetric: (called: RecordedMetric) => void;
}

/**
 * Makes the values of `uses` for a test: fakes of externals, settings with their defaults, metrics that are recorded.
 *
 * @throws HandleError for an external without a fake, and settings that their schema refuses
 */
export function usesOnce(
  uses: Readonly<Record<string, UseModel>>,
  given: Readonly<Record<string, unknown>>,
  options: UsesOnceOptions,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(uses).map(([name, use]) => [
      name,
      use.sort === 'metric' ? metricOnce(name, options) : usedOnce(name, use, given[name], options),
    ]),
  );
}

function metricOnce(handle: string, { recordMetric: record }: UsesOnceOptions): object {
  const verb =
    (called: RecordedMetric['verb']) =>
    (labels: RecordedMetric['labels'], value?: number): void =>
      record({ handle, verb: called, labels, ...(value === undefined ? {} : { value }) });
  return Object.freeze({ set: verb('set'), inc: verb('inc'), observe: verb('observe'), remove: verb('remove') });
}

function usedOnce(name: string, use: UseModel, given: unknown, { who, how }: UsesOnceOptions): unknown {
  if (given === undefined && use.sort === 'external')
    throw new HandleError(`${who} uses the external '${name}'; give a fake of it: ${how(name)}`);
  if (!isSettings(use)) return given;
  const { value, problems = [] } = use.parse(isRecord(given) ? given : {});
  const [problem] = problems;
  if (problem !== undefined)
    throw new HandleError(`${who} uses the settings '${name}': ${problem.name}: ${problem.message}; give them with the fakes`);
  return value;
}
