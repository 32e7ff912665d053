import type { Job } from '../../../src/kubernetes/kinds/index.js';
import { conditionsOf, job, Stage } from './stage.js';

describe('a Job', () => {
  let stage: Stage;
  afterEach(() => stage.close());
  const status = (): Job['status'] => stage.world.must<Job>('batch/jobs', 'default/sum').status;
  const active = (): readonly string[] => stage.pods.filter((pod) => pod.status?.phase === 'Running').map(({ metadata }) => metadata.name);
  const start = async (object: object, options = {}): Promise<void> => {
    stage = await Stage.start(options);
    await stage.create(object);
  };
  const failFirst = async (): Promise<void> => {
    await stage.world.server.pods.fail(active()[0] ?? '', { exitCode: 3 });
    await stage.world.settled();
  };

  test('is complete when its Pods have succeeded', async () => {
    await start(job({ completions: 3, parallelism: 2 }));
    expect(status()).toEqual({
      completionTime: '2030-01-01T00:00:00Z',
      conditions: [
        expect.objectContaining({ type: 'SuccessCriteriaMet', status: 'True', reason: 'CompletionsReached' }),
        expect.objectContaining({
          type: 'Complete',
          status: 'True',
          reason: 'CompletionsReached',
          message: 'Reached expected number of succeeded pods',
        }),
      ],
      ready: 0,
      startTime: '2030-01-01T00:00:00Z',
      succeeded: 3,
      terminating: 0,
      uncountedTerminatedPods: {},
    });
    expect(stage.pods.map(({ metadata }) => metadata.finalizers)).toEqual([undefined, undefined, undefined]);
  });

  test('runs no more Pods at once than it may, each as long as it takes', async () => {
    await start(job({ completions: 3, parallelism: 2 }), { completeAfter: '30s' });
    expect(status()).toMatchObject({ active: 2, ready: 2 });
    await stage.world.pass(30);
    expect(status()).toMatchObject({ active: 1, succeeded: 2 });
    await stage.world.pass(30);
    expect(conditionsOf({ status: status() })).toMatchObject({ Complete: 'True CompletionsReached' });
  });

  test('waits longer after each failure, and fails beyond its limit', async () => {
    await start(job({ backoffLimit: 2 }), { completeAfter: 'never' });
    await failFirst();
    expect(status()).toMatchObject({ failed: 1 });
    expect(active()).toHaveLength(0);
    await stage.world.pass(9);
    expect(active()).toHaveLength(0);
    await stage.world.pass(1);
    expect(active()).toHaveLength(1);
    await failFirst();
    await stage.world.pass(19);
    expect(active()).toHaveLength(0);
    await stage.world.pass(1);
    await failFirst();
    expect(status()).toMatchObject({ failed: 3 });
    expect(conditionsOf({ status: status() })).toEqual({ FailureTarget: 'True BackoffLimitExceeded', Failed: 'True BackoffLimitExceeded' });
  });

  test('with indexes gives each Pod its own, and makes a failed one again', async () => {
    await start(job({ completions: 3, parallelism: 3, completionMode: 'Indexed' }), { completeAfter: 'never' });
    const indexes = stage.pods.map(({ metadata }) => metadata.annotations?.['batch.kubernetes.io/job-completion-index']);
    expect(new Set(indexes)).toEqual(new Set(['0', '1', '2']));
    const named = (index: number): string => active().find((name) => name.startsWith(`sum-${index}-`)) ?? '';
    const first = stage.pod(named(0));
    expect(first.spec).toMatchObject({ hostname: 'sum-0', containers: [{ env: [{ name: 'JOB_COMPLETION_INDEX' }] }] });
    await stage.world.server.pods.succeed(named(0));
    await stage.world.server.pods.succeed(named(2));
    await stage.world.server.pods.fail(named(1));
    await stage.world.settled();
    expect(status()).toMatchObject({ completedIndexes: '0,2', succeeded: 2, failed: 1 });
    await stage.world.pass(10);
    await stage.world.server.pods.succeed(named(1));
    await stage.world.settled();
    expect(status()).toMatchObject({ completedIndexes: '0-2', succeeded: 3 });
    expect(conditionsOf({ status: status() })).toMatchObject({ Complete: 'True CompletionsReached' });
  });

  test('is over at its deadline', async () => {
    await start(job({ activeDeadlineSeconds: 20 }), { completeAfter: 'never' });
    await stage.world.pass(20);
    expect(conditionsOf({ status: status() })).toEqual({ FailureTarget: 'True DeadlineExceeded', Failed: 'True DeadlineExceeded' });
    expect(stage.pods).toEqual([]);
  });

  test('is deleted with its Pods when its time is over', async () => {
    await start(job({ ttlSecondsAfterFinished: 30 }));
    await stage.world.pass(29);
    expect(status()).toBeDefined();
    await stage.world.pass(1);
    expect(stage.world.names('batch/jobs')).toEqual([]);
    expect(stage.pods).toEqual([]);
  });

  test('that is suspended has no Pods, until it is resumed', async () => {
    await start(job({ suspend: true }));
    expect(stage.pods).toEqual([]);
    expect(status()).not.toHaveProperty('startTime');
    expect(conditionsOf({ status: status() })).toEqual({ Suspended: 'True JobSuspended' });
    await stage.patch('batch/jobs', 'sum', { spec: { suspend: false } });
    expect(conditionsOf({ status: status() })).toMatchObject({ Suspended: 'False JobResumed', Complete: 'True CompletionsReached' });
  });

  test('that is suspended while it runs counts none of its Pods as failed', async () => {
    await start(job({ completions: 2, parallelism: 2, backoffLimit: 0 }), { completeAfter: 'never' });
    await stage.patch('batch/jobs', 'sum', { spec: { suspend: true } });
    expect(stage.pods).toEqual([]);
    expect(status()).not.toHaveProperty('failed');
    await stage.patch('batch/jobs', 'sum', { spec: { suspend: false } });
    expect(active()).toHaveLength(2);
  });

  test('fails at once where its policy says so, and does not count what that ignores', async () => {
    const rules = [
      { action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } },
      { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] },
    ];
    await start(job({ backoffLimit: 0, podFailurePolicy: { rules } }), { completeAfter: 'never' });
    await stage.world.server.pods.kill(active()[0] ?? '');
    await stage.world.settled();
    expect(status()).not.toHaveProperty('failed');
    expect(active()).toHaveLength(1);
    const [name = ''] = active();
    await stage.world.server.pods.crash(name, { exitCode: 42 });
    await stage.world.settled();
    const failed = status()?.conditions?.find(({ type }) => type === 'Failed');
    expect(failed).toMatchObject({
      reason: 'PodFailurePolicy',
      message: `Container main for pod default/${name} failed with exit code 42 matching FailJob rule at index 0`,
    });
  });

  test('with OnFailure counts restarts', async () => {
    await start(job({ backoffLimit: 1 }, { restartPolicy: 'OnFailure' }), { completeAfter: 'never' });
    const [name = ''] = active();
    await stage.world.server.pods.crash(name);
    await stage.world.settled();
    expect(conditionsOf({ status: status() })).toMatchObject({ Failed: 'True BackoffLimitExceeded' });
  });

  test('says so where it asks for what is not simulated', async () => {
    stage = await Stage.start();
    await stage.create(job({ completions: 1, completionMode: 'Indexed', backoffLimitPerIndex: 1 }));
    expect(stage.world.problems.splice(0).map(({ error }) => (error as Error).message)).toEqual([
      'spec.backoffLimitPerIndex of Jobs are not simulated: no Pods are made for this Job',
    ]);
    expect(stage.pods).toEqual([]);
  });
});
