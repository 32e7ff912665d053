import fc from 'fast-check';
import {
  type Attributes,
  aggregateClusterRoles,
  bootstrapPolicy,
  RbacAuthorizer,
  type UserInfo,
} from '../../../../src/api-server/access/auth/index.js';
import { account, binding, clusterRole, group, role, sourceOf, user } from './example-policy.js';

const jane: UserInfo = { username: 'jane', groups: ['team'] };
const asked = (more: object): Attributes =>
  ({ type: 'resource', user: jane, verb: 'get', apiGroup: '', resource: 'pods', ...more }) as Attributes;
const askedPath = (path: string, verb = 'get'): Attributes => ({ type: 'path', user: jane, verb, path });

function authorizerOf(rule: object, subject = user('jane')): RbacAuthorizer {
  const clusterRoles = [clusterRole('r', [{ apiGroups: [''], resources: ['pods'], verbs: ['get'], ...rule }])];
  return new RbacAuthorizer(sourceOf({ clusterRoles, clusterRoleBindings: [binding('b', 'ClusterRole/r', [subject])] }));
}

test.each<[object, object, boolean]>([
  [{}, {}, true],
  [{ verbs: ['*'] }, { verb: 'deletecollection' }, true],
  [{}, { verb: 'list' }, false],
  [{}, { apiGroup: 'apps' }, false],
  [{ apiGroups: ['*'] }, { apiGroup: 'apps' }, true],
  [{ apiGroups: null }, {}, false],
  // A subresource is a thing of its own.
  [{}, { subresource: 'log' }, false],
  [{ resources: ['pods/log'] }, { subresource: 'log' }, true],
  [{ resources: ['pods/log'] }, {}, false],
  [{ resources: ['*'] }, { subresource: 'log' }, true],
  [{ resources: ['pods/*'] }, { subresource: 'log' }, false],
  [{ resources: ['*/scale'] }, { subresource: 'scale' }, true],
  [{ resources: ['*/scale'] }, { subresource: 'downscale' }, false],
  [{ resources: ['*/scale'] }, { resource: 'scale' }, false],
  // A name is needed where names are given.
  [{ resourceNames: ['a'] }, { name: 'a' }, true],
  [{ resourceNames: ['a'] }, { name: 'b' }, false],
  [{ resourceNames: ['a'] }, { verb: 'get' }, false],
  [{ resourceNames: [] }, { name: 'b' }, true],
  [{ resourceNames: ['*'] }, { name: 'b' }, false],
])('rule %j, request %j: %s', (rule, request, allowed) => {
  expect(authorizerOf(rule).authorize(asked(request)).allowed).toBe(allowed);
});

test.each([
  ['/healthz', '/healthz', true],
  ['/healthz', '/healthz/', false],
  ['/healthz/*', '/healthz/', true],
  ['/healthz/*', '/healthz', false],
  ['/api*', '/apis/apps', true],
  ['*', '/anything', true],
  ['/*/x', '/a/x', false],
  ['/a**', '/ab', true],
])('path rule %s, path %s: %s', (pattern, path, allowed) => {
  expect(authorizerOf({ nonResourceURLs: [pattern] }).authorize(askedPath(path)).allowed).toBe(allowed);
});

test.each([
  [user('jane'), true],
  [user('team'), false],
  [group('team'), true],
  [group('jane'), false],
  [{ kind: 'Unknown', name: 'jane' }, false],
])('subject %j: %s', (subject, allowed) => {
  expect(authorizerOf({}, subject).authorize(asked({})).allowed).toBe(allowed);
});

test('a service account is a subject by its namespace, which a ClusterRoleBinding must tell', () => {
  const robot: UserInfo = { username: 'system:serviceaccount:ns:robot', groups: [] };
  const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
  const allowed = (path: string, subject: object) => {
    const bindings = [binding(path, 'ClusterRole/r', [subject as never])];
    const where = path.includes('/') ? { roleBindings: bindings } : { clusterRoleBindings: bindings };
    const authorizer = new RbacAuthorizer(sourceOf({ clusterRoles: [clusterRole('r', rules)], ...where }));
    return authorizer.authorize(asked({ user: robot, namespace: 'ns' })).allowed;
  };
  expect(allowed('b', account('ns/robot'))).toBe(true);
  expect(allowed('b', account('other/robot'))).toBe(false);
  expect(allowed('b', { kind: 'ServiceAccount', name: 'robot' })).toBe(false);
  // A token file may name anybody.
  const odd = { username: 'system:serviceaccount::robot', groups: [] };
  expect(authorizerOf({}, { kind: 'ServiceAccount', name: 'robot' } as never).authorize(asked({ user: odd })).allowed).toBe(false);
  expect(allowed('ns/b', { kind: 'ServiceAccount', name: 'robot' })).toBe(true);
  expect(allowed('b', user('system:serviceaccount:ns:robot'))).toBe(true);
});

test('a RoleBinding counts in its namespace alone, with the Role of that namespace', () => {
  const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
  const roles = [role('one/r', rules), role('two/r', [])];
  const roleBindings = [binding('one/b', 'Role/r', [user('jane')]), binding('two/b', 'Role/r', [user('jane')])];
  const authorizer = new RbacAuthorizer(sourceOf({ roles, roleBindings }));
  const decide = (namespace: string) => authorizer.authorize(asked({ namespace }));
  expect(decide('one')).toEqual({ allowed: true, reason: 'RBAC: allowed by RoleBinding "b/one" of Role "r" to User "jane"' });
  expect([decide('two').allowed, decide('three').allowed, decide('').allowed]).toEqual([false, false, false]);
});

