import type { JsonObject } from '../../../../src/api-server/contract/index.js';

const OLD = '2020-01-01T00:00:00Z';
const OLDER = '2012-06-01T00:00:00Z';

const main = { name: 'main', image: 'i', imageID: '', restartCount: 0, ready: false };
const started = { ...main, ready: true, started: true, state: { running: { startedAt: OLD } } };
const restarted = (count: number, finishedAt: string): JsonObject => ({
  restartCount: count,
  lastState: { terminated: { exitCode: 1, finishedAt, startedAt: OLDER, reason: 'Error' } },
});
const init = { ...main, name: 'init' };
const ended = (exitCode: number, more: JsonObject = {}): JsonObject => ({
  state: { terminated: { exitCode, startedAt: OLD, finishedAt: OLD, ...more } },
});

export interface PodState {
  readonly spec?: JsonObject;
  readonly status: JsonObject;
  /** Ready, Status and Restarts. */
  readonly cells: readonly [ready: string, status: string, restarts: string];
}

const withInit = { initContainers: [{ name: 'init', image: 'i' }] };
const withSidecar = { initContainers: [{ name: 'init', image: 'i', restartPolicy: 'Always' }] };
const two = {
  containers: [
    { name: 'main', image: 'i' },
    { name: 'second', image: 'i' },
  ],
};

