import { FakeClock, type InProcessCluster, mergePatch, type RunningOperator, TestCluster } from '@keelson/testing';
import { EventsV1Event, Job, Pod } from 'keelson/kinds';
import { CronJob } from './cron-job.js';
import { operator } from './cronjob-operator.js';
import { SCHEDULED_AT_ANNOTATION } from './jobs.js';

// #region start
let cluster: InProcessCluster<FakeClock>;
let running: RunningOperator;
beforeEach(async () => {
  const clock = new FakeClock('2030-01-01T00:00:30Z');
  cluster = await TestCluster.start({ operator, workloads: { completeAfter: 'never' }, clock, namespace: 'shop' });
  running = await cluster.startOperator();
});
afterEach(() => cluster.close());

/** Time passes, and everybody does what is to be done then. */
async function pass(span: '1m' | '30s' | '29s' | '1s' | '10m'): Promise<void> {
  cluster.clock.advance(span);
  await cluster.settled();
}
// #endregion

type Spec = Parameters<typeof CronJob>[0]['spec'];
const template = { spec: { containers: [{ name: 'report', image: 'report:1' }] } };

/** Each minute, and a Job that runs until the test ends it. */
async function createCronJob(change: Partial<Spec> = {}): Promise<void> {
  await cluster.create(
    CronJob({ metadata: { name: 'report' }, spec: { schedule: {}, jobTemplate: { spec: { template, backoffLimit: 0 } }, ...change } }),
  );
  await cluster.settled();
}

/** The minutes of the Jobs that are there, in order. */
async function minutes(): Promise<string[]> {
  const jobs = await cluster.list(Job);
  return jobs.map(({ metadata }) => metadata.annotations?.[SCHEDULED_AT_ANNOTATION]?.slice(11, 16) ?? '').sort();
}

/** All Pods that run come to this end. */
async function end(how: 'succeed' | 'fail'): Promise<void> {
  for (const { metadata, status } of await cluster.list(Pod)) {
    if (status?.phase === 'Running') await cluster.pods[how](metadata.name);
  }
  await cluster.settled();
}

// #region minute
test('a Job is made at each time, neither before nor after it', async () => {
  await createCronJob();
  await pass('29s');
  expect(await minutes()).toEqual([]);
  await pass('1s');
  expect(await minutes()).toEqual(['00:01']);
  await pass('1m');
  expect(await minutes()).toEqual(['00:01', '00:02']);
  const { status } = await cluster.get(CronJob, 'report');
  expect(status).toMatchObject({ lastScheduleTime: '2030-01-01T00:02:00.000Z', conditions: [{ type: 'Ready', status: 'True' }] });
  expect(status?.active).toEqual((await cluster.list(Job)).map(({ metadata }) => metadata.name).sort());
});
// #endregion

test('Jobs that have ended are counted no longer, and go when there are too many', async () => {
  await createCronJob({ successfulJobsHistoryLimit: 2, failedJobsHistoryLimit: 1 });
  for (const how of ['succeed', 'fail', 'succeed', 'fail', 'succeed'] as const) {
    await pass('1m');
    await end(how);
  }
  expect((await cluster.get(CronJob, 'report')).status?.active).toBeUndefined();
  expect(await minutes()).toEqual(['00:03', '00:04', '00:05']);
});

test('a Job that somebody deletes is not made again', async () => {
  await createCronJob();
  await pass('1m');
  const [job] = await cluster.list(Job);
  await cluster.delete(Job, job?.metadata.name ?? '', { propagationPolicy: 'Background' });
  await cluster.settled();
  expect(await minutes()).toEqual([]);
});

describe('when a Job still runs at the next time', () => {
  test('Forbid: the next one waits for its end', async () => {
    await createCronJob({ concurrencyPolicy: 'Forbid' });
    await pass('1m');
    await pass('1m');
    expect(await minutes()).toEqual(['00:01']);
    await end('succeed');
    expect(await minutes()).toEqual(['00:01', '00:02']);
  });

  test('Replace: it is deleted with its Pods, and then comes the next one', async () => {
    await createCronJob({ concurrencyPolicy: 'Replace' });
    await pass('1m');
    const [pod] = await cluster.list(Pod);
    const name = pod?.metadata.name ?? '';
    // Something holds the Pod: the Job stays for as long, and the next one is not made beside it.
    await cluster.patch(Pod, name, mergePatch({ metadata: { finalizers: ['example.com/held'] } }));
    await pass('1m');
    expect(await minutes()).toEqual(['00:01']);
    expect((await cluster.list(Job)).map(({ metadata }) => metadata.deletionTimestamp !== undefined)).toEqual([true]);
    await cluster.patch(Pod, name, mergePatch({ metadata: { finalizers: null } }));
    await cluster.settled();
    expect(await minutes()).toEqual(['00:02']);
    const pods = await cluster.list(Pod);
    expect(pods).toHaveLength(1);
    expect(pods[0]?.metadata.uid).not.toBe(pod?.metadata.uid);
  });
});

