import { admit } from '@keelson/testing';
import type { CronJob } from './cron-job.js';
import { cronJob } from './cron-job-objects.js';
import { restartPolicy, scheduleChecks } from './webhooks.js';

const bad = cronJob({ schedule: { minute: '60' } });

test('a schedule is checked when it is new, and when it changes', async () => {
  expect(await admit(scheduleChecks, { object: cronJob() })).toMatchObject({ allowed: true, causes: [] });
  const { allowed, causes } = await admit(scheduleChecks, { object: bad });
  expect(allowed).toBe(false);
  expect(causes).toMatchObject([{ field: 'spec.schedule.minute', message: expect.stringContaining('Invalid value for minute: 60') }]);
  expect((await admit(scheduleChecks, { object: bad, old: cronJob() })).causes).toHaveLength(1);
});

test('one that was there before stays, so that its CronJob can be suspended and deleted', async () => {
  const suspended = cronJob({ schedule: { minute: '60' }, suspend: true });
  expect(await admit(scheduleChecks, { object: suspended, old: bad })).toMatchObject({ allowed: true });
});

test('the restart policy is filled in, and left alone when it is there', async () => {
  const podsOf = (object: CronJob | undefined) => object?.spec.jobTemplate.spec?.template.spec;
  const without = structuredClone(cronJob()) as CronJob;
  delete (podsOf(without) as { restartPolicy?: string }).restartPolicy;
  expect(podsOf((await admit(restartPolicy, { object: without })).object)?.restartPolicy).toBe('OnFailure');
  const never = structuredClone(cronJob()) as CronJob;
  Object.assign(podsOf(never) ?? {}, { restartPolicy: 'Never' });
  expect(podsOf((await admit(restartPolicy, { object: never })).object)?.restartPolicy).toBe('Never');
});

test('a template without Pods is for the schema to refuse', async () => {
  const { object } = await admit(restartPolicy, { object: cronJob({ jobTemplate: {} }) });
  expect(object?.spec.jobTemplate).toEqual({});
});
