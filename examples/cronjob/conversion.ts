import type { DeepReadonly } from 'keelson';
import type { z } from 'zod';
import type { Schedule, v1, v2 } from './schema.js';

interface Line {
  readonly spec: DeepReadonly<z.output<typeof v1.spec>>;
  readonly status?: DeepReadonly<z.output<typeof v1.status>> | undefined;
}

interface Parts {
  readonly spec: DeepReadonly<z.output<typeof v2.spec>>;
  readonly status?: DeepReadonly<z.output<typeof v2.status>> | undefined;
}

/** In the order of a crontab. */
export const FIELDS = ['minute', 'hour', 'dayOfMonth', 'month', 'dayOfWeek'] as const satisfies readonly (keyof Schedule)[];

/** `{ minute: '0', hour: '3' ... }` as a crontab says it: `0 3 * * *`. */
export function lineOf(schedule: Schedule): string {
  return FIELDS.map((field) => schedule[field]).join(' ');
}

// #region convert
/** Neither version can say what the other cannot, so nothing has to be kept aside. */
export function toStorage({ spec, status }: Line) {
  const [minute = '*', hour = '*', dayOfMonth = '*', month = '*', dayOfWeek = '*'] = spec.schedule.split(' ');
  return { spec: { ...spec, schedule: { minute, hour, dayOfMonth, month, dayOfWeek } }, status };
}

export function fromStorage({ spec, status }: Parts) {
  return { spec: { ...spec, schedule: lineOf(spec.schedule) }, status };
}
// #endregion
