import { byDispensability } from '../../../../src/api-server/workloads/pods/index.js';
import type { Pod } from '../../../../src/kubernetes/kinds/index.js';

const NOW = new Date('2030-01-01T12:00:00Z');
const ago = (seconds: number): string => new Date(NOW.getTime() - seconds * 1000).toISOString();

interface Traits {
  readonly node?: string;
  readonly phase?: string;
  readonly readyFor?: number;
  readonly age?: number;
  readonly restarts?: number;
  readonly cost?: string;
}

function pod(name: string, { node = 'n', phase = 'Running', readyFor = 100, age = 1000, restarts = 0, cost }: Traits = {}): Pod {
  const annotations = cost === undefined ? {} : { 'controller.kubernetes.io/pod-deletion-cost': cost };
  const ready = readyFor < 0 ? { status: 'False' } : { status: 'True', lastTransitionTime: ago(readyFor) };
  return {
    metadata: { name, annotations, creationTimestamp: ago(age) },
    spec: { nodeName: node, containers: [] },
    status: { phase, conditions: [{ type: 'Ready', ...ready }], containerStatuses: [{ restartCount: restarts }] },
  } as unknown as Pod;
}

const order = (pods: readonly Pod[], related: readonly Pod[] = []): readonly string[] =>
  byDispensability(pods, { related, now: NOW }).map(({ metadata }) => metadata.name);

/** Each of the pairs differs in one thing; the name of the first sorts behind that of the second. */
test.each<[string, Traits, Traits]>([
  ['that is on no node', { node: '' }, {}],
  ['that does not run yet', { phase: 'Pending' }, {}],
  ['that is not ready', { readyFor: -1 }, {}],
  ['that costs less', { cost: '-5' }, { cost: '3' }],
  ['that has been ready for a shorter time', { readyFor: 10 }, { readyFor: 1000 }],
  ['that was restarted more often', { restarts: 3 }, { restarts: 1 }],
  ['that is younger', { age: 10 }, { age: 100_000 }],
])('the Pod goes first %s', (_trait, first, second) => {
  expect(order([pod('a', second), pod('b', first)])).toEqual(['b', 'a']);
});

test('a Pod on no node goes before one that costs less, and a Pod that is not ready before one that was restarted', () => {
  expect(order([pod('a', { cost: '-100' }), pod('b', { node: '' })])).toEqual(['b', 'a']);
  expect(order([pod('a', { restarts: 100 }), pod('b', { readyFor: -1 })])).toEqual(['b', 'a']);
});

test('of two Pods that on the fuller node goes, counted over the whole rollout', () => {
  const [here, there] = [pod('a', { node: 'empty' }), pod('b', { node: 'full' })];
  const related = [here, there, pod('old', { node: 'full' })];
  expect(order([here, there])).toEqual(['a', 'b']);
  expect(order([here, there], related)).toEqual(['b', 'a']);
  const gone = pod('old', { node: 'full', phase: 'Failed' });
  expect(order([here, there], [here, there, gone])).toEqual(['a', 'b']);
});

test('ages count by their order of magnitude, and then names', () => {
  expect(order([pod('b', { age: 1000 }), pod('a', { age: 1020 })])).toEqual(['a', 'b']);
});
