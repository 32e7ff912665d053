import { cronJob } from './cron-job-objects.js';
import { newestDue, nextTime, scheduleRefusals } from './schedule.js';
import type { Schedule } from './schema.js';

const at = (time: string) => new Date(`2030-01-01T${time}Z`);
const schedule = (parts: Partial<Schedule>) => cronJob({ schedule: parts }).spec.schedule;

describe('the newest time that is due', () => {
  const quarters = schedule({ minute: '*/15' });

  test.each<[string, string, string, string | undefined]>([
    ['nothing was missed', '00:00:00', '00:14:59.999', undefined],
    ['it is the very millisecond', '00:00:00', '00:15:00', '00:15:00'],
    ['one was missed', '00:00:00', '00:15:01', '00:15:00'],
    ['many were missed: one makes up for them', '00:00:00', '23:59:00', '23:45:00'],
    ['the last one has been made', '00:15:00', '00:29:00', undefined],
  ])('%s', (_, after, now, expected) => {
    expect(newestDue(quarters, at(after), at(now))).toEqual(expected === undefined ? undefined : at(expected));
  });

  test('a year of missed minutes is no longer work than one', () => {
    const [after, now] = [new Date('2029-01-01T00:00:00Z'), at('00:00:30')];
    expect(newestDue(schedule({}), after, now)).toEqual(at('00:00:00'));
  });
});

test('the next time is later than now, be it by a millisecond', () => {
  expect(nextTime(schedule({}), at('00:00:59.999'))).toEqual(at('00:01:00'));
  expect(nextTime(schedule({}), at('00:01:00'))).toEqual(at('00:02:00'));
  expect(nextTime(schedule({ dayOfMonth: '30', month: 'feb' }), at('00:00:00'))).toBeUndefined();
});

test('times are UTC, whatever the zone of the process', () => {
  expect(nextTime(schedule({ minute: '0', hour: '3' }), at('00:00:00'))).toEqual(at('03:00:00'));
});

describe('a schedule is refused', () => {
  test.each<[string, Partial<Schedule>, string]>([
    ['a minute too many', { minute: '60' }, 'spec.schedule.minute'],
    ['a step of nothing', { hour: '*/0' }, 'spec.schedule.hour'],
    ['a range that ends before it begins', { dayOfMonth: '5-1' }, 'spec.schedule.dayOfMonth'],
    ['a word that is not a month', { month: 'janvier' }, 'spec.schedule.month'],
    ['a day too many', { dayOfWeek: '8' }, 'spec.schedule.dayOfWeek'],
    ['a day that never comes', { dayOfMonth: '30', month: 'feb' }, 'spec.schedule'],
  ])('for %s, at its field', (_, parts, path) => {
    expect(scheduleRefusals(schedule(parts)).map((refusal) => refusal.path)).toEqual([path]);
  });

  test('with every field that is wrong', () => {
    expect(scheduleRefusals(schedule({ minute: 'x', dayOfWeek: 'y' }))).toHaveLength(2);
  });

  test.each<Partial<Schedule>>([
    {},
    { minute: '*/5' },
    { minute: '0,30', hour: '8-18/2', dayOfWeek: 'mon-fri' },
    { dayOfMonth: '29', month: '2' },
  ])('but not %j', (parts) => {
    expect(scheduleRefusals(schedule(parts))).toEqual([]);
  });
});