test('a write to the policy counts as soon as the revision changes', () => {
  const clusterRoles = [clusterRole('r', [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }])];
  const bindings = [binding('b', 'ClusterRole/r', [user('jane')])];
  let revision = 1;
  const source = { ...sourceOf({ clusterRoles, clusterRoleBindings: bindings }) };
  Object.defineProperty(source, 'revision', { get: () => revision });
  const authorizer = new RbacAuthorizer(source);
  expect(authorizer.authorize(asked({})).allowed).toBe(true);
  bindings.pop();
  revision += 1;
  expect(authorizer.authorize(asked({})).allowed).toBe(false);
});

test('missing roles are told once each, and only to who is refused', () => {
  const roleBindings = [
    binding('ns/a', 'Role/gone', [user('jane')]),
    binding('ns/b', 'Role/gone', [user('jane')]),
    binding('ns/c', 'ClusterRole/gone', [group('team')]),
    binding('ns/d', 'Other/gone', [group('team')]),
  ];
  const { reason } = new RbacAuthorizer(sourceOf({ roleBindings })).authorize(asked({ namespace: 'ns' }));
  expect(reason).toBe(
    'rbac: RBAC: [role.rbac.authorization.k8s.io "gone" not found, clusterrole.rbac.authorization.k8s.io "gone" not found, unsupported role reference kind: "Other"]',
  );
});

test('masters may do everything without any policy', () => {
  const root: UserInfo = { username: 'root', groups: ['system:masters'] };
  expect(new RbacAuthorizer(sourceOf({})).authorize(asked({ user: root, verb: 'anything' }))).toEqual({ allowed: true, reason: '' });
});

describe('with the bootstrap policy', () => {
  const policy = bootstrapPolicy();
  const filled = aggregateClusterRoles(policy.clusterRoles);
  const clusterRoles = policy.clusterRoles.map((one) => ({ ...one, rules: filled.get(one.metadata.name ?? '') ?? one.rules ?? [] }));
  const authorizer = new RbacAuthorizer(
    sourceOf({ ...policy, clusterRoles, roleBindings: [binding('ns/v', 'ClusterRole/view', [user('jane')])] }),
  );

  test('aggregated roles hold each other', () => {
    expect([...filled.keys()].sort()).toEqual(['admin', 'edit', 'view']);
    const size = (name: string) => filled.get(name)?.length ?? 0;
    expect(size('admin')).toBeGreaterThan(size('edit'));
    expect(size('edit')).toBeGreaterThan(size('view'));
    expect(aggregateClusterRoles(clusterRoles).size).toBe(0);
  });

  test('a viewer sees Pods but no Secrets', () => {
    expect(authorizer.authorize(asked({ namespace: 'ns', subresource: 'log' })).allowed).toBe(true);
    expect(authorizer.authorize(asked({ namespace: 'ns', resource: 'secrets' })).allowed).toBe(false);
  });

  test('anybody may ask for the version and the health', () => {
    const anonymous: UserInfo = { username: 'system:anonymous', groups: ['system:unauthenticated'] };
    const allowed = (path: string) => authorizer.authorize({ type: 'path', user: anonymous, verb: 'get', path }).allowed;
    expect(['/healthz', '/livez', '/readyz', '/version', '/api', '/metrics'].map(allowed)).toEqual([true, true, true, true, false, false]);
  });

  test('each call gives objects of its own', () => {
    expect(bootstrapPolicy().clusterRoles[0]).not.toBe(policy.clusterRoles[0]);
    expect(bootstrapPolicy()).toEqual(policy);
  });
});

test('aggregation ends where roles hold each other in a circle', () => {
  const selecting = (label: string) => ({ aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [label]: 'x' } }] } });
  const rule = { apiGroups: ['a'], resources: ['r'], verbs: ['get'] };
  const roles = [
    clusterRole('a', [], { metadata: { name: 'a', labels: { toB: 'x' } }, ...selecting('toA') }),
    clusterRole('b', [], { metadata: { name: 'b', labels: { toA: 'x' } }, ...selecting('toB') }),
    clusterRole('leaf', [rule], { metadata: { name: 'leaf', labels: { toA: 'x' } } }),
  ];
  expect(Object.fromEntries(aggregateClusterRoles(roles))).toEqual({ a: [rule], b: [rule] });
});

test('who has more rules is never refused more', () => {
  const word = fc.constantFrom('', 'a', 'b', '*');
  const words = fc.array(word, { maxLength: 3 });
  const rules = fc.array(fc.record({ apiGroups: words, resources: words, verbs: words }), { maxLength: 4 });
  fc.assert(
    fc.property(rules, rules, word, word, (some, more, verb, resource) => {
      const decide = (list: typeof some) => {
        const clusterRoles = [clusterRole('r', list)];
        const authorizer = new RbacAuthorizer(
          sourceOf({ clusterRoles, clusterRoleBindings: [binding('b', 'ClusterRole/r', [user('jane')])] }),
        );
        return authorizer.authorize(asked({ verb, resource })).allowed;
      };
      return !decide(some) || decide([...more, ...some]);
    }),
  );
});
