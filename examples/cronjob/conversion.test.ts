import fc from 'fast-check';
import { fromStorage, lineOf, toStorage } from './conversion.js';
import { cronJob } from './cron-job-objects.js';

const { schedule, ...rest } = cronJob({ schedule: { minute: '*/5', dayOfWeek: 'mon-fri' } }).spec;
const field = fc.stringMatching(/^[0-9A-Za-z*,/-]{1,8}$/);

test('a line is five fields, in the order of a crontab', () => {
  expect(toStorage({ spec: { ...rest, schedule: '*/5 * * * mon-fri' } }).spec.schedule).toEqual(schedule);
  expect(fromStorage({ spec: { ...rest, schedule } }).spec.schedule).toBe('*/5 * * * mon-fri');
});

test('whatever fits the schemas comes back as it was, both ways', () => {
  fc.assert(
    fc.property(fc.tuple(field, field, field, field, field), (fields) => {
      const line = fields.join(' ');
      const stored = toStorage({ spec: { ...rest, schedule: line } });
      expect(lineOf(stored.spec.schedule)).toBe(line);
      expect(fromStorage(stored)).toEqual({ spec: { ...rest, schedule: line }, status: undefined });
      expect(toStorage(fromStorage(stored))).toEqual(stored);
    }),
  );
});
