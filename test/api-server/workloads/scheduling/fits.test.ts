import { placementOf } from '../../../../src/api-server/workloads/scheduling/fits.js';
import { isTolerated, matchesNode } from '../../../../src/api-server/workloads/scheduling/index.js';
import type { Node, Pod, Taint, Toleration } from '../../../../src/kubernetes/kinds/index.js';

const podWith = (spec: object = {}): Pod => ({ metadata: { name: 'a' }, spec: { containers: [], ...spec } }) as unknown as Pod;
const node = (name: string, spec: object = {}, labels: Readonly<Record<string, string>> = {}): Node =>
  ({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, spec }) as Node;

test.each<[Partial<Toleration>, boolean]>([
  [{ key: 'gpu', operator: 'Equal', value: 'yes', effect: 'NoSchedule' }, true],
  [{ key: 'gpu', value: 'yes' }, true],
  [{ key: 'gpu', operator: 'Exists' }, true],
  [{ operator: 'Exists' }, true],
  [{ key: 'gpu', operator: 'Exists', effect: 'NoExecute' }, false],
  [{ key: 'gpu', value: 'no' }, false],
  [{ key: 'gpu' }, false],
  [{ key: 'disk', operator: 'Exists' }, false],
])('%j bears the taint gpu=yes:NoSchedule: %j', (toleration, isBorne) => {
  const taint: Taint = { key: 'gpu', value: 'yes', effect: 'NoSchedule' };
  expect(isTolerated(taint, [toleration as Toleration])).toBe(isBorne);
});

test.each<[string, readonly string[] | undefined, boolean]>([
  ['In', ['ssd', 'nvme'], true],
  ['In', ['hdd'], false],
  ['NotIn', ['hdd'], true],
  ['NotIn', ['ssd'], false],
  ['Exists', undefined, true],
  ['DoesNotExist', undefined, false],
])('a node with disk=ssd meets disk %s %j: %j', (operator, values, isMet) => {
  const matchExpressions = [{ key: 'disk', operator, ...(values && { values }) }];
  expect(matchesNode(podWith(affinity([{ matchExpressions }])), node('n', {}, { disk: 'ssd' }))).toBe(isMet);
});

const affinity = (nodeSelectorTerms: readonly object[]): object => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
});

test('numbers are compared as numbers, and a label that is missing is neither more nor less', () => {
  const meets = (operator: string, value: string, labels: Readonly<Record<string, string>>): boolean =>
    matchesNode(podWith(affinity([{ matchExpressions: [{ key: 'cores', operator, values: [value] }] }])), node('n', {}, labels));
  expect([meets('Gt', '9', { cores: '10' }), meets('Lt', '9', { cores: '10' })]).toEqual([true, false]);
  expect([meets('Gt', '9', {}), meets('Lt', '9', {})]).toEqual([false, false]);
});

test('one of the terms has to hold, all of that term, and the node selector too', () => {
  const named = { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] };
  const ssd = { matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }] };
  const is = (spec: object, labels: Readonly<Record<string, string>> = {}): boolean => matchesNode(podWith(spec), node('n', {}, labels));
  expect([is(affinity([ssd, named])), is(affinity([{ ...ssd, ...named }])), is(affinity([{}]))]).toEqual([true, false, false]);
  expect([is({ nodeSelector: { a: 'b' }, ...affinity([named]) }), is({ nodeSelector: { a: 'b' } }, { a: 'b' })]).toEqual([false, true]);
});

test('of the nodes that fit the emptiest is taken, of equal ones the first', () => {
  const counts: Readonly<Record<string, number>> = { a: 2, b: 1, c: 1 };
  const nodes = ['a', 'b', 'c'].map((name) => node(name));
  expect(placementOf(podWith(), nodes, (name) => counts[name] ?? 0)).toEqual({ node: 'b' });
});

test('where none fits, each reason is counted, in the words of the scheduler', () => {
  const nodes = [
    node('a', { unschedulable: true }),
    node('b', { taints: [{ key: 'gpu', effect: 'NoSchedule' }] }),
    node('c', { taints: [{ key: 'gpu', effect: 'NoSchedule' }] }),
    node('d', { taints: [{ key: 'soft', effect: 'PreferNoSchedule' }] }),
  ];
  expect(placementOf(podWith({ nodeSelector: { disk: 'ssd' } }), nodes, () => 0)).toEqual({
    message:
      "0/4 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) were unschedulable, " +
      '2 node(s) had untolerated taint {gpu: }.',
  });
  expect(placementOf(podWith(), nodes, () => 0)).toEqual({ node: 'd' });
  expect(placementOf(podWith(), [], () => 0)).toEqual({ message: 'no nodes available to schedule pods' });
});
