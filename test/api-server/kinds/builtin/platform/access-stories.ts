import { type KindOfStory, type PlatformStory, story } from './ask.js';

const of = (apiVersion: string, kind: string, plural: string, isNamespaced = true): KindOfStory => ({
  apiVersion,
  kind,
  plural,
  isNamespaced,
});
const RBAC = 'rbac.authorization.k8s.io/v1';
const role = of(RBAC, 'Role', 'roles');
const clusterRole = of(RBAC, 'ClusterRole', 'clusterroles', false);
const roleBinding = of(RBAC, 'RoleBinding', 'rolebindings');
const clusterRoleBinding = of(RBAC, 'ClusterRoleBinding', 'clusterrolebindings', false);
const budget = of('policy/v1', 'PodDisruptionBudget', 'poddisruptionbudgets');
const lease = of('coordination.k8s.io/v1', 'Lease', 'leases');
const priority = of('scheduling.k8s.io/v1', 'PriorityClass', 'priorityclasses', false);
const runtime = of('node.k8s.io/v1', 'RuntimeClass', 'runtimeclasses', false);

const reads = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };

export const accessStories: readonly PlatformStory[] = [
  story(role, 'plain', { metadata: { name: 'system:a.B_c' }, rules: [reads] }, { patch: { rules: [{ verbs: [] }] } }, { delete: {} }),
  story(role, 'empty', {}),
  story(role, 'bad', {
    metadata: { name: 'a%b' },
    rules: [{ verbs: ['get'], nonResourceURLs: ['/x'], apiGroups: [''] }, {}, { verbs: ['x'], apiGroups: [] }],
  }),
  story(clusterRole, 'plain', { rules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }] }, { patch: { rules: null } }, { delete: {} }),
  story(clusterRole, 'aggregated', { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } }),
  story(clusterRole, 'bad aggregation', { aggregationRule: {} }),
  story(clusterRole, 'bad selector', {
    rules: [{ ...reads, nonResourceURLs: ['/'] }],
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { 'a b': 'c' } }, { matchExpressions: [{ key: 'a', operator: 'Is' }] }] },
  }),
  story(
    roleBinding,
    'plain',
    {
      metadata: { name: 'system:x' },
      roleRef: { kind: 'ClusterRole', name: 'system:discovery' },
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'Group', name: 'g' },
        { kind: 'ServiceAccount', name: 's' },
      ],
    },
    { patch: { roleRef: { name: 'other' } } },
    { patch: { subjects: null } },
    { delete: {} },
  ),
  story(roleBinding, 'bad', {
    roleRef: { apiGroup: 'x', kind: 'Other', name: '' },
    subjects: [
      { kind: 'User', name: '', apiGroup: 'x' },
      { kind: 'ServiceAccount', name: 'A', apiGroup: 'x' },
      { kind: 'Other', name: 'o' },
    ],
  }),
  story(
    clusterRoleBinding,
    'plain',
    { roleRef: { kind: 'ClusterRole', name: 'system:discovery' } },
    { put: { roleRef: { kind: 'ClusterRole', name: 'system:discovery' }, subjects: [{ kind: 'User', name: 'x' }] } },
  ),
  story(clusterRoleBinding, 'bad', { roleRef: { kind: 'Role', name: 'a/b' }, subjects: [{ kind: 'ServiceAccount', name: 's' }] }),
  story(
    budget,
    'plain',
    { spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } } },
    { patch: { spec: { minAvailable: '50%' } } },
    { put: { spec: { minAvailable: 2 } } },
    {
      patch: {
        status: {
          disruptionsAllowed: 1,
          conditions: [{ type: 'A', status: 'True', reason: 'B', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }],
        },
      },
      of: 'status',
    },
    {
      patch: {
        status: {
          disruptionsAllowed: -1,
          currentHealthy: -1,
          conditions: [
            { type: 'A b', status: 'X', reason: '1', message: '', lastTransitionTime: null, observedGeneration: -1 },
            { type: 'A b', status: 'True', reason: '', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
          ],
        },
      },
      of: 'status',
    },
    { delete: {} },
  ),
  story(budget, 'both', {
    spec: { minAvailable: 1, maxUnavailable: '10%', selector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] } },
  }),
  story(budget, 'bad', {
    spec: { maxUnavailable: '101%', unhealthyPodEvictionPolicy: 'X', selector: { matchExpressions: [{ key: '-', operator: 'In' }] } },
  }),
  story(budget, 'bad number', { spec: { minAvailable: -1 } }),
  story(budget, 'bad share', { spec: { minAvailable: 'x' } }),
  story(
    lease,
    'plain',
    {
      spec: {
        holderIdentity: 'a',
        leaseDurationSeconds: 15,
        leaseTransitions: 0,
        acquireTime: '2026-01-01T00:00:00.000000Z',
        renewTime: '2026-01-01T00:00:00.123456Z',
        strategy: 'OldestEmulationVersion',
      },
    },
    { put: { spec: { holderIdentity: 'b' } } },
    { patch: { spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } } },
    { delete: {} },
  ),
  story(lease, 'bad', { spec: { leaseDurationSeconds: 0 } }, { put: { spec: { holderIdentity: 'b' } } }),
  story(
    priority,
    'plain',
    { value: 1000, description: 'x' },
    { patch: { value: 1 } },
    { patch: { preemptionPolicy: 'Never' } },
    { patch: { description: 'y' } },
    { delete: {} },
  ),
  story(priority, 'too high', { value: 1000000001, preemptionPolicy: 'X' }),
  story(priority, 'system', { metadata: { name: 'system-x' }, value: 1 }),
  story(
    runtime,
    'plain',
    {
      handler: 'h',
      overhead: { podFixed: { cpu: '100m' } },
      scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ key: 'a', operator: 'Exists' }] },
    },
    { patch: { handler: 'other' } },
    { patch: { scheduling: null } },
    { put: { handler: 'h' } },
  ),
  story(runtime, 'bad', {
    handler: 'H',
    overhead: { podFixed: { foo: '1', cpu: '-1' } },
    scheduling: {
      nodeSelector: { 'a b': 'c' },
      tolerations: [
        { key: 'a', operator: 'X' },
        { key: 'b', operator: 'Exists' },
        { key: 'b', operator: 'Exists' },
      ],
    },
  }),
];
