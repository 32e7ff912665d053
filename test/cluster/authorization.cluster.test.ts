import {
  type Attributes,
  aggregateClusterRoles,
  bindingWriteRefusal,
  type ClusterRole,
  forbiddenError,
  RbacAuthorizer,
  type Role,
  type RoleBinding,
  type RoleSource,
  reviewLocalSubjectAccess,
  reviewSelfSubjectAccess,
  reviewSelfSubjectRules,
  reviewSubjectAccess,
  roleWriteRefusal,
  serviceAccountGroups,
  serviceAccountUsername,
  type UserInfo,
} from '../../src/api-server/access/auth/index.js';
import { statusBody } from '../../src/api-server/status/index.js';
import { account, binding, clusterRole, EXAMPLE_POLICY, role, sourceOf, user } from '../api-server/access/auth/example-policy.js';
import { Random } from '../api-server/values/apply/differential/random.js';
import { eventually } from '../eventually.js';
import { describeCluster, type LocalCluster, startCluster, type TestObject } from './harness/index.js';
import { rawRequest } from './raw-request.js';
import { answerOf, withoutBookkeeping } from './review-answer.js';

const SEED = Number(process.env['AUTH_SEED'] ?? 20_260_101);
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const ACCESS = '/apis/authorization.k8s.io/v1';
const REVIEWS = {
  subjectaccessreviews: 'SubjectAccessReview',
  selfsubjectaccessreviews: 'SelfSubjectAccessReview',
  selfsubjectrulesreviews: 'SelfSubjectRulesReview',
  'namespaces/ex-one/localsubjectaccessreviews': 'LocalSubjectAccessReview',
} as const;
const NAMESPACES = ['ex-one', 'ex-two'];

const person = (username: string, ...groups: string[]): UserInfo => ({ username, groups: [...groups, 'system:authenticated'] });
const robot: UserInfo = {
  username: serviceAccountUsername('ex-one', 'robot'),
  groups: [...serviceAccountGroups('ex-one'), 'system:authenticated'],
};
const USERS = [
  person('alice', 'ex-people'),
  person('bob', 'ex-people'),
  person('carol', 'ex-team'),
  person('dave', 'ex-team', 'ex-other'),
  robot,
];

