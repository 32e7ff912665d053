import { bindingWriteRefusal, RbacAuthorizer, roleWriteRefusal, type UserInfo } from '../../../../src/api-server/access/auth/index.js';
import { binding, clusterRole, role, sourceOf, user } from './example-policy.js';

const jane: UserInfo = { username: 'jane', groups: ['system:authenticated'] };

function authorizerWith(...rules: Parameters<typeof clusterRole>[1]): RbacAuthorizer {
  return new RbacAuthorizer(
    sourceOf({
      clusterRoles: [
        clusterRole('owned', rules),
        clusterRole('target', [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }]),
      ],
      clusterRoleBindings: [binding('owner', 'ClusterRole/owned', [user('jane')])],
    }),
  );
}

function refusalOf(rule: object, authorizer: RbacAuthorizer): string | undefined {
  const object = role('ns/new', [rule as never]);
  return roleWriteRefusal({ user: jane, namespace: 'ns', object, resource: 'roles', requestName: '' }, authorizer)?.status.message;
}

const pods = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };

test.each<[object, object, boolean]>([
  [pods, pods, true],
  [pods, { ...pods, resourceNames: ['a'] }, true],
  [{ ...pods, resourceNames: ['a'] }, pods, false],
  [{ ...pods, resourceNames: ['a', 'b'] }, { ...pods, resourceNames: ['b'] }, true],
  [{ ...pods, verbs: ['*'] }, { ...pods, verbs: ['anything'] }, true],
  [{ ...pods, verbs: ['get', 'list'] }, { ...pods, verbs: ['*'] }, false],
  [{ ...pods, resources: ['*'] }, { ...pods, resources: ['pods/exec'] }, true],
  [{ ...pods, resources: ['*/exec'] }, { ...pods, resources: ['pods/exec'] }, true],
  [{ ...pods, resources: ['*/exec'] }, { ...pods, resources: ['exec'] }, false],
  [{ ...pods, resources: ['pods', 'pods/exec'] }, { ...pods, resources: ['*'] }, false],
  [{ nonResourceURLs: ['/a/*'], verbs: ['get'] }, { nonResourceURLs: ['/a/b*', '/a/'], verbs: ['get'] }, true],
  [{ nonResourceURLs: ['/a/*'], verbs: ['get'] }, { nonResourceURLs: ['/a'], verbs: ['get'] }, false],
])('who owns %j may grant %j: %s', (owned, granted, allowed) => {
  expect(refusalOf(granted, authorizerWith(owned as never)) === undefined).toBe(allowed);
});

test('what is missing is told in a few sorted lines', () => {
  const granted = { apiGroups: [''], resources: ['secrets', 'pods'], verbs: ['list', 'get'] };
  expect(refusalOf(granted, authorizerWith(pods))).toBe(
    'roles.rbac.authorization.k8s.io "new" is forbidden: user "jane" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n' +
      '{APIGroups:[""], Resources:["pods"], Verbs:["list"]}\n' +
      '{APIGroups:[""], Resources:["secrets"], Verbs:["list" "get"]}',
  );
});

test('escalate and bind open what is named, masters need neither', () => {
  const authorizer = authorizerWith(
    { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'], resourceNames: ['free'], verbs: ['escalate'] },
    { apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], resourceNames: ['target'], verbs: ['bind'] },
  );
  const write = { user: jane, namespace: 'ns', object: role('ns/free', [pods]), resource: 'roles' } as const;
  expect(roleWriteRefusal({ ...write, requestName: 'free' }, authorizer)).toBeUndefined();
  expect(roleWriteRefusal({ ...write, requestName: 'other' }, authorizer)?.status.code).toBe(403);
  const bind = (ref: string, who = jane) =>
    bindingWriteRefusal({ user: who, namespace: 'ns', object: binding('ns/b', ref, []), resource: 'rolebindings' }, authorizer)?.status
      .code;
  expect([bind('ClusterRole/target'), bind('ClusterRole/owned'), bind('ClusterRole/gone'), bind('Other/x')]).toEqual([
    undefined,
    undefined,
    404,
    500,
  ]);
  expect(bind('ClusterRole/gone', { username: 'root', groups: ['system:masters'] })).toBeUndefined();
});

test('the garbage collector may take a finalizer from a role that grants more than it has', () => {
  const old = {
    ...role('ns/strong', [pods]),
    metadata: { name: 'strong', namespace: 'ns', finalizers: ['foregroundDeletion'], resourceVersion: '5' },
  };
  const authorizer = authorizerWith();
  const write = { user: jane, namespace: 'ns', old, resource: 'roles', requestName: 'strong' } as const;
  const without = { ...old, metadata: { ...old.metadata, finalizers: [] } };
  expect(roleWriteRefusal({ ...write, object: without }, authorizer)).toBeUndefined();
  const labelled = { ...without, metadata: { ...without.metadata, labels: { a: 'b' } } };
  expect(roleWriteRefusal({ ...write, object: labelled }, authorizer)?.status.code).toBe(403);
});

test('an aggregated role may hold anything, so only who has everything writes one', () => {
  const aggregated = clusterRole('agg', [], { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } });
  const write = { user: jane, namespace: '', object: aggregated, resource: 'clusterroles', requestName: '' } as const;
  expect(roleWriteRefusal(write, authorizerWith(pods))?.status.message).toMatch(
    /must have cluster-admin privileges to use the aggregationRule$/,
  );
  const everything = [
    { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
    { nonResourceURLs: ['*'], verbs: ['*'] },
  ];
  expect(roleWriteRefusal(write, authorizerWith(...everything))).toBeUndefined();
});
