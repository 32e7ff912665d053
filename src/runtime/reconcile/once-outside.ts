import type { ControllerModel, UseModel } from '../../definition/index.js';
import { isRecord } from '../../kubernetes/index.js';
import { HandleError } from './errors.js';

/** A request of a reconciler to its background work. */
export interface RecordedBackground {
  /** Name of the handle. */
  readonly handle: string;
  readonly verb: 'start' | 'cancel';
  readonly key: string;
}

export interface OnceOutside {
  readonly now: Date;
  readonly record: (asked: RecordedBackground) => void;
}

/** The world outside of a run in a test: fakes, values, and states of background work by key, as the observation says. */
export function outsideOnce(
  { name: controller, uses, observes, background }: ControllerModel,
  observation: Readonly<Record<string, unknown>>,
  { now, record }: OnceOutside,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries([
    ...Object.entries(uses).map(([name, use]) => [name, usedOnce(controller, name, use, observation[name])] as const),
    ...Object.entries(observes).map(([name, source]) => {
      const value = observation[name];
      return [name, source.sort === 'poll' ? polledOnce(value, now) : Object.freeze({ error: undefined })] as const;
    }),
    ...Object.keys(background).map((name) => [name, backgroundOnce(name, observation[name], { now, record })] as const),
  ]);
}

function usedOnce(controller: string, name: string, { sort }: UseModel, given: unknown): unknown {
  if (given === undefined && sort === 'external')
    throw new HandleError(
      `controller ${controller} uses the external '${name}'; give a fake of it: reconcileOnce(controller, { object, ${name}: fake })`,
    );
  return given;
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