test('suspended, it starts nothing; then the newest time that was missed', async () => {
  await createCronJob({ suspend: true });
  await pass('10m');
  expect(await minutes()).toEqual([]);
  await cluster.patch(CronJob, 'report', mergePatch({ spec: { suspend: false } }));
  await cluster.settled();
  expect(await minutes()).toEqual(['00:10']);
});

// #region outage
test('after an outage one Job makes up for all times; past its deadline none does, and an event says so', async () => {
  await createCronJob({ startingDeadlineSeconds: 40 });
  await running.stop();
  cluster.clock.advance('10m');
  running = await cluster.startOperator();
  await cluster.settled();
  expect(await minutes()).toEqual(['00:10']);

  await running.stop();
  cluster.clock.advance('75s');
  running = await cluster.startOperator();
  await cluster.settled();
  expect(await minutes()).toEqual(['00:10']);
  await cluster.until(async () => {
    const events = await cluster.list(EventsV1Event, { namespace: 'shop' });
    expect(events.filter(({ reason }) => reason === 'MissedSchedule')).toMatchObject([{ regarding: { name: 'report' } }]);
  });
});
// #endregion

describe('one Job for one time', () => {
  test('although the answer to its creation is lost', async () => {
    await createCronJob();
    cluster.faults.drop({ verb: 'create', kind: Job, when: 'after', times: 1 });
    await pass('30s');
    await pass('1s');
    expect(cluster.faults.log).toHaveLength(1);
    expect(await minutes()).toEqual(['00:01']);
  });

  test('although the process ends before the status could be written', async () => {
    await createCronJob();
    cluster.faults.fail({ verb: 'patch', kind: CronJob, subresource: 'status', status: 500 });
    await pass('30s');
    await running.stop();
    expect((await cluster.get(CronJob, 'report')).status?.lastScheduleTime).toBeUndefined();
    cluster.faults.clear();
    running = await cluster.startOperator();
    await cluster.settled();
    expect(await minutes()).toEqual(['00:01']);
    expect((await cluster.get(CronJob, 'report')).status?.lastScheduleTime).toBe('2030-01-01T00:01:00.000Z');
  });
});

// #region versions
test('who writes v1 reads v1, and the operator sees v2', async () => {
  const V1 = CronJob.versions.v1;
  const jobTemplate = { spec: { template } };
  await cluster.create(V1({ metadata: { name: 'old' }, spec: { schedule: '*/5 * * * mon-fri', jobTemplate } }));
  expect((await cluster.get(CronJob, 'old')).spec.schedule).toMatchObject({ minute: '*/5', hour: '*', dayOfWeek: 'mon-fri' });
  expect((await cluster.get(V1, 'old')).spec.schedule).toBe('*/5 * * * mon-fri');
});
// #endregion

test('a schedule that means nothing is refused at its field, in v1 too', async () => {
  await expect(createCronJob({ schedule: { minute: '60' } })).rejects.toThrow('spec.schedule.minute: Invalid value: "60"');
  const old = CronJob.versions.v1({
    metadata: { name: 'old' },
    spec: { schedule: '0 0 30 feb *', jobTemplate: { spec: { template } } },
  });
  await expect(cluster.create(old)).rejects.toThrow('spec.schedule: Invalid value: "0 0 30 feb *": must come some time');
});

test.each<[string, Partial<Spec>, string]>([
  ['a schedule with a letter that is not cron', { schedule: { minute: '5;' } }, 'spec.schedule.minute'],
  ['no Job', { jobTemplate: {} }, 'spec.jobTemplate.spec: Required value: must say what the Job runs'],
  ['a limit below nothing', { failedJobsHistoryLimit: -1 }, 'spec.failedJobsHistoryLimit'],
])('%s is refused by the schema', async (_, change, message) => {
  await expect(createCronJob(change)).rejects.toThrow(message);
});

test('a name that would be too long for its Jobs is refused', async () => {
  const spec = { schedule: {}, jobTemplate: { spec: { template } } };
  await expect(cluster.create(CronJob({ metadata: { name: 'a'.repeat(53) }, spec }))).rejects.toThrow('at most 52 characters');
});

test('Pods that say nothing of restarts restart on failure', async () => {
  await createCronJob();
  expect((await cluster.get(CronJob, 'report')).spec.jobTemplate.spec?.template.spec?.restartPolicy).toBe('OnFailure');
});

// #region quiet
test('between two times nothing is written, after a restart neither, and nothing was refused', async () => {
  await createCronJob();
  await pass('30s');
  const { mark } = cluster.requests;
  await pass('29s');
  await running.stop();
  running = await cluster.startOperator();
  await cluster.settled();
  cluster.requests.since(mark).expectNoWrites();
  cluster.requests.expectNoneDenied();
});
// #endregion
