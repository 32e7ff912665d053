import { reconcileOnce } from '@keelson/testing';
import { cronJobController } from './controller.js';
import { cronJob, job } from './cron-job-objects.js';

const now = new Date('2030-01-01T00:10:00Z');
const name = `report-${now.getTime() / 60_000}`;

// #region once
test('at its time a Job is made, and the next run is asked for at the next time', async () => {
  const { owned, status, requeueAt } = await reconcileOnce(cronJobController, { object: cronJob(), now });
  expect(owned?.['jobs']).toMatchObject([{ metadata: { name }, spec: { template: { spec: { restartPolicy: 'OnFailure' } } } }]);
  expect(status).toEqual({ active: [name], lastScheduleTime: '2030-01-01T00:10:00.000Z' });
  expect(requeueAt).toEqual(new Date('2030-01-01T00:11:00Z'));
});
// #endregion

test('labels and annotations of the template are those of the Job', async () => {
  const metadata = { labels: { team: 'a' }, annotations: { note: 'b' } };
  const { jobTemplate } = cronJob().spec;
  const { owned } = await reconcileOnce(cronJobController, { object: cronJob({ jobTemplate: { ...jobTemplate, metadata } }), now });
  expect(owned?.['jobs']?.[0]?.metadata).toMatchObject({
    labels: { team: 'a' },
    annotations: { note: 'b', 'batch.example.com/scheduled-at': '2030-01-01T00:10:00.000Z' },
  });
});

test('the same observation gives the same outcome, in whatever order the Jobs come', async () => {
  const jobs = [job('2030-01-01T00:08:00Z', 'Complete'), job('2030-01-01T00:09:00Z'), job('2030-01-01T00:07:00Z')];
  const [one, other] = await Promise.all(
    [jobs, jobs.toReversed()].map((given) => reconcileOnce(cronJobController, { object: cronJob(), jobs: given, now })),
  );
  expect(one?.status).toEqual(other?.status);
  expect(one?.status?.['active']).toEqual([`report-${now.getTime() / 60_000 - 3}`, `report-${now.getTime() / 60_000 - 1}`, name]);
});

test('a time whose deadline is over is told in an event, and counted', async () => {
  const object = cronJob({ startingDeadlineSeconds: 10, status: { lastScheduleTime: '2030-01-01T00:08:00Z' } });
  const late = new Date('2030-01-01T00:10:11Z');
  const { owned, status, events, metrics } = await reconcileOnce(cronJobController, { object, now: late });
  expect(owned).toEqual({ jobs: [] });
  expect(status).toEqual({ lastScheduleTime: '2030-01-01T00:08:00.000Z' });
  expect(events).toEqual([
    { type: 'Warning', reason: 'MissedSchedule', note: 'the Job of 2030-01-01T00:10:00.000Z was not started before its deadline' },
  ]);
  expect(metrics).toEqual([{ handle: 'missedSchedules', verb: 'inc', labels: {} }]);
});

test('the setting is the deadline of a CronJob that names none', async () => {
  const late = new Date('2030-01-01T00:10:11Z');
  const eventsWith = async (spec: Parameters<typeof cronJob>[0]) => {
    const object = cronJob({ ...spec, status: { lastScheduleTime: '2030-01-01T00:08:00Z' } });
    return (await reconcileOnce(cronJobController, { object, now: late, config: { deadlineSeconds: 10 } })).events;
  };
  expect(await eventsWith({})).toHaveLength(1);
  expect(await eventsWith({ startingDeadlineSeconds: 20 })).toEqual([]);
});
