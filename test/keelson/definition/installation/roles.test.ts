import {
  type InstalledRoles,
  installedRoles,
  type RolesOptions,
  roleObjects,
} from '../../../../src/keelson/definition/installation/roles.js';

const rule = (resource: string) => ({ apiGroups: ['example.com'], resources: [resource], verbs: ['get'] });

const permissions = { cluster: [rule('a')], watched: [rule('b')], own: [rule('c')], named: { shop: [rule('d')] }, grants: [] };

const OPTIONS: RolesOptions = {
  name: 'web',
  namespace: 'web-system',
  names: { runtimeRole: 'web-runtime', metricsReader: 'web-metrics-reader' },
  labels: { app: 'web' },
  serviceAccount: 'web-account',
  permissions,
  metricsReaders: undefined,
};

const placesOf = (roles: InstalledRoles): string[] =>
  roleObjects(roles).map(({ kind, metadata: { namespace = '', name } }) => `${kind} ${namespace}/${name}`);

test('each role comes before its binding, and has the rights of its place alone', () => {
  const roles = installedRoles({ ...OPTIONS, watchedNamespaces: ['blog', 'shop'] });
  expect(placesOf(roles)).toEqual([
    'ClusterRole /web',
    'ClusterRoleBinding /web',
    'Role blog/web',
    'RoleBinding blog/web',
    'Role shop/web',
    'RoleBinding shop/web',
    'Role web-system/web-runtime',
    'RoleBinding web-system/web-runtime',
  ]);
  expect(roles.byNamespace.get('blog')?.role['rules']).toEqual([rule('b')]);
  expect(roles.byNamespace.get('shop')?.role['rules']).toEqual([{ ...rule('b'), resources: ['b', 'd'] }]);
});

test('a binding names the role and the account in the namespace of the process', () => {
  const { binding } = installedRoles(OPTIONS).byNamespace.get('shop') ?? {};
  expect(binding).toEqual({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' } },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'web' },
    subjects: [{ kind: 'ServiceAccount', name: 'web-account', namespace: 'web-system' }],
  });
});

test('a role that would grant nothing is left out, and extra rules make one', () => {
  const nothing = { cluster: [], watched: [], own: [], named: {}, grants: [] };
  expect(placesOf(installedRoles({ ...OPTIONS, permissions: nothing }))).toEqual([]);
  const extraRules = { cluster: [rule('x')] };
  expect(placesOf(installedRoles({ ...OPTIONS, permissions: nothing, extraRules }))).toEqual([
    'ClusterRole /web',
    'ClusterRoleBinding /web',
  ]);
});

test('the right to read metrics is a role without a binding until somebody is to have it', () => {
  expect(installedRoles({ ...OPTIONS, metricsReaders: [] }).metricsReader).toMatchObject({
    role: { metadata: { name: 'web-metrics-reader' }, rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }] },
    binding: undefined,
  });
  const readers = [{ name: 'prometheus', namespace: 'monitoring' }];
  expect(installedRoles({ ...OPTIONS, metricsReaders: readers }).metricsReader?.binding?.['subjects']).toEqual([
    { kind: 'ServiceAccount', name: 'prometheus', namespace: 'monitoring' },
  ]);
});
