import { type ControllerModel, isSettings, type UseModel } from '../../definition/index.js';
import { isRecord } from '../../kubernetes/index.js';
import { HandleError } from './errors.js';

/** A request of a reconciler to its background work. */
export interface RecordedBackground {
  /** Name of the handle. */
  readonly handle: string;
  readonly verb: 'start' | 'cancel';
  readonly key: string;
}

/** A call of a metric of the operator's own. */
export interface RecordedMetric {
  /** Name of the handle. */
  readonly handle: string;
  readonly verb: 'set' | 'inc' | 'observe' | 'remove';
  readonly labels: Readonly<Record<string, string>>;
  /** Absent: none was given. */
  readonly value?: number | undefined;
}

export interface OnceOutside {
  readonly now: Date;
  readonly recordMetric: (called: RecordedMetric) => void;
  readonly record: (asked: RecordedBackground) => void;
}

/** The world outside of a run in a test: fakes, values, and states of background work by key, as the observation says. */
export function outsideOnce(
  { name: controller, uses, observes, background }: ControllerModel,
  observation: Readonly<Record<string, unknown>>,
  { now, record, recordMetric }: OnceOutside,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries([
    ...Object.entries(uses).map(
      ([name, use]) =>
        [name, use.sort === 'metric' ? metricOnce(name, recordMetric) : usedOnce(controller, name, use, observation[name])] as const,
    ),
    ...Object.entries(observes).map(([name, source]) => {
      const value = observation[name];
      return [name, source.sort === 'poll' ? polledOnce(value, now) : Object.freeze({ error: undefined })] as const;
    }),
    ...Object.keys(background).map((name) => [name, backgroundOnce(name, observation[name], { now, record, recordMetric })] as const),
  ]);
}

function metricOnce(handle: string, record: OnceOutside['recordMetric']): object {
  const verb =
    (called: RecordedMetric['verb']) =>
    (labels: RecordedMetric['labels'], value?: number): void =>
      record({ handle, verb: called, labels, ...(value === undefined ? {} : { value }) });
  return Object.freeze({ set: verb('set'), inc: verb('inc'), observe: verb('observe'), remove: verb('remove') });
}

function usedOnce(controller: string, name: string, use: UseModel, given: unknown): unknown {
  if (given === undefined && use.sort === 'external')
    throw new HandleError(
      `controller ${controller} uses the external '${name}'; give a fake of it: reconcileOnce(controller, { object, ${name}: fake })`,
    );
  if (!isSettings(use)) return given;
  const { value, problems = [] } = use.parse(isRecord(given) ? given : {});
  const [problem] = problems;
  if (problem !== undefined)
    throw new HandleError(
      `controller ${controller} uses the settings '${name}': ${problem.name}: ${problem.message}; give them in the observation`,
    );
  return value;
}

function polledOnce(value: unknown, now: Date): object {
  return Object.freeze({ value, at: value === undefined ? undefined : now, error: undefined, refresh: async () => value });
}

/** Work that the test says nothing of is started when it is asked for, and runs. */
function backgroundOnce(handle: string, states: unknown, { now, record }: OnceOutside): object {
  const known: Record<string, unknown> = isRecord(states) ? { ...states } : {};
  const stateOf = (key: string): unknown => known[key] ?? { phase: 'absent' };
  return Object.freeze({
    state: stateOf,
    start(key: string): unknown {
      record({ handle, verb: 'start', key });
      known[key] ??= { phase: 'running', since: now };
      return stateOf(key);
    },
    cancel(key: string): void {
      record({ handle, verb: 'cancel', key });
      known[key] = { phase: 'cancelled', at: now };
    },
  });
}
