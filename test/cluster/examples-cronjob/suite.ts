import { mergePatch, type RunningOperator } from '@keelson/testing';
import type { PolicyRule } from 'keelson';
import { ClusterRole, EventsV1Event, Job, Pod, Role, Secret } from 'keelson/kinds';
import { CronJob } from '../../../examples/cronjob/cron-job.js';
import { operator } from '../../../examples/cronjob/cronjob-operator.js';
import { SCHEDULED_AT_ANNOTATION } from '../../../examples/cronjob/jobs.js';
import { MemoryLog } from '../../runtime/harness/running-controller.js';
import { unusedRights } from '../examples-harness/index.js';
import { retryRefused } from '../harness/retry-refused.js';
import type { World } from './world.js';

type Spec = Parameters<typeof CronJob>[0]['spec'];

const NAME = operator.name;
const NAMESPACE = `${NAME}-system`;
const ACCOUNT = `system:serviceaccount:${NAMESPACE}:${NAME}`;
const MINUTE_MS = 60_000;

/** A whole minute some minutes ago. */
const ago = (minutes: number): Date => new Date(Math.floor(Date.now() / MINUTE_MS - minutes) * MINUTE_MS);
/** Comes once a day: within a test at this time and at no other. */
const dailyAt = (time: Date) => ({ minute: `${time.getUTCMinutes()}`, hour: `${time.getUTCHours()}` });
const jobTemplate = (image: string) => ({ spec: { backoffLimit: 0, template: { spec: { containers: [{ name: 'report', image }] } } } });

