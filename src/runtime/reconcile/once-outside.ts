import { isRecord } from '@keelson/kubernetes/apimachinery';
import type { ControllerModel } from 'keelson/internal/definition';
import { type RecordedMetric, usesOnce } from './uses-once.js';

/** A request of a reconciler to its background work. */
export interface RecordedBackground {
  /** Name of the handle. */
  readonly handle: string;
  readonly verb: 'start' | 'cancel';
  readonly key: string;
  /** As `start(key, input)` was given it; absent for work that takes none. */
  readonly input?: unknown;
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
  const subject = { who: `controller ${controller}`, how: (name: string) => `reconcileOnce(controller, { object, ${name}: fake })` };
  return Object.fromEntries([
    ...Object.entries(usesOnce(uses, observation, { ...subject, recordMetric })),
    ...Object.entries(observes).map(([name, source]) => {
      const value = observation[name];
      return [name, source.sort === 'poll' ? polledOnce(value, now) : Object.freeze({ error: undefined })] as const;
    }),
    ...Object.keys(background).map((name) => [name, backgroundOnce(name, observation[name], { now, record, recordMetric })] as const),
  ]);
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
    start(key: string, input?: unknown): unknown {
      record({ handle, verb: 'start', key, ...(input === undefined ? {} : { input }) });
      known[key] ??= { phase: 'running', since: now };
      return stateOf(key);
    },
    cancel(key: string): void {
      record({ handle, verb: 'cancel', key });
      known[key] = { phase: 'cancelled', at: now };
    },
  });
}
