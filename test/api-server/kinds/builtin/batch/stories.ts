import type { Json } from '../../../../../src/kubernetes/apimachinery/index.js';
import { type Fields, namespaced, type Step, type Story, story } from '../stories/story.js';

const podSpec = { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox:1' }] };
const template = { spec: podSpec };
interface More {
  readonly metadata?: Json;
  readonly steps?: readonly Step[];
}

const jobs = namespaced('batch/v1', 'Job', 'jobs');
const cronJobs = { ...jobs, kind: 'CronJob', plural: 'cronjobs' };

function job(title: string, spec: Fields = {}, { steps = [], ...rest }: More = {}): Story {
  return story(jobs, title, { ...rest, spec: { template, ...spec } }, ...steps);
}

function cronJob(title: string, spec: Fields = {}, { steps = [], ...rest }: More = {}): Story {
  return story(cronJobs, title, { ...rest, spec: { schedule: '*/5 * * * *', jobTemplate: { spec: { template } }, ...spec } }, ...steps);
}

const SCHEDULES = [
  '@hourly',
  '@every 1h30m',
  '@every x',
  '@sometimes',
  '0 0 * * MON-FRI',
  '0 0 1,15 jan,FEB *',
  '* * * *',
  '* * * * * *',
  '60 * * * *',
  '* 24 * * *',
  '* * 0 * *',
  '* * * 13 *',
  '* * * * 7',
  'a * * * *',
  '5-1 * * * *',
  '1-2-3 * * * *',
  '*/0 * * * *',
  '*/x * * * *',
  '1/2/3 * * * *',
  '-5 * * * *',
  '99999999999999999999 * * * *',
  '? ? ? ? ?',
  'TZ=UTC * * * * *',
  'CRON_TZ=Nowhere/Land * * * * *',
];

export const batchStories: readonly Story[] = [
  job('smallest', {}, { metadata: { generation: 4 } }),
  job('labels', { template: { metadata: { labels: { a: 'b' } }, spec: podSpec } }),
  job('restart policy', { template: { spec: { containers: podSpec.containers } } }),
  job('restart policy unknown', { template: { spec: { ...podSpec, restartPolicy: 'X' } } }),
  job('manual selector', {
    manualSelector: true,
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: podSpec },
  }),
  job('manual without selector', { manualSelector: true }),
  job('selector of a client', { selector: { matchLabels: { a: 'b' } } }),
  job('labels of others', {
    template: { metadata: { labels: { 'job-name': 'other', 'batch.kubernetes.io/controller-uid': 'x' } }, spec: podSpec },
  }),
  job('negative', { parallelism: -1, completions: -1, backoffLimit: -1, activeDeadlineSeconds: -1, ttlSecondsAfterFinished: -1 }),
  job('indexed', { completionMode: 'Indexed', completions: 3, backoffLimitPerIndex: 1, maxFailedIndexes: 1 }),
  job('indexed without completions', { completionMode: 'Indexed', maxFailedIndexes: 5 }),
  job('indexed too much', { completionMode: 'Indexed', completions: 200_000, parallelism: 200_000, backoffLimitPerIndex: 1 }),
  job('not indexed', { backoffLimitPerIndex: 1, maxFailedIndexes: 1, completionMode: 'Odd' }),
  job('not indexed limits', { backoffLimitPerIndex: 1, maxFailedIndexes: 1 }),
  job('failure policy', {
    podFailurePolicy: {
      rules: [
        { action: 'FailJob', onExitCodes: { operator: 'In', values: [1, 2] } },
        { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] },
      ],
    },
  }),
  job('bad failure policy', {
    podReplacementPolicy: 'TerminatingOrFailed',
    podFailurePolicy: {
      rules: [
        { action: '', onExitCodes: { operator: '', values: [] } },
        {
          action: 'Odd',
          onExitCodes: { operator: 'In', values: [3, 0, 3], containerName: 'x' },
          onPodConditions: [{ type: 'a b', status: 'X' }],
        },
        { action: 'FailIndex' },
      ],
    },
    template: { spec: { ...podSpec, restartPolicy: 'OnFailure' } },
  }),
  job('success policy', {
    completionMode: 'Indexed',
    completions: 3,
    successPolicy: {
      rules: [
        { succeededIndexes: '0,2' },
        { succeededCount: 9 },
        {},
        { succeededIndexes: '2-1' },
        { succeededIndexes: 'x', succeededCount: 1 },
        { succeededIndexes: '0-1-2' },
        { succeededIndexes: '7' },
      ],
    },
  }),
  job('success policy not indexed', { successPolicy: { rules: [{ succeededCount: 1 }] } }),
  job('success policy empty', { completionMode: 'Indexed', completions: 3, successPolicy: { rules: [] } }),
  job('managed by', { managedBy: 'example.com/x' }),
  job('managed by nobody', { managedBy: 'Example' }),
  job('replacement', { podReplacementPolicy: 'Odd' }),
  job('long name indexed', { completionMode: 'Indexed', completions: 1000 }, { metadata: { name: 'a'.repeat(61) } }),
  job(
    'changes',
    { suspend: true },
    {
      steps: [
        { patch: { spec: { parallelism: 2 } } },
        { patch: { spec: { completions: 2 } } },
        {
          patch: {
            spec: {
              template: {
                spec: { nodeSelector: { a: 'b' }, tolerations: [{ operator: 'Exists' }] },
                metadata: { annotations: { x: 'y' } },
              },
            },
          },
        },
        { patch: { spec: { template: { spec: { hostname: 'x' } } } } },
        { patch: { spec: { suspend: false } } },
        { patch: { spec: { template: { spec: { nodeSelector: { a: 'c' } } } } } },
        {
          patch: {
            spec: {
              selector: { matchLabels: { a: 'b' } },
              completionMode: 'Indexed',
              podFailurePolicy: { rules: [] },
              backoffLimitPerIndex: 1,
              managedBy: 'a.b/c',
            },
          },
        },
        { get: '' },
        { delete: {} },
      ],
    },
  ),
  job(
    'indexed scales',
    { completionMode: 'Indexed', completions: 3, parallelism: 3 },
    { steps: [{ patch: { spec: { completions: 4 } } }, { patch: { spec: { completions: 4, parallelism: 4 } } }] },
  ),
  job(
    'status',
    {},
    {
      steps: [
        { of: 'status', patch: { status: { active: 1, ready: 2 } } },
        { of: 'status', patch: { status: { active: 1, ready: 1, startTime: '2026-01-01T00:00:00Z', succeeded: 1, failed: 1 } } },
        { of: 'status', patch: { status: { succeeded: 0, failed: 0, startTime: null } } },
        { of: 'status', patch: { status: { conditions: [{ type: 'Complete', status: 'True' }] } } },
        { of: 'status', patch: { status: { completionTime: '2025-01-01T00:00:00Z', completedIndexes: '1', failedIndexes: '1' } } },
        { of: 'status', patch: { status: { uncountedTerminatedPods: { succeeded: ['a', 'a', ''] } } } },
        {
          of: 'status',
          patch: {
            status: {
              active: 0,
              ready: 0,
              terminating: 0,
              completionTime: '2026-01-02T00:00:00Z',
              conditions: [
                { type: 'SuccessCriteriaMet', status: 'True' },
                { type: 'Complete', status: 'True' },
              ],
            },
          },
        },
        {
          of: 'status',
          patch: { status: { conditions: [{ type: 'Failed', status: 'True' }], completionTime: '2026-01-03T00:00:00Z' } },
        },
        { get: '' },
      ],
    },
  ),
  cronJob('smallest'),
  cronJob('bad', {
    schedule: '',
    startingDeadlineSeconds: -1,
    concurrencyPolicy: 'Odd',
    successfulJobsHistoryLimit: -1,
    failedJobsHistoryLimit: -1,
    timeZone: '',
    jobTemplate: { spec: { manualSelector: true, selector: {}, template: { spec: { containers: [] } } } },
  }),
  cronJob('no template', { jobTemplate: {} }),
  cronJob('time zone', { timeZone: 'Europe/Berlin' }),
  cronJob('no time zone', { timeZone: 'Nowhere/Land' }),
  cronJob('odd time zone', { timeZone: '../etc' }),
  cronJob('local', { timeZone: 'Local' }),
  cronJob('long', {}, { metadata: { name: 'a'.repeat(53) } }),
  ...SCHEDULES.map((schedule, index) => cronJob(`schedule ${index}`, { schedule })),
  cronJob(
    'changes',
    {},
    {
      steps: [
        { patch: { spec: { suspend: true } } },
        { patch: { spec: { schedule: 'x' } } },
        { patch: { spec: { jobTemplate: { spec: { template: { spec: { restartPolicy: 'OnFailure' } } } } } } },
        { of: 'status', patch: { status: { lastScheduleTime: '2026-01-01T00:00:00Z' }, spec: { suspend: false } } },
      ],
    },
  ),
];
