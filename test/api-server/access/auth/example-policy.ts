import type { ClusterRole, Role, RoleBinding, RoleSource, Subject } from '../../../../src/api-server/access/auth/index.js';

const API_VERSION = 'rbac.authorization.k8s.io/v1';
const RBAC = 'rbac.authorization.k8s.io';

type Rule = NonNullable<Role['rules']>[number];
type Stored<T> = T & { readonly apiVersion: string; readonly kind: string };

export function clusterRole(name: string, rules: readonly Rule[], more: Partial<ClusterRole> = {}): Stored<ClusterRole> {
  return { apiVersion: API_VERSION, kind: 'ClusterRole', metadata: { name }, rules, ...more };
}

export function role(path: string, rules: readonly Rule[]): Stored<Role> {
  const [namespace = '', name = ''] = path.split('/');
  return { apiVersion: API_VERSION, kind: 'Role', metadata: { name, namespace }, rules };
}

/** @param path `name` of a ClusterRoleBinding, `namespace/name` of a RoleBinding; @param ref `Role/name` or `ClusterRole/name` */
export function binding(path: string, ref: string, subjects: readonly Subject[]): Stored<RoleBinding> {
  const [namespace, name = ''] = path.includes('/') ? path.split('/') : [undefined, path];
  const [kind = '', roleName = ''] = ref.split('/');
  return {
    apiVersion: API_VERSION,
    kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    roleRef: { apiGroup: RBAC, kind, name: roleName },
    subjects,
  };
}

export const user = (name: string): Subject => ({ apiGroup: RBAC, kind: 'User', name });
export const group = (name: string): Subject => ({ apiGroup: RBAC, kind: 'Group', name });
export const account = (path: string): Subject => {
  const [namespace = '', name = ''] = path.split('/');
  return { kind: 'ServiceAccount', name, namespace };
};

export interface Policy {
  readonly clusterRoles?: readonly ClusterRole[];
  readonly roles?: readonly Role[];
  readonly clusterRoleBindings?: readonly RoleBinding[];
  readonly roleBindings?: readonly RoleBinding[];
}

export function sourceOf({ clusterRoles = [], roles = [], clusterRoleBindings = [], roleBindings = [] }: Policy): RoleSource {
  return {
    revision: 1,
    clusterRoles: () => clusterRoles,
    roles: () => roles,
    clusterRoleBindings: () => clusterRoleBindings,
    roleBindings: () => roleBindings,
  };
}

/** Roles of every form, in two namespaces: what the differential suite installs. */
export const EXAMPLE_POLICY = {
  clusterRoles: [
    clusterRole('ex-pods', [
      { apiGroups: [''], resources: ['pods', 'pods/log', '*/scale'], verbs: ['get', 'list', 'watch'] },
      { apiGroups: ['apps'], resources: ['*/scale'], verbs: ['*'] },
    ]),
    clusterRole('ex-named', [
      { apiGroups: [''], resources: ['configmaps', 'secrets'], resourceNames: ['a', 'b'], verbs: ['get', 'update'] },
      { apiGroups: ['*'], resources: ['deployments'], verbs: ['get'] },
    ]),
    clusterRole('ex-paths', [{ nonResourceURLs: ['/metrics', '/logs/*', '/deep*'], verbs: ['get', 'post'] }]),
    clusterRole('ex-all-apps', [{ apiGroups: ['apps', 'batch'], resources: ['*'], verbs: ['*'] }]),
  ],
  roles: [
    role('ex-one/local', [{ apiGroups: [''], resources: ['services', 'endpoints'], verbs: ['*'] }]),
    role('ex-two/local', [{ apiGroups: ['', 'batch'], resources: ['jobs', 'pods/exec'], verbs: ['create', 'delete'] }]),
  ],
  clusterRoleBindings: [
    binding('ex-pods', 'ClusterRole/ex-pods', [user('alice'), account('ex-one/robot')]),
    binding('ex-paths', 'ClusterRole/ex-paths', [group('ex-team')]),
    binding('ex-gone', 'ClusterRole/ex-missing', [user('bob')]),
  ],
  roleBindings: [
    binding('ex-one/named', 'ClusterRole/ex-named', [user('bob'), group('ex-team')]),
    binding('ex-one/local', 'Role/local', [account('ex-one/robot'), user('alice')]),
    binding('ex-two/local', 'Role/local', [group('system:serviceaccounts:ex-one')]),
    binding('ex-two/apps', 'ClusterRole/ex-all-apps', [user('alice'), user('carol')]),
    binding('ex-two/gone', 'Role/missing', [user('bob'), user('carol')]),
  ],
} satisfies Policy;