/** Every way that a Pod's state is told. The ages are years: a test needs no clock. */
export const POD_STATES: Readonly<Record<string, PodState>> = {
  pending: { status: { phase: 'Pending' }, cells: ['0/1', 'Pending', '0'] },
  'own-reason': { status: { phase: 'Failed', reason: 'Evicted' }, cells: ['0/1', 'Evicted', '0'] },
  gated: {
    status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] },
    cells: ['0/1', 'SchedulingGated', '0'],
  },
  running: { status: { phase: 'Running', containerStatuses: [started] }, cells: ['1/1', 'Running', '0'] },
  restarted: {
    status: { phase: 'Running', containerStatuses: [{ ...started, ...restarted(3, OLD) }] },
    cells: ['1/1', 'Running', '3 (6y325d ago)'],
  },
  'restarted-without-a-time': {
    status: { phase: 'Running', containerStatuses: [{ ...started, restartCount: 2 }] },
    cells: ['1/1', 'Running', '2'],
  },
  waiting: {
    status: {
      phase: 'Running',
      containerStatuses: [{ ...main, ...restarted(5, OLDER), state: { waiting: { reason: 'CrashLoopBackOff' } } }],
    },
    cells: ['0/1', 'CrashLoopBackOff', '5 (14y ago)'],
  },
  'several-restarts': {
    spec: two,
    status: {
      phase: 'Running',
      containerStatuses: [
        { ...started, ...restarted(1, OLDER) },
        { ...started, name: 'second', ...restarted(2, OLD) },
      ],
    },
    cells: ['2/2', 'Running', '3 (6y325d ago)'],
  },
  'ended-with-a-reason': {
    status: { phase: 'Failed', containerStatuses: [{ ...main, ...ended(137, { reason: 'OOMKilled' }) }] },
    cells: ['0/1', 'OOMKilled', '0'],
  },
  'ended-by-a-signal': {
    status: { phase: 'Failed', containerStatuses: [{ ...main, ...ended(0, { signal: 9 }) }] },
    cells: ['0/1', 'Signal:9', '0'],
  },
  'ended-with-a-code': { status: { phase: 'Failed', containerStatuses: [{ ...main, ...ended(2) }] }, cells: ['0/1', 'ExitCode:2', '0'] },
  succeeded: {
    status: { phase: 'Succeeded', containerStatuses: [{ ...main, ...ended(0, { reason: 'Completed' }) }] },
    cells: ['0/1', 'Completed', '0'],
  },
  'half-completed': {
    spec: two,
    status: {
      phase: 'Running',
      containerStatuses: [
        { ...main, ...ended(0, { reason: 'Completed' }) },
        { ...started, name: 'second' },
      ],
      conditions: [{ type: 'Ready', status: 'True' }],
    },
    cells: ['1/2', 'Running', '0'],
  },
  'half-completed-and-not-ready': {
    spec: two,
    status: {
      phase: 'Running',
      containerStatuses: [
        { ...main, ...ended(0, { reason: 'Completed' }) },
        { ...started, name: 'second' },
      ],
    },
    cells: ['1/2', 'NotReady', '0'],
  },
  initializing: {
    spec: withInit,
    status: { phase: 'Pending', initContainerStatuses: [{ ...init, state: { running: {} } }] },
    cells: ['0/1', 'Init:0/1', '0'],
  },
  'init-restarted': {
    spec: withInit,
    status: {
      phase: 'Pending',
      initContainerStatuses: [{ ...init, ...restarted(4, OLD), state: { waiting: { reason: 'CrashLoopBackOff' } } }],
    },
    cells: ['0/1', 'Init:CrashLoopBackOff', '4 (6y325d ago)'],
  },
  'init-waits-for-the-pod': {
    spec: withInit,
    status: { phase: 'Pending', initContainerStatuses: [{ ...init, state: { waiting: { reason: 'PodInitializing' } } }] },
    cells: ['0/1', 'Init:0/1', '0'],
  },
  'init-failed-with-a-code': {
    spec: withInit,
    status: { phase: 'Pending', initContainerStatuses: [{ ...init, ...ended(3) }] },
    cells: ['0/1', 'Init:ExitCode:3', '0'],
  },
  'init-failed-by-a-signal': {
    spec: withInit,
    status: { phase: 'Pending', initContainerStatuses: [{ ...init, ...ended(3, { signal: 15 }) }] },
    cells: ['0/1', 'Init:Signal:15', '0'],
  },
  'init-failed-with-a-reason': {
    spec: withInit,
    status: { phase: 'Pending', initContainerStatuses: [{ ...init, ...ended(3, { reason: 'Error' }) }] },
    cells: ['0/1', 'Init:Error', '0'],
  },
  'init-done': {
    spec: withInit,
    status: { phase: 'Running', initContainerStatuses: [{ ...init, ...restarted(4, OLD), ...ended(0) }], containerStatuses: [started] },
    cells: ['1/1', 'Running', '0'],
  },
  'init-failed-but-initialized': {
    spec: withInit,
    status: {
      phase: 'Running',
      initContainerStatuses: [{ ...init, ...ended(3) }],
      containerStatuses: [started],
      conditions: [{ type: 'Initialized', status: 'True' }],
    },
    cells: ['1/1', 'Init:ExitCode:3', '0'],
  },
  sidecar: {
    spec: withSidecar,
    status: {
      phase: 'Running',
      initContainerStatuses: [{ ...started, name: 'init', ...restarted(2, OLD) }],
      containerStatuses: [{ ...started, restartCount: 1 }],
    },
    cells: ['2/2', 'Running', '3 (6y325d ago)'],
  },
  'sidecar-not-ready': {
    spec: withSidecar,
    status: {
      phase: 'Running',
      initContainerStatuses: [{ ...started, name: 'init', ready: false }],
      containerStatuses: [started],
    },
    cells: ['1/2', 'Running', '0'],
  },
  'sidecar-starting': {
    spec: withSidecar,
    status: { phase: 'Pending', initContainerStatuses: [{ ...init, started: false, state: { running: {} } }] },
    cells: ['0/2', 'Init:0/1', '0'],
  },
};

export function podIn(name: string, { spec, status }: PodState): JsonObject & { readonly spec: JsonObject; readonly status: JsonObject } {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, creationTimestamp: '2026-11-20T00:00:00Z' },
    spec: { containers: [{ name: 'main', image: 'i' }], ...spec },
    status,
  };
}