describeCluster('authorization beside a real server', () => {
  let cluster: LocalCluster;
  let source: RoleSource;
  let authorizer: RbacAuthorizer;

  beforeAll(async () => {
    const users = Object.fromEntries(USERS.slice(0, 4).map(({ username, groups }) => [username, groups.slice(0, -1)]));
    cluster = await startCluster({ users });
    for (const name of NAMESPACES)
      await cluster.must('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    const { clusterRoles, roles, clusterRoleBindings, roleBindings } = EXAMPLE_POLICY;
    for (const object of [...clusterRoles, ...roles, ...clusterRoleBindings, ...roleBindings]) await create(object);
    source = await readSource();
    authorizer = new RbacAuthorizer(source);
    // The server learns of its own policy by a watch for each kind; the last object of each decides.
    const ask = async (user: string, groups: readonly string[], question: object) =>
      (await review('subjectaccessreviews', { spec: { user, groups, resourceAttributes: { ...question, namespace: 'ex-two' } } })).body
        .status;
    const areKnown = async () => {
      const [clusterRole, role, bindings] = await Promise.all([
        ask('carol', [], { verb: 'get', group: 'apps', resource: 'deployments' }),
        ask('robot', ['system:serviceaccounts:ex-one'], { verb: 'create', resource: 'jobs' }),
        ask('bob', [], { verb: 'get', resource: 'pods' }),
      ]);
      const missing = ['"ex-missing" not found', '"missing" not found'];
      return clusterRole.allowed && role.allowed && missing.every((text) => bindings.reason?.includes(text));
    };
    await eventually(areKnown);
  });
  afterAll(() => cluster?.stop());

  function pathOf({ kind, metadata: { namespace } }: { kind: string; metadata: { namespace?: string | undefined } }): string {
    return `${RBAC}${namespace === undefined ? '' : `/namespaces/${namespace}`}/${kind.toLowerCase()}s`;
  }

  const create = (object: { kind: string; metadata: { namespace?: string | undefined } }) => cluster.must('POST', pathOf(object), object);

  interface ReviewAnswer {
    readonly status: { readonly allowed: boolean; readonly reason?: string };
  }

  function review(plural: keyof typeof REVIEWS, question: object, options = {}): Promise<{ status: number; body: ReviewAnswer }> {
    const body = { kind: REVIEWS[plural], ...question };
    return cluster.request<ReviewAnswer>('POST', `${ACCESS}/${plural}`, { apiVersion: 'authorization.k8s.io/v1', ...body }, options);
  }

  async function readSource(): Promise<RoleSource> {
    const read = async <T>(plural: string) => (await cluster.must<{ items: T[] }>('GET', `${RBAC}/${plural}`)).items;
    return sourceOf({
      clusterRoles: await read<ClusterRole>('clusterroles'),
      roles: await read<Role>('roles'),
      clusterRoleBindings: await read<RoleBinding>('clusterrolebindings'),
      roleBindings: await read<RoleBinding>('rolebindings'),
    });
  }

  /** Which of several bindings a real server names is chance: every reason that one binding alone gives. */
  function possibleReasons(attributes: Attributes): string[] {
    const alone = [
      ...[...source.clusterRoleBindings()].map((one) => ({ ...source, clusterRoleBindings: () => [one], roleBindings: () => [] })),
      ...[...source.roleBindings()].map((one) => ({ ...source, clusterRoleBindings: () => [], roleBindings: () => [one] })),
    ];
    return alone.map((one) => new RbacAuthorizer(one).authorize(attributes)).flatMap(({ allowed, reason }) => (allowed ? [reason] : []));
  }

  function randomAttributes(random: Random): Attributes {
    const verb = random.one(['get', 'list', 'watch', 'create', 'update', 'delete', 'post', 'escalate', '*']);
    const who = random.one([...USERS, person('nobody'), { username: 'root', groups: ['system:masters'] }]);
    if (random.chance(0.15)) {
      const path = random.one([
        '/metrics',
        '/metrics/x',
        '/logs',
        '/logs/',
        '/logs/a',
        '/deep',
        '/deeper',
        '/healthz',
        '/api',
        '/version/',
        '/',
      ]);
      return { type: 'path', user: who, verb, path };
    }
    const [apiGroup = '', resource = '', subresource = ''] = random.one([
      ['', 'pods'],
      ['', 'pods', 'log'],
      ['', 'pods', 'exec'],
      ['', 'configmaps'],
      ['', 'secrets'],
      ['', 'services'],
      ['', 'endpoints'],
      ['apps', 'deployments'],
      ['apps', 'deployments', 'scale'],
      ['', 'replicationcontrollers', 'scale'],
      ['batch', 'jobs'],
      ['extensions', 'deployments'],
      ['authorization.k8s.io', 'selfsubjectaccessreviews'],
      ['', '*'],
    ]);
    const namespace = random.one(['', 'ex-one', 'ex-two', 'default']);
    return { type: 'resource', user: who, verb, apiGroup, resource, subresource, namespace, name: random.one(['', 'a', 'c']) };
  }

  test('random questions are answered alike, with the same reason', async () => {
    const random = new Random(SEED);
    const counts = { allowed: 0, denied: 0, missing: 0 };
    for (let step = 0; step < 400; step += 1) {
      const attributes = randomAttributes(random);
      const { username, groups } = attributes.user;
      const { verb } = attributes;
      const spec =
        attributes.type === 'path'
          ? { user: username, groups, nonResourceAttributes: { verb, path: attributes.path } }
          : { user: username, groups, resourceAttributes: withoutUser(attributes) };
      const real = (await review('subjectaccessreviews', { spec })).body.status;
      const ours = reviewSubjectAccess({ spec }, authorizer)['status'] as typeof real;
      const decision = authorizer.authorize(attributes);
      counts[decision.allowed ? 'allowed' : 'denied'] += 1;
      if (!decision.allowed && decision.reason !== '') counts.missing += 1;
      expect({ attributes, ...real, reason: undefined }).toEqual({ attributes, ...ours, reason: undefined });
      expect({ attributes, words: wordsOf(ours.reason) }).toEqual({ attributes, words: wordsOf(decision.reason) });
      if (decision.allowed && real.reason !== undefined) expect(possibleReasons(attributes)).toContain(real.reason);
      else expect({ attributes, words: wordsOf(real.reason) }).toEqual({ attributes, words: wordsOf(decision.reason) });
    }
    expect(counts.allowed).toBeGreaterThan(60);
    expect(counts.denied).toBeGreaterThan(60);
    expect(counts.missing).toBeGreaterThan(10);
  });

  function withoutUser({ user: _, type: __, apiGroup: group, ...rest }: Extract<Attributes, { type: 'resource' }>): object {
    return { group, ...rest };
  }

  /** Several missing roles come in any order. */
  function wordsOf(reason = ''): string[] {
    return reason
      .replace(/^(?:rbac: )?RBAC: \[?|\]$/g, '')
      .split(', ')
      .sort();
  }

  test('a rules review lists the same rules', async () => {
    for (const one of USERS) {
      for (const namespace of [...NAMESPACES, 'default']) {
        const impersonated = { impersonate: { user: one.username, groups: one.groups } };
        const real = (await review('selfsubjectrulesreviews', { spec: { namespace } }, impersonated)).body.status as never;
        const ours = reviewSelfSubjectRules({ spec: { namespace } }, one, authorizer)['status'];
        expect(sortedRules(ours)).toEqual(sortedRules(real));
      }
    }
  });

  function sortedRules(status: unknown): unknown {
    const { resourceRules, nonResourceRules, evaluationError, ...rest } = status as Record<string, unknown[]> & {
      evaluationError?: string;
    };
    const sorted = (list: unknown[] | undefined) => list?.map((item) => JSON.stringify(item)).sort();
    return { ...rest, error: wordsOf(evaluationError), resources: sorted(resourceRules), paths: sorted(nonResourceRules) };
  }

  test.each([
    ['GET', '/api/v1/namespaces/ex-one/secrets/x', { verb: 'get', resource: 'secrets', namespace: 'ex-one', name: 'x' }],
    ['GET', '/api/v1/namespaces/ex-one/pods', { verb: 'list', resource: 'pods', namespace: 'ex-one' }],
    ['GET', '/api/v1/pods', { verb: 'list', resource: 'pods' }],
    ['GET', '/api/v1/nodes/n', { verb: 'get', resource: 'nodes', name: 'n' }],
    ['GET', '/api/v1/namespaces/ex-one', { verb: 'get', resource: 'namespaces', namespace: 'ex-one', name: 'ex-one' }],
    ['GET', '/api/v1/namespaces', { verb: 'list', resource: 'namespaces' }],
    ['GET', '/api/v1/namespaces/ex-one/pods/p/log', { verb: 'get', resource: 'pods', subresource: 'log', namespace: 'ex-one', name: 'p' }],
    [
      'GET',
      '/apis/apps/v1/namespaces/ex-one/deployments?watch=1',
      { verb: 'watch', apiGroup: 'apps', resource: 'deployments', namespace: 'ex-one' },
    ],
    [
      'DELETE',
      '/apis/apps/v1/namespaces/ex-one/deployments',
      { verb: 'deletecollection', apiGroup: 'apps', resource: 'deployments', namespace: 'ex-one' },
    ],
    [
      'DELETE',
      `${RBAC}/clusterroles/admin`,
      { verb: 'delete', apiGroup: 'rbac.authorization.k8s.io', resource: 'clusterroles', name: 'admin' },
    ],
    ['GET', '/apis/unknown.example.com/v1/things/t', { verb: 'get', apiGroup: 'unknown.example.com', resource: 'things', name: 't' }],
    ['GET', '/api/v1/namespaces/ex-two/things', { verb: 'list', resource: 'things', namespace: 'ex-two' }],
    ['GET', '/metrics', { path: '/metrics', verb: 'get' }],
    ['GET', '/a/%3Cb%3E&c', { path: '/a/<b>&c', verb: 'get' }],
    [
      'DELETE',
      '/api/v1/namespaces/ex-one/configmaps/%3Cx%3E',
      { verb: 'delete', resource: 'configmaps', namespace: 'ex-one', name: '<x>' },
    ],
  ] as const)('a denied request is refused in the same words: %s %s', async (method, path, asked) => {
    const bob = person('bob', 'ex-people');
    const attributes: Attributes =
      'path' in asked ? { type: 'path', user: bob, ...asked } : { type: 'resource', user: bob, apiGroup: '', ...asked };
    const { allowed, reason } = authorizer.authorize(attributes);
    expect(allowed).toBe(false);
    const headers = { authorization: `Bearer ${cluster.connection.tokens['bob']}` };
    const real = await rawRequest(`${cluster.url}${path}`, { method, headers, ca: cluster.connection.ca });
    expect(real).toEqual({ status: 403, body: statusBody(forbiddenError(attributes, reason).status) });
  });

  describe('nobody grants what they do not have', () => {
    const right = { apiGroups: [''], resources: ['services'], verbs: ['get', 'list'] };
    const secret = [
      { apiGroups: [''], resources: ['secrets', 'pods/exec'], verbs: ['get', 'list'] },
      { apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['b', 'a'], verbs: ['*'] },
      { nonResourceURLs: ['/logs/*', '/metrics'], verbs: ['get', 'put'] },
    ];
    beforeAll(async () => {
      const all = { apiGroups: ['rbac.authorization.k8s.io'], resources: ['*'], verbs: ['create', 'update'] };
      await create(
        clusterRole('ex-writer', [
          all,
          { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'], resourceNames: ['free'], verbs: ['escalate'] },
        ]),
      );
      await create(
        clusterRole('ex-binder', [
          { apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], resourceNames: ['ex-all-apps'], verbs: ['bind'] },
        ]),
      );
      await create(binding('ex-writers', 'ClusterRole/ex-writer', [user('alice'), user('bob'), account('ex-one/robot')]));
      await create(binding('ex-binders', 'ClusterRole/ex-binder', [user('alice')]));
      authorizer = new RbacAuthorizer(await readSource());
      const isKnown = async () => {
        const spec = {
          user: 'alice',
          resourceAttributes: { verb: 'bind', group: 'rbac.authorization.k8s.io', resource: 'clusterroles', name: 'ex-all-apps' },
        };
        return (await review('subjectaccessreviews', { spec })).body.status.allowed;
      };
      await eventually(isKnown);
    });

    const aggregated = clusterRole('ex-agg', [], { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } });
    test.each([
      ['alice', role('ex-one/held', [right])],
      ['alice', role('ex-two/not-held', [right])],
      ['alice', role('ex-one/more', [right, ...secret.slice(0, 2)])],
      ['alice', clusterRole('ex-paths-too', secret)],
      ['alice', clusterRole('ex-held', [{ apiGroups: [''], resources: ['pods', 'nodes/scale'], verbs: ['get'] }])],
      ['bob', role('ex-one/with-errors', [right])],
      ['alice', aggregated],
      ['alice', binding('ex-one/bound', 'ClusterRole/ex-all-apps', [user('x')])],
      ['bob', binding('ex-one/bound-not', 'ClusterRole/ex-all-apps', [user('x')])],
      ['alice', binding('ex-one/admin', 'ClusterRole/cluster-admin', [user('x')])],
      ['alice', binding('ex-one/missing', 'ClusterRole/no-such', [user('x')])],
      ['alice', binding('ex-one/missing-role', 'Role/no-such', [user('x')])],
      ['alice', binding('ex-everywhere', 'ClusterRole/ex-pods', [user('x')])],
      ['alice', binding('ex-everywhere-not', 'ClusterRole/ex-paths', [user('x')])],
    ])('%s writes %j', async (name, object) => {
      const writer = person(name, 'ex-people');
      const namespace = object.metadata.namespace ?? '';
      const resource = `${object.kind.toLowerCase()}s` as never;
      const refusal =
        'roleRef' in object
          ? bindingWriteRefusal({ user: writer, namespace, object, resource }, authorizer)
          : roleWriteRefusal({ user: writer, namespace, object, resource, requestName: '' }, authorizer);
      const real = await cluster.request<TestObject>('POST', pathOf(object), object, { user: name, query: { dryRun: 'All' } });
      if (refusal === undefined) expect(real.status).toBe(201);
      else expect(withSortedErrors(real.body)).toEqual(withSortedErrors(statusBody(refusal.status)));
    });

    test('who may escalate a named role may write anything into that one', async () => {
      await cluster.must('POST', `${RBAC}/namespaces/ex-one/roles`, role('ex-one/free', []));
      await cluster.must('POST', `${RBAC}/namespaces/ex-one/roles`, role('ex-one/bound-to', [right]));
      for (const [name, allowed] of [
        ['free', true],
        ['bound-to', false],
      ] as const) {
        const old = await cluster.must<TestObject>('GET', `${RBAC}/namespaces/ex-one/roles/${name}`);
        const object = { ...old, rules: secret.slice(0, 2) };
        const real = await cluster.request('PUT', `${RBAC}/namespaces/ex-one/roles/${name}`, object, {
          user: 'bob',
          query: { dryRun: 'All' },
        });
        const write = {
          user: person('bob', 'ex-people'),
          namespace: 'ex-one',
          object,
          old: old as never,
          resource: 'roles',
          requestName: name,
        } as const;
        const refusal = roleWriteRefusal(write, authorizer);
        expect([real.status === 200, refusal === undefined]).toEqual([allowed, allowed]);
        if (refusal !== undefined) expect(withSortedErrors(real.body)).toEqual(withSortedErrors(statusBody(refusal.status)));
        const finalized = { ...old, metadata: { ...old.metadata, finalizers: ['example.com/wait'] } };
        expect(roleWriteRefusal({ ...write, object: finalized as never }, authorizer)).toBeUndefined();
        const put = await cluster.request('PUT', `${RBAC}/namespaces/ex-one/roles/${name}`, finalized, {
          user: 'bob',
          query: { dryRun: 'All' },
        });
        expect(put.status).toBe(200);
      }
    });

    function withSortedErrors(body: unknown): unknown {
      const { message = '', ...rest } = body as { message?: string };
      const [text = '', errors = ''] = message.split('; resolution errors: ');
      return { ...rest, text, errors: errors.replace(/[[\]]/g, '').split(', ').sort() };
    }
  });

  describe('reviews that say nothing are refused in the same words', () => {
    const resourceAttributes = { verb: 'get', resource: 'pods' };
    const selector = (field: object, label: object = {}) => ({
      user: 'u',
      resourceAttributes: { ...resourceAttributes, fieldSelector: field, labelSelector: label },
    });
    const raw = { rawSelector: 'a=b' };
    const bodies = [
      {},
      { spec: { user: 'u' } },
      { spec: { resourceAttributes } },
      { spec: { user: 'u', resourceAttributes, nonResourceAttributes: { path: '/x', verb: 'get' } } },
      { metadata: { name: 'n', labels: { a: 'b' } }, spec: { user: 'u', resourceAttributes } },
      { spec: selector({ ...raw, requirements: [{ key: 'a', operator: 'In', values: ['b'] }] }) },
      { spec: selector({ requirements: [{ operator: 'In' }, { key: 'x', operator: 'Exists', values: ['y'] }] }, raw) },
      {
        spec: selector(raw, {
          requirements: [
            { key: '-', operator: 'NotIn' },
            { key: 'x', operator: 'Exists', values: ['&'] },
          ],
        }),
      },
      { spec: selector({ rawSelector: 'a' }, { rawSelector: 'a in' }) },
      {
        spec: selector(
          {
            requirements: [
              { key: 'a', operator: 'Exists' },
              { key: 'b', operator: 'In', values: ['c'] },
            ],
          },
          { requirements: [{ key: 'a', operator: 'Newer', values: ['b'] }] },
        ),
      },
      { spec: selector(raw, raw) },
    ];
    test.each(bodies)('%j', async (body) => {
      const { user: _, ...self } = (body.spec ?? {}) as { user?: string };
      const ownBody = { ...body, spec: self };
      const answers = {
        subjectaccessreviews: answerOf(() => reviewSubjectAccess(body as never, authorizer)),
        selfsubjectaccessreviews: answerOf(() =>
          reviewSelfSubjectAccess(ownBody as never, { username: 'admin', groups: ['system:masters'] }, authorizer),
        ),
      };
      for (const [plural, ours] of Object.entries(answers) as [keyof typeof answers, ReturnType<typeof answerOf>][]) {
        const real = await review(plural, plural === 'subjectaccessreviews' ? body : ownBody);
        expect({ status: real.status, body: comparable(real.body) }).toEqual({ status: ours.status, body: comparable(ours.body) });
      }
    });

    test.each([
      { spec: { user: 'u', resourceAttributes: { ...resourceAttributes, namespace: 'ex-two' } } },
      { spec: { user: 'u', resourceAttributes: { ...resourceAttributes, namespace: 'ex-one' } } },
      { metadata: { name: 'x' }, spec: { groups: ['g'], nonResourceAttributes: { path: '/', verb: 'get' } } },
    ])('in a namespace: %j', async (body) => {
      const real = await review('namespaces/ex-one/localsubjectaccessreviews', body);
      // The registry sets the namespace of the path before the review is looked at.
      const metadata = { ...('metadata' in body ? body.metadata : {}), namespace: 'ex-one' };
      const ours = answerOf(() => reviewLocalSubjectAccess({ ...body, metadata } as never, 'ex-one', authorizer));
      expect({ status: real.status, body: comparable(real.body) }).toEqual({ status: ours.status, body: comparable(ours.body) });
    });

    test('a rules review without a namespace', async () => {
      const ours = answerOf(() => reviewSelfSubjectRules({ spec: {} }, person('alice'), authorizer));
      expect(await review('selfsubjectrulesreviews', { spec: {} })).toMatchObject(ours);
    });

    /** The managed fields of refused metadata hold a time and the manager. */
    function comparable(body: unknown): unknown {
      const text = JSON.stringify(withoutBookkeeping(body)).replace(/,\\"managedFields\\":.*?\]\}: must/g, '}: must');
      return JSON.parse(text) as unknown;
    }
  });
});

describeCluster(
  'aggregation of roles beside the real controller',
  (cluster) => {
    test('roles are filled with the same rules in the same order', async () => {
      const extra = { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' };
      const name = `ex-viewed-${Date.now()}`;
      const rules = [{ apiGroups: ['ex.example.com'], resources: ['things'], verbs: ['get'] }];
      await cluster.must('POST', `${RBAC}/clusterroles`, clusterRole(name, rules, { metadata: { name, labels: extra } }));
      try {
        const admin = await cluster.until<ClusterRole>(`${RBAC}/clusterroles/admin`, (role) =>
          JSON.stringify(role).includes('ex.example.com'),
        );
        const { items } = await cluster.must<{ items: ClusterRole[] }>('GET', `${RBAC}/clusterroles`);
        const emptied = items.map((role) => (role.aggregationRule ? { ...role, rules: null } : role));
        expect(aggregateClusterRoles(emptied).get('admin')).toEqual(admin.rules);
        expect(admin.rules?.length).toBeGreaterThan(20);
      } finally {
        await cluster.must('DELETE', `${RBAC}/clusterroles/${name}`);
      }
    });
  },
  { controllerManager: true },
);
