import type { JsonObject } from '../../../../src/api-server/contract/index.js';
import { tableOf } from '../../../../src/api-server/documents/tables/index.js';

const NOW = new Date('2026-11-20T00:01:30Z');
const CREATED = '2026-11-20T00:00:00Z';
const DELETED = { deletionTimestamp: '2026-11-20T00:01:00Z' };

/** Cells by the names of their columns. */
function rowOf(
  [group, kind]: readonly [group: string, kind: string],
  fields: JsonObject,
  metadata: JsonObject = {},
): Record<string, unknown> {
  const { columns, cells } = tableOf(group, kind);
  const row = cells({ ...fields, metadata: { name: 'n', creationTimestamp: CREATED, ...metadata } }, NOW);
  return Object.fromEntries(columns.map(({ name }, index) => [name, row[index]]));
}

describe('tables of built-in kinds', () => {
  test('a kind without columns of its own has name and time of creation', () => {
    expect(tableOf('rbac.authorization.k8s.io', 'Role').columns.map(({ name, type, format }) => [name, type, format])).toEqual([
      ['Name', 'string', 'name'],
      ['Created At', 'date', ''],
    ]);
    expect(rowOf(['rbac.authorization.k8s.io', 'Role'], {})).toEqual({ Name: 'n', 'Created At': CREATED });
  });

  const conditions = (...types: string[]): JsonObject[] => types.map((type) => ({ type, status: 'True' }));
  test.each([
    ['Running', [], {}],
    ['Suspended', ['Suspended'], {}],
    ['FailureTarget', ['FailureTarget'], {}],
    ['SuccessCriteriaMet', ['SuccessCriteriaMet'], {}],
    ['Complete', ['SuccessCriteriaMet', 'Complete'], DELETED],
    ['Failed', ['FailureTarget', 'Failed'], DELETED],
    ['Terminating', ['Suspended'], DELETED],
  ])('a Job is %s with the conditions %s', (expected, types, metadata) => {
    const job = { spec: { template: {} }, status: { conditions: conditions(...types) } };
    expect(rowOf(['batch', 'Job'], job, metadata)['Status']).toBe(expected);
  });

  test('a Job tells how long it took, or has taken so far', () => {
    const durationOf = (status: JsonObject) => rowOf(['batch', 'Job'], { spec: { template: {} }, status })['Duration'];
    expect(durationOf({})).toBe('');
    expect(durationOf({ startTime: CREATED })).toBe('90s');
    expect(durationOf({ startTime: CREATED, completionTime: '2026-11-20T00:00:12Z' })).toBe('12s');
  });

  test.each(['PersistentVolume', 'PersistentVolumeClaim'])('a deleted %s is Terminating, whatever its phase', (kind) => {
    expect(rowOf(['', kind], { spec: {}, status: { phase: 'Bound' } }, DELETED)['Status']).toBe('Terminating');
  });

  test('a claim in use may say its class by the old annotation', () => {
    const metadata = { annotations: { 'volume.beta.kubernetes.io/storage-class': 'old' } };
    expect(rowOf(['', 'PersistentVolumeClaim'], { spec: { storageClassName: 'new' } }, metadata)['StorageClass']).toBe('old');
  });

  test('metrics that an autoscaler of v1 has in annotations are shown as those of v2', () => {
    const wanted = [{ type: 'Pods', pods: { metricName: 'm', targetAverageValue: '3' } }];
    const annotations = { 'autoscaling.alpha.kubernetes.io/metrics': JSON.stringify(wanted) };
    const spec = { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 3 };
    const targetsOf = (metadata: JsonObject, more: JsonObject = {}) =>
      rowOf(['autoscaling', 'HorizontalPodAutoscaler'], { apiVersion: 'autoscaling/v1', spec: { ...spec, ...more } }, metadata)['Targets'];
    expect(targetsOf({ annotations }, { targetCPUUtilizationPercentage: 50 })).toBe('<unknown>/3, cpu: <unknown>/50%');
    expect(targetsOf({ annotations: { 'autoscaling.alpha.kubernetes.io/metrics': 'nonsense' } })).toBe('cpu: <unknown>/80%');
  });

  test('a claim for devices tells how far it has come', () => {
    const stateOf = (status: JsonObject, metadata: JsonObject = {}) =>
      rowOf(['resource.k8s.io', 'ResourceClaim'], { status }, metadata)['State'];
    expect(stateOf({})).toBe('pending');
    expect(stateOf({ allocation: {}, reservedFor: [{}] })).toBe('allocated,reserved');
    expect(stateOf({ allocation: {} }, DELETED)).toBe('deleted,allocated');
    expect(stateOf({}, DELETED)).toBe('deleted');
  });

  test('a signing request tells what was decided before what came of it', () => {
    const stateOf = (status: JsonObject) => rowOf(['certificates.k8s.io', 'CertificateSigningRequest'], { spec: {}, status })['Condition'];
    expect(stateOf({})).toBe('Pending');
    expect(stateOf({ conditions: conditions('Approved'), certificate: 'Yg==' })).toBe('Approved,Issued');
    expect(stateOf({ conditions: conditions('Approved', 'Denied', 'Failed') })).toBe('Denied,Failed');
  });

  test('flow schemas are in the order in which they are tried', () => {
    const { compare } = tableOf('flowcontrol.apiserver.k8s.io', 'FlowSchema');
    const schema = (name: string, matchingPrecedence: number) => ({ metadata: { name }, spec: { matchingPrecedence } });
    const sorted = [schema('b', 2), schema('a', 2), schema('c', 1)].sort((a, b) => compare?.(a, b) ?? 0);
    expect(sorted.map(({ metadata }) => metadata.name)).toEqual(['c', 'a', 'b']);
  });
});
