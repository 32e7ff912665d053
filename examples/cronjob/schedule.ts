import { Cron } from 'croner';
import type { Refusal } from 'keelson';
import { FIELDS, lineOf } from './conversion.js';
import type { Schedule } from './schema.js';

const SECOND_MS = 1_000;

/** Times are UTC: a day has 24 hours, and no time is there twice. */
const cronOf = (line: string): Cron => new Cron(line, { timezone: 'UTC', mode: '5-part' });

// #region times
/** The newest scheduled time after `after` and up to `now`: however many were missed, one Job makes up for them. */
export function newestDue(schedule: Schedule, after: Date, now: Date): Date | undefined {
  // The library looks for times before the one that it is given, in whole seconds.
  const [newest] = cronOf(lineOf(schedule)).previousRuns(1, new Date(now.getTime() + SECOND_MS));
  return newest !== undefined && newest > after && newest <= now ? newest : undefined;
}

/** The first scheduled time after `now`; `undefined` without one, as on 30 February. */
export function nextTime(schedule: Schedule, now: Date): Date | undefined {
  return cronOf(lineOf(schedule)).nextRun(now) ?? undefined;
}
// #endregion

// #region refusals
/** Each field by itself, so that the refusal names it; then all of them together. */
export function scheduleRefusals(schedule: Schedule): Refusal[] {
  const wrong = FIELDS.flatMap((field) => {
    const problem = problemOf(lineOf({ minute: '*', hour: '*', dayOfMonth: '*', month: '*', dayOfWeek: '*', [field]: schedule[field] }));
    return problem === undefined ? [] : [{ path: `spec.schedule.${field}`, message: problem }];
  });
  if (wrong.length > 0 || nextTime(schedule, new Date()) !== undefined) return wrong;
  return [{ path: 'spec.schedule', message: 'must come some time', value: lineOf(schedule) }];
}
// #endregion

function problemOf(line: string): string | undefined {
  try {
    cronOf(line);
    return undefined;
  } catch (error) {
    return (error as Error).message.replace(/^CronPattern: /, '');
  }
}
