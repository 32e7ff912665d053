import type { JsonObject } from '../../../../src/api-server/contract/index.js';
import { tableOf } from '../../../../src/api-server/documents/tables/index.js';
import { POD_STATES, podIn } from './pod-states.js';

const NOW = new Date('2026-11-20T00:01:30Z');
const pods = tableOf('', 'Pod');
const rowOf = (pod: JsonObject) => pods.cells(pod, NOW);

describe('rows of Pods', () => {
  test.each(Object.entries(POD_STATES))('tell the state %s', (name, state) => {
    const [ready, status, restarts] = state.cells;
    expect(rowOf(podIn(name, state)).slice(0, 5)).toEqual([name, ready, status, restarts, '90s']);
  });

  test.each([
    ['Running', undefined, 'Terminating'],
    ['Running', 'NodeLost', 'Unknown'],
    ['Succeeded', undefined, 'Succeeded'],
    ['Failed', 'Evicted', 'Evicted'],
  ])('a deleted Pod whose phase is %s and whose reason %s is %s', (phase, reason, expected) => {
    const pod = podIn('p', { status: { phase, ...(reason === undefined ? {} : { reason }) }, cells: ['', '', ''] });
    expect(rowOf({ ...pod, metadata: { ...(pod['metadata'] as JsonObject), deletionTimestamp: '2026-11-20T00:01:00Z' } })[2]).toBe(
      expected,
    );
  });

  test('wide columns name what is missing', () => {
    const gates = { readinessGates: [{ conditionType: 'a' }, { conditionType: 'b' }] };
    const conditions = [
      { type: 'a', status: 'True' },
      { type: 'b', status: 'False' },
    ];
    const status = { phase: 'Running', podIPs: [{ ip: '10.1.2.3' }, { ip: 'fd00::1' }], conditions };
    expect(rowOf(podIn('p', { status: {}, cells: ['', '', ''] })).slice(5)).toEqual(['<none>', '<none>', '<none>', '<none>']);
    expect(rowOf(podIn('p', { spec: { ...gates, nodeName: 'n' }, status, cells: ['', '', ''] })).slice(5)).toEqual([
      '10.1.2.3',
      'n',
      '<none>',
      '1/2',
    ]);
    expect(pods.columns.filter(({ priority }) => priority === 1).map(({ name }) => name)).toEqual([
      'IP',
      'Node',
      'Nominated Node',
      'Readiness Gates',
    ]);
  });

  test('a Pod that has come to its end says so of its row', () => {
    const conditionsAt = (phase: string) => pods.conditions?.(podIn('p', { status: { phase }, cells: ['', '', ''] }));
    expect(conditionsAt('Failed')).toEqual([{ type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' }]);
    expect(conditionsAt('Running')).toEqual([]);
  });
});
