import { type ExplorationStage, explore } from '@keelson/testing';
import { Job } from 'keelson/kinds';
import { CronJob } from './cron-job.js';
import { operator } from './cronjob-operator.js';
import { stateOf } from './jobs.js';

const template = { spec: { containers: [{ name: 'report', image: 'report:1' }] } };
const lastTime = async ({ cluster }: ExplorationStage<unknown>) => (await cluster.find(CronJob, 'report'))?.status?.lastScheduleTime ?? '';

/** A minute comes, whenever this began, and with it a Job. */
async function aMinute(stage: ExplorationStage<unknown>): Promise<void> {
  const before = await lastTime(stage);
  await stage.pass('65s');
  await stage.until('a newer time has its Job', async () => (await lastTime(stage)) > before);
}

// #region explore
test('whatever goes wrong, each time has one Job at most, none starts beside another, and the newest is made up for', async () => {
  const made = new Map<string, string>();
  await explore(operator, {
    story: ({ apply, change, disturb, pass }) => [
      // At each minute; a Job takes twenty seconds.
      apply(
        CronJob({
          metadata: { name: 'report' },
          spec: { schedule: {}, concurrencyPolicy: 'Forbid', jobTemplate: { spec: { template } } },
        }),
      ),
      disturb('a minute comes', aMinute),
      change(CronJob, 'report', { spec: { successfulJobsHistoryLimit: 1 } }),
      disturb('another minute comes', aMinute),
      change(CronJob, 'report', { spec: { suspend: true } }),
      pass('3m'),
      change(CronJob, 'report', { spec: { suspend: false } }),
      disturb('a minute comes after the pause', aMinute),
      disturb('somebody deletes the newest Job', async ({ cluster }) => {
        const newest = (await cluster.list(Job)).toSorted((a, b) => (a.metadata.name < b.metadata.name ? 1 : -1))[0];
        if (newest !== undefined) await cluster.delete(Job, newest.metadata.name, { propagationPolicy: 'Background' });
      }),
      change(CronJob, 'report', { spec: { suspend: true, successfulJobsHistoryLimit: 0 } }),
      pass('1m'),
    ],
    async invariant({ cluster }) {
      const jobs = await cluster.list(Job);
      expect(jobs.filter((job) => stateOf(job) === 'active').length).toBeLessThanOrEqual(1);
      // The name is that of the time: what was made for it once is not made again.
      for (const { metadata } of jobs) {
        const key = `${metadata.namespace}/${metadata.name}`;
        expect([key, made.get(key) ?? metadata.uid]).toEqual([key, metadata.uid]);
        made.set(key, metadata.uid);
      }
    },
    workloads: { completeAfter: '20s' },
    // Each run has other times, and so have the names of its Jobs; the invariant counts them.
    ignore: ['status.lastScheduleTime', 'metadata.annotations'],
    judges: { fresh: false, made: false, deleted: false },
    seeds: 2,
  });
});
// #endregion
