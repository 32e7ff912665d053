import { type Fields, namespaced, type Step, type Story, story } from '../stories/story.js';
import { messageOf, StoryServer, type Told } from '../stories/story-server.js';

const metadata = { name: 'a' };
const jobSpec = { template: { spec: { containers: [{ name: 'main', image: 'x:1' }], restartPolicy: 'Never' } } };

function job(spec: Fields, steps: readonly Step[] = []): Story {
  return story(namespaced('batch/v1', 'Job', 'jobs'), 'a', { metadata, spec: { ...jobSpec, ...spec } }, ...steps);
}

function cronJob(schedule: string): Story {
  return story(namespaced('batch/v1', 'CronJob', 'cronjobs'), 'a', { metadata, spec: { schedule, jobTemplate: { spec: jobSpec } } });
}

const tell = (told: Story): Promise<readonly Told[]> => new StoryServer().tell(told);

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

test('a pod failure policy may leave out the exit code 0, and not name it', async () => {
  const failing = (operator: string) =>
    job({ podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator, values: [0, 1] } }] } });
  expect((await tell(failing('NotIn')))[0]?.status).toBe(201);
  expect(messageOf((await tell(failing('In')))[0])).toContain('values[0]: Invalid value: 0: must not be 0 for the In operator');
});

test('pods of a Job stay where nobody says, with a warning', async () => {
  const [, deleted, kept] = await tell(job({}, [{ delete: {} }, { get: '' }]));
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
