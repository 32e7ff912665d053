import {
  type ContainerState,
  type PodPlan,
  type PodView,
  planPod,
  type Run,
  UNKNOWN,
} from '../../../../../src/api-server/workloads/processes/plan/index.js';
import type { Pod } from '../../../../../src/kubernetes/kinds/index.js';

const TIME = '2030-01-01T00:01:00Z';
const NOW = new Date(TIME);
const started = { image: 'a', containerID: 'process://1', startedAt: '2030-01-01T00:00:00Z' };
const running = (more: object = {}): ContainerState => ({
  ...UNKNOWN,
  run: { ...started, type: 'running', isStarted: true, isReady: true, isStopping: false, ...more },
});
const ended = (exitCode: number, secondsAgo = 0, more: Partial<ContainerState> = {}): ContainerState => {
  const finishedMs = NOW.getTime() - secondsAgo * 1000;
  const end = { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', finishedAt: new Date(finishedMs).toISOString() };
  return { ...UNKNOWN, run: { ...started, type: 'ended', finishedMs, end: { ...end, ...started } } as Run, ...more };
};
const container = (name: string, more: object = {}): object => ({ name, image: 'a', ...more });
const sidecar = (name: string): object => container(name, { restartPolicy: 'Always' });

function plan(
  spec: object,
  containers: Readonly<Record<string, ContainerState>> = {},
  { metadata = {}, status, ...view }: Partial<PodView> & { readonly metadata?: object; readonly status?: object } = {},
): PodPlan {
  const pod = { metadata: { name: 'a', namespace: 'default', uid: 'u', ...metadata }, spec, status } as unknown as Pod;
  const none = { isHeldBack: () => false, isUnready: false, lackOf: () => undefined };
  const addresses = { pod: '127.16.0.3', node: '127.16.0.2' };
  return planPod({ pod, now: NOW, time: TIME, addresses, containers: new Map(Object.entries(containers)), ...none, ...view });
}

describe('the start', () => {
  const spec = { initContainers: [container('setup'), sidecar('proxy'), container('last')], containers: [container('main')] };

  test('is that of one init container after the other, and of the others when all are through', () => {
    expect(plan(spec).start).toEqual(['setup']);
    expect(plan(spec, { setup: running() }).start).toEqual([]);
    expect(plan(spec, { setup: ended(0) }).start).toEqual(['proxy']);
    expect(plan(spec, { setup: ended(0), proxy: running({ isStarted: false }) }).start).toEqual([]);
    expect(plan(spec, { setup: ended(0), proxy: running() }).start).toEqual(['last']);
    expect(plan(spec, { setup: ended(0), proxy: running(), last: ended(0) }).start).toEqual(['main']);
  });

  test('waits for what the container lacks, and says so', () => {
    const lack = { reason: 'CreateContainerConfigError', message: 'secret "s" not found' } as const;
    const { start, status } = plan({ containers: [container('main')] }, {}, { lackOf: () => lack });
    expect(start).toEqual([]);
    expect(status.containerStatuses?.[0]?.state).toEqual({ waiting: lack });
    expect(status.phase).toBe('Pending');
  });

  test('of a container that was refused is tried again at its time', () => {
    const refused = (secondsLeft: number): Readonly<Record<string, ContainerState>> => ({
      main: { ...UNKNOWN, run: { type: 'refused', reason: 'Error', message: 'm', retryMs: NOW.getTime() + secondsLeft * 1000 } },
    });
    const spec = { containers: [container('main')] };
    expect(plan(spec, refused(3))).toMatchObject({ start: [], recheckAfterMs: 3000 });
    expect(plan(spec, refused(0)).start).toEqual(['main']);
  });
});

describe('a container that has ended', () => {
  test('starts again after its pause, which its status names', () => {
    const spec = { containers: [container('main')] };
    const waiting = plan(spec, { main: ended(1, 4, { pauseMs: 80_000 }) });
    expect(waiting).toMatchObject({ start: [], recheckAfterMs: 76_000 });
    expect(waiting.status.containerStatuses?.[0]?.state?.waiting).toEqual({
      reason: 'CrashLoopBackOff',
      message: 'back-off 1m20s restarting failed container=main pod=a_default(u)',
    });
    expect(plan(spec, { main: ended(1, 80, { pauseMs: 80_000 }) }).start).toEqual(['main']);
  });

  test.each([
    ['Always', 0, 'Pending', ['main']],
    ['OnFailure', 0, 'Succeeded', []],
    ['OnFailure', 2, 'Pending', ['main']],
    ['Never', 0, 'Succeeded', []],
    ['Never', 2, 'Failed', []],
  ])('under %s with exit code %i: %s', (restartPolicy, exitCode, phase, start) => {
    const { status, start: planned } = plan({ restartPolicy, containers: [container('main')] }, { main: ended(exitCode) });
    expect([phase === 'Pending' || status.phase === phase, planned]).toEqual([true, start]);
  });

  test('takes the Pod with it only when all others have ended too', () => {
    const spec = { restartPolicy: 'Never', containers: [container('main'), container('other')] };
    expect(plan(spec, { main: ended(1), other: running() })).toMatchObject({ status: { phase: 'Running' }, stop: [] });
    expect(plan(spec, { main: ended(1), other: ended(0) })).toMatchObject({ status: { phase: 'Failed' } });
  });

  test('as an init container under Never fails the Pod', () => {
    const spec = { restartPolicy: 'Never', initContainers: [container('setup')], containers: [container('main')] };
    expect(plan(spec, { setup: ended(1) })).toMatchObject({ start: [], status: { phase: 'Failed' } });
  });
});

test('a container with another image than it runs with is stopped, whatever the restart policy', () => {
  const spec = { restartPolicy: 'Never', terminationGracePeriodSeconds: 7, containers: [container('main', { image: 'b' })] };
  expect(plan(spec, { main: running() }).stop).toEqual([{ name: 'main', graceMs: 7000 }]);
  expect(plan(spec, { main: running({ isStopping: true }) }).stop).toEqual([]);
  expect(plan(spec, { main: ended(0) }).start).toEqual(['main']);
});

describe('the end', () => {
  const spec = { initContainers: [sidecar('first'), sidecar('second')], containers: [container('main')] };
  const metadata = { deletionTimestamp: '2030-01-01T00:01:05Z', deletionGracePeriodSeconds: 30 };

  test('is that of the containers, then of the sidecars from the last to the first, within the grace period', () => {
    const stop = (containers: Readonly<Record<string, ContainerState>>): object => plan(spec, containers, { metadata }).stop;
    expect(stop({ first: running(), second: running(), main: running() })).toEqual([{ name: 'main', graceMs: 5000 }]);
    expect(stop({ first: running(), second: running(), main: ended(0) })).toEqual([{ name: 'second', graceMs: 5000 }]);
    expect(stop({ first: running(), second: ended(0), main: ended(0) })).toEqual([{ name: 'first', graceMs: 5000 }]);
  });

  test('comes when nothing runs any more, and only then is the Pod removed', () => {
    const over = { first: ended(0), second: ended(0), main: ended(143) };
    expect(plan(spec, over, { metadata })).toMatchObject({ isRemoved: true, status: { phase: 'Failed' } });
    expect(plan(spec, { ...over, first: running() }, { metadata }).isRemoved).toBeUndefined();
  });

  test('comes at the deadline of the Pod', () => {
    const status = { phase: 'Running', startTime: '2030-01-01T00:00:30Z' };
    const timed = (activeDeadlineSeconds: number): PodPlan =>
      plan({ activeDeadlineSeconds, containers: [container('main')] }, { main: running() }, { status });
    expect(timed(40)).toMatchObject({ stop: [], recheckAfterMs: 10_000 });
    expect(timed(30)).toMatchObject({ stop: [{ name: 'main', graceMs: 30_000 }], status: { phase: 'Running' } });
    const over = plan({ activeDeadlineSeconds: 30, containers: [container('main')] }, { main: ended(143) }, { status });
    expect(over).toMatchObject({ status: { phase: 'Failed', reason: 'DeadlineExceeded' } });
  });
});

test('readiness is that of the probe, unless the test wants another', () => {
  const spec = { containers: [container('main')] };
  const isReady = (view: Partial<PodView>, main = running()): boolean | undefined =>
    plan(spec, { main }, view).status.containerStatuses?.[0]?.ready;
  expect([isReady({}), isReady({}, running({ isReady: false })), isReady({ isUnready: true })]).toEqual([true, false, false]);
  expect(isReady({ isHeldBack: (stage) => stage === 'ready' })).toBe(false);
});
