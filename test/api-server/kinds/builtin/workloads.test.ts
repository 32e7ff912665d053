import type { Story } from './cases/story.js';
import { InProcess, type Told } from './in-process.js';

const labels = { app: 'a' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'x:1' }] } };

function story(kind: 'Deployment' | 'StatefulSet', spec: Story['object'], steps: Story['steps'] = []): Story {
  const plural = `${kind.toLowerCase()}s`;
  return {
    title: 'a',
    apiVersion: 'apps/v1',
    kind,
    plural,
    object: { spec: { selector: { matchLabels: labels }, template, ...spec } },
    steps,
  };
}

function job(spec: Story['object'], steps: Story['steps'] = []): Story {
  const podTemplate = { spec: { ...template.spec, restartPolicy: 'Never' } };
  return { title: 'a', apiVersion: 'batch/v1', kind: 'Job', plural: 'jobs', object: { spec: { template: podTemplate, ...spec } }, steps };
}

function cronJob(schedule: string): Story {
  const { object, ...rest } = job({});
  return { ...rest, kind: 'CronJob', plural: 'cronjobs', object: { spec: { schedule, jobTemplate: { spec: object['spec'] ?? null } } } };
}

const tell = (told: Story): Promise<readonly Told[]> => new InProcess().tell(told);
const messageOf = ({ body }: Told | undefined = { status: 0, body: null, warnings: [] }): string => (body as { message: string }).message;

test('a Deployment rolls by a quarter unless it says otherwise', async () => {
  const [created] = await tell(story('Deployment', {}));
  expect(created?.body).toMatchObject({
    spec: {
      replicas: 1,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
    },
    status: {},
    metadata: { generation: 1 },
  });
});

test('a selector has to select, and cannot change', async () => {
  const [mismatch] = await tell(story('Deployment', { selector: { matchLabels: { app: 'b' } } }));
  expect(messageOf(mismatch)).toBe(
    'Deployment.apps "a" is invalid: spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
  );
  const patch = { spec: { selector: { matchLabels: { b: 'c' } }, template: { metadata: { labels: { b: 'c' } } } } };
  const [, changed] = await tell(story('Deployment', {}, [{ patch }]));
  expect(messageOf(changed)).toBe(
    'Deployment.apps "a" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"a","b":"c"}}: field is immutable',
  );
});

test('annotations of a Deployment are work for its controller, labels are not', async () => {
  const [, labelled, annotated] = await tell(
    story('Deployment', {}, [{ patch: { metadata: { labels: { x: 'y' } } } }, { patch: { metadata: { annotations: { x: 'y' } } } }]),
  );
  expect(labelled?.body).toMatchObject({ metadata: { generation: 1 } });
  expect(annotated?.body).toMatchObject({ metadata: { generation: 2 } });
});

test('the status is written at its own place alone', async () => {
  const [, ignored, written] = await tell(
    story('Deployment', {}, [
      { patch: { status: { replicas: 3 } } },
      { subresource: 'status', patch: { status: { replicas: 3 }, spec: { replicas: 9 }, metadata: { labels: { x: 'y' } } } },
    ]),
  );
  expect(ignored?.body).toMatchObject({ status: {} });
  expect(written?.body).toMatchObject({ status: { replicas: 3 }, spec: { replicas: 1 }, metadata: { generation: 1 } });
  expect(written?.body).not.toMatchObject({ metadata: { labels: { x: 'y' } } });
});

test('little of a StatefulSet can change', async () => {
  const [, changed] = await tell(story('StatefulSet', { serviceName: 'a' }, [{ patch: { spec: { serviceName: 'b' } } }]));
  expect(messageOf(changed)).toBe(
    `StatefulSet.apps "a" is invalid: spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden`,
  );
});

test('a Job selects the pods of its uid', async () => {
  const [created] = await tell(job({}));
  const { metadata, spec } = (created?.body ?? {}) as {
    metadata: { uid: string };
    spec: { selector: object; template: { metadata: object } };
  };
  expect(spec.selector).toEqual({ matchLabels: { 'batch.kubernetes.io/controller-uid': metadata.uid } });
  expect(spec.template.metadata).toEqual({
    labels: {
      'batch.kubernetes.io/controller-uid': metadata.uid,
      'batch.kubernetes.io/job-name': 'a',
      'controller-uid': metadata.uid,
      'job-name': 'a',
    },
  });
});

test('the template of a Job cannot change, and is told with the names of Go', async () => {
  const [, changed] = await tell(job({}, [{ patch: { spec: { template: { spec: { hostname: 'x' } } } } }]));
  expect(messageOf(changed)).toMatch(
    /spec\.template: Invalid value: \{"labels":\{.*\},"Spec":\{"Volumes":null,.*"Hostname":"x",.*: field is immutable$/,
  );
});

test('pods of a Job stay where nobody says, with a warning', async () => {
  const [, deleted, kept] = await tell(job({}, [{ delete: {} }, { get: 'object' }]));
  expect(deleted?.warnings).toEqual([expect.stringContaining('child pods are preserved by default')]);
  expect(kept?.body).toMatchObject({ metadata: { finalizers: ['orphan'] } });
});

test.each([
  ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
  ['60 * * * *', 'end of range (60) above maximum (59): 60'],
  ['* * * * 7', 'end of range (7) above maximum (6): 7'],
  ['a * * * *', 'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax'],
  ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
  ['*/0 * * * *', 'step of range should be a positive number: */0'],
  ['@sometimes', 'unrecognized descriptor: @sometimes'],
  ['@every x', 'failed to parse duration @every x: time: invalid duration "x"'],
])('the schedule %j is refused', async (schedule, text) => {
  const [refused] = await tell(cronJob(schedule));
  expect(messageOf(refused)).toBe(`CronJob.batch "a" is invalid: spec.schedule: Invalid value: ${JSON.stringify(schedule)}: ${text}`);
});

test.each(['*/5 * * * *', '0 0 1,15 jan,FEB mon-fri', '@hourly', '@every 1h30m', '? ? ? ? ?', '1/2 * * * *'])(
  'the schedule %j is taken',
  async (schedule) => {
    const [created] = await tell(cronJob(schedule));
    expect(created?.status).toBe(201);
  },
);
