import {
  Authenticator,
  reviewLocalSubjectAccess,
  reviewSelfSubject,
  reviewSelfSubjectRules,
  reviewSubjectAccess,
  reviewToken,
  ServiceAccountTokens,
} from '../../../../src/api-server/access/auth/index.js';

const nobody = { authorize: () => ({ allowed: false, reason: '' }) };

test('a subject is taken as it is written: nobody becomes authenticated by being asked about', () => {
  const seen: unknown[] = [];
  const authorizer = {
    authorize: (attributes: object) => {
      seen.push(attributes);
      return { allowed: true, reason: 'because' };
    },
  };
  const spec = {
    user: 'u',
    groups: ['g'],
    uid: '1',
    extra: { k: ['v'] },
    resourceAttributes: {
      verb: 'get',
      group: 'apps',
      resource: 'deployments',
      subresource: 'scale',
      namespace: 'n',
      name: 'x',
      version: 'v1',
    },
  };
  expect(reviewSubjectAccess({ spec }, authorizer)).toEqual({
    kind: 'SubjectAccessReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: {},
    spec,
    status: { allowed: true, reason: 'because' },
  });
  expect(seen).toEqual([
    {
      type: 'resource',
      user: { username: 'u', groups: ['g'], uid: '1', extra: { k: ['v'] } },
      verb: 'get',
      apiGroup: 'apps',
      resource: 'deployments',
      subresource: 'scale',
      namespace: 'n',
      name: 'x',
    },
  ]);
});

test('a local review stays in its namespace', () => {
  const spec = { user: 'u', resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'a' } };
  expect(reviewLocalSubjectAccess({ metadata: { namespace: 'a' }, spec }, 'a', nobody)['status']).toEqual({ allowed: false });
  expect(() => reviewLocalSubjectAccess({ metadata: { namespace: 'a' }, spec }, 'b', nobody)).toThrow(/must match namespace: b/);
  expect(() => reviewLocalSubjectAccess({ metadata: { namespace: 'b' }, spec }, 'b', nobody)).toThrow(/must match metadata.namespace/);
});

test('a rules review tells rules of both kinds, without empty lists, and missing roles', () => {
  const rules = [
    { verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: [] },
    { verbs: ['get'], nonResourceURLs: ['/x'] },
  ];
  const missing = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'gone' }];
  const resolver = { rulesFor: () => ({ rules, missing }) };
  expect(reviewSelfSubjectRules({ spec: { namespace: 'n' } }, { username: 'u', groups: [] }, resolver)['status']).toEqual({
    resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }],
    nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }],
    incomplete: false,
    evaluationError: 'role.rbac.authorization.k8s.io "gone" not found',
  });
});

test('a token review does not tell a user of a token that is for somebody else', () => {
  const robot = { metadata: { name: 'robot', namespace: 'ns', uid: 'u' } };
  const tokens = new ServiceAccountTokens({ find: () => robot, now: () => 0 });
  const authenticator = new Authenticator({ serviceAccountTokens: tokens });
  const token = tokens.issue({ serviceAccount: robot, audiences: ['vault'], expirationSeconds: 600 });
  const statusOf = (audiences?: string[]) =>
    reviewToken({ spec: { token, ...(audiences === undefined ? {} : { audiences }) } }, authenticator)['status'];
  expect(statusOf(['vault', 'x'])).toMatchObject({ authenticated: true, audiences: ['vault'], user: { uid: 'u' } });
  expect(statusOf()).toEqual({ user: {}, error: expect.stringMatching(/is invalid for the target audiences/) });
});

test('who I am is what the server has found out', () => {
  const user = { username: 'u', groups: ['g'], extra: {} };
  expect(reviewSelfSubject(user, '2030-01-01T00:00:00Z')).toEqual({
    kind: 'SelfSubjectReview',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { creationTimestamp: '2030-01-01T00:00:00Z' },
    status: { userInfo: { username: 'u', groups: ['g'] } },
  });
});
