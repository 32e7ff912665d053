import { clusterWide, namespaced, type Story, story } from '../stories/story.js';

const RBAC = 'rbac.authorization.k8s.io/v1';
const role = namespaced(RBAC, 'Role', 'roles');
const clusterRole = clusterWide(RBAC, 'ClusterRole', 'clusterroles');
const roleBinding = namespaced(RBAC, 'RoleBinding', 'rolebindings');
const clusterRoleBinding = clusterWide(RBAC, 'ClusterRoleBinding', 'clusterrolebindings');
const reads = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };

export const rbacStories: readonly Story[] = [
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
];