/** What the cronjob example does, told by what the API shows: the same in the process and on real binaries, under exactly the rights of its manifests. */
export function cronJobSuite(start: () => Promise<World>): void {
  let world: World;
  let cluster: World['cluster'];
  let running: RunningOperator;
  const log = new MemoryLog();
  beforeAll(async () => {
    world = await start();
    cluster = world.cluster;
    running = await cluster.startOperator({ log });
    await webhooksInForce(cluster);
  });
  afterAll(() => world?.close());

  /** A CronJob that has been there for an hour: what was due two minutes ago is due now. */
  const createOld = async (name: string, time: Date, { image = 'good:1', ...change }: Partial<Spec> & { readonly image?: string } = {}) => {
    const spec = { schedule: dailyAt(time), jobTemplate: jobTemplate(image), suspend: true, ...change };
    await cluster.create(CronJob({ metadata: { name }, spec }));
    await cluster.until(CronJob, name, { status: { conditions: [{ type: 'Ready', status: 'True' }] } });
    await cluster.patchStatus(CronJob, name, { lastScheduleTime: ago(60).toISOString() });
    await cluster.patch(CronJob, name, mergePatch({ spec: { suspend: false } }));
  };
  const comesAt = (name: string, time: Date) => cluster.patch(CronJob, name, mergePatch({ spec: { schedule: dailyAt(time) } }));
  const jobOf = (name: string, time: Date) => `${name}-${time.getTime() / MINUTE_MS}`;
  const isOver = (how: 'Complete' | 'Failed') => ({ status: { conditions: [{ type: how, status: 'True' }] } }) as const;
  const isLast = (time: Date) => ({ status: { lastScheduleTime: time.toISOString() } });

  test('a Job is made for its time, is counted while it runs, and is kept when it has ended', async () => {
    const [time, held] = [ago(2), world.hold('held:1')];
    await createOld('first', time, { image: 'held:1' });
    const name = jobOf('first', time);
    await cluster.until(CronJob, 'first', { status: { active: [name], lastScheduleTime: time.toISOString() } });
    const { metadata, spec } = await cluster.get(Job, name);
    expect(metadata.annotations?.[SCHEDULED_AT_ANNOTATION]).toBe(time.toISOString());
    expect(metadata.ownerReferences).toMatchObject([{ kind: 'CronJob', name: 'first', controller: true, blockOwnerDeletion: true }]);
    expect(spec?.template.spec?.restartPolicy).toBe('OnFailure');
    held.release();
    await cluster.until(Job, name, isOver('Complete'));
    await cluster.until(CronJob, 'first', ({ status }) => status?.active === undefined && status?.lastScheduleTime === time.toISOString());
  });

  test('a Job that somebody deletes is not made again', async () => {
    const time = ago(2);
    await createOld('deleted', time);
    await cluster.until(Job, jobOf('deleted', time), isOver('Complete'));
    await cluster.delete(Job, jobOf('deleted', time), { propagationPolicy: 'Background' });
    await cluster.until(Job, jobOf('deleted', time), 'absent');
    await cluster.patch(CronJob, 'deleted', mergePatch({ metadata: { annotations: { touched: 'yes' } } }));
    await cluster.settled();
    await expect(cluster.find(Job, jobOf('deleted', time))).resolves.toBeUndefined();
  });

  test('of those that have ended the newest are kept', async () => {
    const times = [ago(5), ago(4), ago(3)] as const;
    await createOld('history', times[0], { successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 0 });
    await cluster.until(Job, jobOf('history', times[0]), isOver('Complete'));
    await comesAt('history', times[1]);
    await cluster.until(Job, jobOf('history', times[0]), 'absent');
    await cluster.until(Job, jobOf('history', times[1]), isOver('Complete'));
    const failing = { jobTemplate: jobTemplate('bad:1'), schedule: dailyAt(times[2]) };
    await cluster.patch(CronJob, 'history', mergePatch({ spec: failing }));
    await cluster.until(CronJob, 'history', isLast(times[2]));
    await world.fail(jobOf('history', times[2]));
    await cluster.until(Job, jobOf('history', times[2]), 'absent');
    expect((await cluster.get(Job, jobOf('history', times[1]))).status?.succeeded).toBe(1);
  });

  test('Forbid: the next Job waits for the end of the one before', async () => {
    const [first, second, held] = [ago(4), ago(2), world.hold('held:2')];
    await createOld('forbid', first, { concurrencyPolicy: 'Forbid', image: 'held:2' });
    await cluster.until(CronJob, 'forbid', isLast(first));
    await comesAt('forbid', second);
    await cluster.settled();
    await expect(cluster.find(Job, jobOf('forbid', second))).resolves.toBeUndefined();
    held.release();
    await cluster.until(Job, jobOf('forbid', second), isOver('Complete'));
  });

  test('Replace: the Job before goes with its Pods, and then comes the next one', async () => {
    const [first, second, held] = [ago(4), ago(2), world.hold('held:3')];
    await createOld('replace', first, { concurrencyPolicy: 'Replace', image: 'held:3' });
    const podsOf = (time: Date) => ({ labels: { 'batch.kubernetes.io/job-name': jobOf('replace', time) } });
    await cluster.until(async () => (await cluster.list(Pod, podsOf(first))).length === 1);
    await comesAt('replace', second);
    await cluster.until(CronJob, 'replace', isLast(second));
    await expect(cluster.find(Job, jobOf('replace', first))).resolves.toBeUndefined();
    expect(await cluster.list(Pod, podsOf(first))).toEqual([]);
    held.release();
    await cluster.until(Job, jobOf('replace', second), isOver('Complete'));
  });

  test('a time whose deadline is over gets no Job, and events that are counted', async () => {
    const time = ago(3);
    await createOld('late', time, { startingDeadlineSeconds: 1 });
    const events = async () => {
      const all = await cluster.list(EventsV1Event, { namespace: cluster.namespace });
      return all.filter(({ regarding, reason }) => regarding?.name === 'late' && reason === 'MissedSchedule');
    };
    await cluster.until(async () => (await events()).length === 1);
    await cluster.patch(CronJob, 'late', mergePatch({ metadata: { annotations: { touched: 'yes' } } }));
    await cluster.until(async () => (await events())[0]?.series?.count === 2);
    await expect(cluster.find(Job, jobOf('late', time))).resolves.toBeUndefined();
    // Each look at it is one event more.
    await cluster.delete(CronJob, 'late');
  });

  test('v1 is read as it was written; what is stored is v2, and makes Jobs', async () => {
    const [time, V1] = [ago(2), CronJob.versions.v1];
    const schedule = `${time.getUTCMinutes()} ${time.getUTCHours()} * * *`;
    await cluster.create(V1({ metadata: { name: 'lines' }, spec: { schedule, suspend: true, jobTemplate: jobTemplate('good:1') } }));
    expect((await cluster.get(V1, 'lines')).spec.schedule).toBe(schedule);
    expect((await cluster.get(CronJob, 'lines')).spec.schedule).toMatchObject({ ...dailyAt(time), month: '*' });
    await cluster.patchStatus(V1, 'lines', { lastScheduleTime: ago(60).toISOString() });
    await cluster.patch(V1, 'lines', mergePatch({ spec: { suspend: false } }));
    await cluster.until(Job, jobOf('lines', time), 'present');
  });

  test('a schedule that means nothing is refused at its field', async () => {
    const spec = { schedule: { minute: '60' }, jobTemplate: jobTemplate('good:1') };
    await expect(cluster.create(CronJob({ metadata: { name: 'wrong' }, spec }))).rejects.toMatchObject({
      status: { code: 422 },
      message: expect.stringContaining('spec.schedule.minute: Invalid value: "60": Invalid value for minute: 60'),
    });
  });

  test('a CronJob that is deleted takes its Jobs along', async () => {
    const time = ago(2);
    await createOld('gone', time);
    await cluster.until(Job, jobOf('gone', time), isOver('Complete'));
    await cluster.delete(CronJob, 'gone');
    await cluster.until(Job, jobOf('gone', time), 'absent');
  });

  test('an operator that is started again writes nothing', async () => {
    await cluster.settled();
    await running.stop();
    const { mark } = cluster.requests;
    running = await cluster.startOperator({ log });
    await cluster.until(() => running.readinessProblems.length === 0);
    await cluster.settled();
    cluster.requests.since(mark).byUser(ACCOUNT).expectNoWrites();
  });

  test('nothing was refused, and every right that is granted has been used', async () => {
    await running.stop();
    // Somebody damages the certificate: it is issued anew.
    const damaged = mergePatch({ data: { 'tls.crt': Buffer.from('damaged').toString('base64') } });
    await cluster.patch(Secret, `${NAMESPACE}/${NAME}-certificate`, damaged);
    world.age?.();
    running = await cluster.startOperator({ log, settings: { leaseName: NAME } });
    await cluster.until(() => running.isLeader && running.isIdle);
    await running.stop();
    const requests = cluster.requests.byUser(ACCOUNT);
    requests.expectNoneDenied();
    const roles = [await cluster.get(ClusterRole, NAME), await cluster.get(Role, `${NAMESPACE}/${NAME}-runtime`)];
    const rules = roles.flatMap(({ rules: granted = [] }) => granted) as PolicyRule[];
    expect(unusedRights(rules, requests)).toEqual([...OF_SECURED_METRICS, ...ASKED_BY_A_PLUGIN]);
  });
}

/** Docs: docs/decisions/014-rights-in-use.md. Nobody scrapes an operator that runs in a test. */
const OF_SECURED_METRICS = ['create subjectaccessreviews.authorization.k8s.io', 'create tokenreviews.authentication.k8s.io'];
/** It asks the authorizer itself, which no log of requests shows. */
const ASKED_BY_A_PLUGIN = ['update cronjobs/finalizers.batch.example.com'];

/**
 * A server takes up what it is to trust a moment after that was written: until then a call of a webhook fails with 500. It answers 503 while it makes the storage
 * of the definition anew, which has just been given the certificate of its conversions.
 */
async function webhooksInForce(cluster: World['cluster']): Promise<void> {
  const probe = CronJob({ metadata: { name: 'probe' }, spec: { schedule: {}, jobTemplate: jobTemplate('good:1') } });
  const ask = async () => {
    await cluster.create(probe, { dryRun: true });
    await cluster.list(CronJob.versions.v1);
  };
  await retryRefused(ask, { codes: [500, 503] });
}
