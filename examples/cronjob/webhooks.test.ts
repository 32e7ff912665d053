import type { Refusal, Webhook } from 'keelson';
import type { CronJob } from './cron-job.js';
import { cronJob } from './cron-job-objects.js';
import { restartPolicy, scheduleChecks } from './webhooks.js';

type Check = (object: CronJob, context: { old: CronJob | undefined }) => readonly Refusal[];

function judge(webhook: Webhook, object: CronJob, old?: CronJob): readonly Refusal[] {
  const { create, update } = webhook.handle as { create: Check; update: Check };
  return (old === undefined ? create : update)(object, { old });
}

const bad = cronJob({ schedule: { minute: '60' } });

test('a schedule is checked when it is new, and when it changes', () => {
  expect(judge(scheduleChecks, cronJob())).toEqual([]);
  expect(judge(scheduleChecks, bad)).toEqual([{ path: 'spec.schedule.minute', message: 'Invalid value for minute: 60' }]);
  expect(judge(scheduleChecks, bad, cronJob())).toHaveLength(1);
});

test('one that was there before stays, so that its CronJob can be suspended and deleted', () => {
  expect(judge(scheduleChecks, cronJob({ schedule: { minute: '60' }, suspend: true }), bad)).toEqual([]);
});

test('the restart policy is filled in, and left alone when it is there', () => {
  const complete = restartPolicy.handle as (object: CronJob) => void;
  const podsOf = ({ spec }: CronJob) => spec.jobTemplate.spec?.template.spec;
  const without = structuredClone(cronJob()) as CronJob;
  delete (podsOf(without) as { restartPolicy?: string }).restartPolicy;
  complete(without);
  expect(podsOf(without)?.restartPolicy).toBe('OnFailure');
  const never = structuredClone(cronJob()) as CronJob;
  Object.assign(podsOf(never) ?? {}, { restartPolicy: 'Never' });
  complete(never);
  expect(podsOf(never)?.restartPolicy).toBe('Never');
});

test('a template without Pods is for the schema to refuse', () => {
  const complete = restartPolicy.handle as (object: CronJob) => void;
  const empty = cronJob({ jobTemplate: {} });
  complete(empty);
  expect(empty.spec.jobTemplate).toEqual({});
});
