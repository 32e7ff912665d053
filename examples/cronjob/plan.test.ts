import type { Job } from 'keelson/kinds';
import { cronJob, job } from './cron-job-objects.js';
import { planOf } from './plan.js';

const now = new Date('2030-01-01T00:10:30Z');
const at = (time: string) => `2030-01-01T${time}Z`;
const times = (jobs: readonly Job[]) => jobs.map(({ metadata }) => metadata.annotations?.['batch.example.com/scheduled-at']?.slice(11, 16));
const last = (time: string) => ({ lastScheduleTime: at(time) });

test('a CronJob that is new starts no Job for times before it was', () => {
  const young = cronJob();
  const plan = planOf({ ...young, metadata: { ...young.metadata, creationTimestamp: at('00:10:10') } }, [], now);
  expect(plan).toMatchObject({ kept: [], active: [], next: new Date(at('00:11:00')) });
  expect(plan.due).toBeUndefined();
});

test('of several missed times the newest gets a Job', () => {
  const plan = planOf(cronJob({ status: last('00:02:00') }), [], now);
  expect(plan).toMatchObject({ due: new Date(at('00:10:00')), lastScheduleTime: new Date(at('00:10:00')) });
});

test('a Job that is there counts, even if the status could not be written', () => {
  const plan = planOf(cronJob({ status: last('00:09:00') }), [job(at('00:10:00'))], now);
  expect(plan.due).toBeUndefined();
  expect(plan.lastScheduleTime).toEqual(new Date(at('00:10:00')));
});

test('a Job that was deleted counts too: its time is in the status', () => {
  expect(planOf(cronJob({ status: last('00:10:00') }), [], now).due).toBeUndefined();
});

test('suspended, it starts nothing and asks for no time', () => {
  const plan = planOf(cronJob({ suspend: true }), [job(at('00:09:00'))], now);
  expect(plan.kept).toHaveLength(1);
  expect([plan.due, plan.next]).toEqual([undefined, undefined]);
});

describe('after the deadline', () => {
  test('a time is missed, and the next one is waited for', () => {
    const plan = planOf(cronJob({ startingDeadlineSeconds: 29, status: last('00:09:00') }), [], now);
    expect(plan).toMatchObject({ missed: new Date(at('00:10:00')), next: new Date(at('00:11:00')) });
    expect(plan.due).toBeUndefined();
  });

  test('but not in its last second', () => {
    expect(planOf(cronJob({ startingDeadlineSeconds: 30, status: last('00:09:00') }), [], now).due).toEqual(new Date(at('00:10:00')));
  });
});

describe('while a Job runs', () => {
  const running = [job(at('00:09:00'))];

  test('Allow starts another beside it', () => {
    const plan = planOf(cronJob({ concurrencyPolicy: 'Allow' }), running, now);
    expect(times(plan.kept)).toEqual(['00:09']);
    expect(plan.due).toEqual(new Date(at('00:10:00')));
  });

  test('Forbid waits, and starts it when the other has ended', () => {
    const waiting = planOf(cronJob({ concurrencyPolicy: 'Forbid' }), running, now);
    expect([times(waiting.kept), waiting.due]).toEqual([['00:09'], undefined]);
    const ended = planOf(cronJob({ concurrencyPolicy: 'Forbid' }), [job(at('00:09:00'), 'Complete')], now);
    expect(ended.due).toEqual(new Date(at('00:10:00')));
  });

  test('Replace deletes it first, and starts the next one when it is gone', () => {
    const replaced = planOf(cronJob({ concurrencyPolicy: 'Replace' }), [...running, job(at('00:08:00'), 'Complete')], now);
    expect([times(replaced.kept), replaced.due]).toEqual([['00:08'], undefined]);
    expect(planOf(cronJob({ concurrencyPolicy: 'Replace' }), [], now).due).toEqual(new Date(at('00:10:00')));
  });
});

test('the newest that have ended are kept, as many of each sort as the limits say', () => {
  const jobs = [
    ...['00:01', '00:05', '00:03', '00:04'].map((time) => job(at(`${time}:00`), 'Complete')),
    ...['00:02', '00:06'].map((time) => job(at(`${time}:00`), 'Failed')),
    job(at('00:10:00')),
  ];
  const plan = planOf(cronJob({ successfulJobsHistoryLimit: 2, failedJobsHistoryLimit: 1 }), jobs, now);
  expect(times(plan.kept)).toEqual(['00:10', '00:05', '00:04', '00:06']);
  expect(plan.active).toEqual([job(at('00:10:00')).metadata.name]);
  expect(planOf(cronJob({ successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 0 }), jobs, now).kept).toHaveLength(1);
});

test('a Job without its time, which somebody has taken away, is the oldest', () => {
  const nameless = job(at('00:09:00'), 'Complete');
  const { annotations: _, ...metadata } = nameless.metadata;
  const plan = planOf(cronJob({ successfulJobsHistoryLimit: 1 }), [{ ...nameless, metadata }, job(at('00:01:00'), 'Complete')], now);
  expect(times(plan.kept)).toEqual(['00:01']);
});
