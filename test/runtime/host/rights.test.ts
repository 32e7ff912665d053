import { type InProcessCluster, mergePatch, TestCluster } from '@keelson/testing';
import { type Done, defineController, defineOperator } from 'keelson';
import { ClusterRole, ConfigMap, Role, RoleBinding, type SelfSubjectAccessReview } from 'keelson/kinds';
import { permissionsOf, RUNTIME_DEFAULTS, type RuntimeSettings } from '../../../src/keelson/definition/index.js';
import { start } from '../../../src/runtime/host/index.js';
import { reviewRights } from '../../../src/runtime/host/rights.js';
import { connectionOf } from '../../../src/runtime/http/index.js';
import { connectionTo } from '../harness/connection.js';
import { MemoryLog } from '../harness/running-controller.js';
import { websiteOperator } from '../reconcile/website.js';

const NAMESPACE = 'website-operator-system';
const SETTINGS: RuntimeSettings = { ...RUNTIME_DEFAULTS, healthPort: 0, metrics: undefined, leaseName: 'website-operator' };
const WARNING = 'rights are missing; what needs them fails until they are granted: apply the roles of this release';

describe('H51: at its start an operator asks for its rights', () => {
  let cluster: InProcessCluster;
  beforeEach(async () => {
    cluster = await TestCluster.start({ operator: websiteOperator, namespace: 'shop' });
  });
  afterEach(() => cluster.close());

  /** Starts and stops the operator. @returns what it has said of its rights, and the error that it could not be asked for */
  async function told(): Promise<{ readonly missing: unknown; readonly infos: readonly string[]; readonly log: MemoryLog }> {
    const connection = connectionTo(cluster);
    const log = new MemoryLog();
    const environment = { POD_NAME: 'a', POD_NAMESPACE: NAMESPACE };
    const running = await start(websiteOperator, { connection, log, environment, processMetrics: false, settings: SETTINGS });
    await cluster.until(() => {
      const reviews = cluster.requests.filter({ kind: 'selfsubjectrulesreviews.authorization.k8s.io', answered: true });
      expect(reviews.length).toBeGreaterThanOrEqual(2);
    });
    await cluster.settled();
    await running.stop();
    const said = log.lines.filter(({ message }) => message === WARNING);
    expect(said.length).toBeLessThanOrEqual(1);
    return { missing: said[0]?.fields['missing'], infos: log.texts.filter((text) => text.startsWith('info')), log };
  }

  async function roleOf(resource: string): Promise<ClusterRole> {
    const roles = await cluster.list(ClusterRole);
    const found = roles.find(
      ({ metadata: { name }, rules = [] }) =>
        name.startsWith('website-operator') && rules.some(({ resources = [] }) => resources.includes(resource)),
    );
    if (found === undefined) throw new Error(`no role has ${resource}`);
    return found;
  }

  async function without(resource: string): Promise<void> {
    const { metadata, rules = [] } = await roleOf(resource);
    const left = rules.map((rule) => ({ ...rule, resources: (rule.resources ?? []).filter((one) => one !== resource) }));
    await cluster.patch(ClusterRole, metadata.name, mergePatch({ rules: left.filter(({ resources }) => resources.length > 0) }));
  }

  test('with its own roles nothing is said, and nothing refused', async () => {
    const { missing, log } = await told();
    expect(missing).toBeUndefined();
    expect(log.texts.filter((text) => /^(warn|error)/.test(text))).toEqual([]);
    expect(cluster.requests.denied().all).toEqual([]);
    expect(cluster.requests.filter({ kind: 'selfsubjectaccessreviews.authorization.k8s.io' }).all).toEqual([]);
  });

  test('what its roles lack stands in one entry, by the names of the rules; a Role in its own namespace does not make up for it', async () => {
    await without('configmaps');
    await cluster.create(
      Role({
        metadata: { name: 'own', namespace: NAMESPACE },
        rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'watch'] }],
      }),
    );
    await cluster.create(
      RoleBinding({
        metadata: { name: 'own', namespace: NAMESPACE },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'own' },
        subjects: [{ kind: 'ServiceAccount', name: 'website-operator', namespace: NAMESPACE }],
      }),
    );
    const { missing } = await told();
    const owned = permissionsOf(websiteOperator).grants.find(({ because }) => because === 'controller website owns configmaps');
    expect(missing).toEqual([
      `verbs [${owned?.rule.verbs.join(', ')}], resources [configmaps], apiGroups [""], in a ClusterRole: controller website owns configmaps`,
    ]);
  });

  test.each([403, 500] as const)('a review that fails (%i) keeps nothing from starting, and is told', async (status) => {
    cluster.faults.fail({ verb: 'create', kind: 'selfsubjectrulesreviews.authorization.k8s.io', status, times: 100 });
    const log = new MemoryLog();
    const { server } = cluster;
    const token = server.tokenFor({ username: 'operator', groups: ['system:masters', 'system:authenticated'] });
    const running = await start(websiteOperator, {
      connection: connectionOf({ server: server.url, ca: server.certificateAuthority, token }),
      log,
      environment: { POD_NAMESPACE: NAMESPACE },
      processMetrics: false,
      settings: SETTINGS,
    });
    await cluster.until(() => expect(log.texts).toContain('info reconciling'));
    await cluster.until(() =>
      expect(log.texts).toContain('info the API server does not say which rights this process has; a missing one shows when it is needed'),
    );
    await running.stop();
    expect(log.texts.filter((text) => /^(warn|error)/.test(text))).toEqual([]);
  });
});

describe('rights by rights', () => {
  const operator = defineOperator({
    name: 'reader',
    controllers: [
      defineController({
        name: 'reader',
        for: ConfigMap,
        permissions: [
          { apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['update'] },
          { nonResourceURLs: ['/livez'], verbs: ['get'] },
        ],
        reconcile: ({ done }): Done => done(),
      }),
    ],
  });

  interface Asked {
    readonly kind: string;
    readonly spec: Readonly<Record<string, unknown>>;
  }

  /** An API server with an authorizer that tells no rules. */
  function judge(allowed: (spec: SelfSubjectAccessReview['spec']) => boolean) {
    const asked: Asked[] = [];
    const create = async ({ kind }: { kind: string }, { spec }: { spec: object }): Promise<object> => {
      asked.push({ kind, spec: spec as Asked['spec'] });
      return kind === 'SelfSubjectRulesReview'
        ? { status: { resourceRules: [], nonResourceRules: [], incomplete: true } }
        : { status: { allowed: allowed(spec as never) } };
    };
    return { asked, client: { create: create as never } };
  }

  async function missing(settings: RuntimeSettings, client: Parameters<typeof reviewRights>[0]['client']): Promise<unknown> {
    const log = new MemoryLog();
    await reviewRights({ operator, settings, namespace: 'own', client, log, signal: new AbortController().signal });
    return log.lines.map(({ message, fields }) => (message === WARNING ? fields['missing'] : message));
  }

  test('where no rules are told each right is asked for, as its role would be bound', async () => {
    const { asked, client } = judge(({ resourceAttributes, nonResourceAttributes }) =>
      resourceAttributes === undefined ? nonResourceAttributes?.path !== '/livez' : resourceAttributes.subresource !== 'scale',
    );
    const settings = { ...SETTINGS, watchNamespaces: ['one', 'two'], leaseName: 'lease' };
    expect(await missing(settings, client)).toEqual(
      [
        [
          'verbs [get], nonResourceURLs [/livez], in a ClusterRole: controller reader declares it under permissions',
          'verbs [update], resources [deployments/scale], apiGroups ["apps"], in a Role of namespace one: controller reader declares it under permissions',
          'verbs [update], resources [deployments/scale], apiGroups ["apps"], in a Role of namespace two: controller reader declares it under permissions',
        ].sort(),
      ].map((texts) => expect.arrayContaining(texts)),
    );
    const places = asked.filter(({ kind }) => kind === 'SelfSubjectRulesReview').map(({ spec }) => spec['namespace']);
    expect(new Set(places)).toEqual(new Set(['keelson-no-such-namespace', 'one', 'own', 'two']));
    const attributes = asked.flatMap(({ spec }) => (spec['resourceAttributes'] === undefined ? [] : [spec['resourceAttributes']]));
    expect(attributes).toContainEqual({ verb: 'get', group: 'coordination.k8s.io', resource: 'leases', name: 'lease', namespace: 'own' });
    expect(attributes).toContainEqual({ verb: 'update', group: 'apps', resource: 'deployments', subresource: 'scale', namespace: 'one' });
  });

  const EVERYTHING = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
  const PATHS = { verbs: ['*'], nonResourceURLs: ['*'] };
  const SCALE = { verbs: ['update'], apiGroups: ['apps'], resources: ['deployments/scale'] };

  test.each<[string, object, readonly string[]]>([
    ['for all', { resourceRules: [EVERYTHING], nonResourceRules: [PATHS] }, []],
    [
      'for what is needed by name',
      { resourceRules: [SCALE, EVERYTHING], nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/livez'] }] },
      [],
    ],
    [
      'for other verbs of the path',
      { resourceRules: [EVERYTHING], nonResourceRules: [{ verbs: ['post'], nonResourceURLs: ['/livez'] }] },
      ['get /livez'],
    ],
    [
      'for other paths',
      { resourceRules: [EVERYTHING], nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/readyz'] }] },
      ['get /livez'],
    ],
    ['for no paths', { resourceRules: [EVERYTHING], nonResourceRules: [] }, ['get /livez']],
    [
      'for other verbs',
      { resourceRules: [{ ...EVERYTHING, verbs: ['get', 'list', 'watch', 'patch', 'create'] }], nonResourceRules: [PATHS] },
      ['update deployments/scale'],
    ],
    [
      'for other groups',
      {
        resourceRules: [
          { ...SCALE, apiGroups: ['batch'] },
          { ...EVERYTHING, apiGroups: ['', 'events.k8s.io'] },
        ],
        nonResourceRules: [PATHS],
      },
      ['update deployments/scale'],
    ],
    [
      'for the resource without its subresource',
      {
        resourceRules: [
          { ...SCALE, resources: ['deployments'] },
          { ...EVERYTHING, apiGroups: ['', 'events.k8s.io'] },
        ],
        nonResourceRules: [PATHS],
      },
      ['update deployments/scale'],
    ],
    [
      'for single objects',
      {
        resourceRules: [
          { ...SCALE, resourceNames: ['web'] },
          { ...EVERYTHING, apiGroups: ['', 'events.k8s.io'] },
        ],
        nonResourceRules: [PATHS],
      },
      ['update deployments/scale'],
    ],
  ])('rules that are told %s leave what they do not show to be asked for', async (_, status, left) => {
    const asked: string[] = [];
    const create = async ({ kind }: { kind: string }, { spec }: { spec: SelfSubjectAccessReview['spec'] }): Promise<object> => {
      if (kind === 'SelfSubjectRulesReview') return { status };
      const { resourceAttributes: of, nonResourceAttributes: path } = spec;
      asked.push(
        of === undefined ? `${path?.verb} ${path?.path}` : `${of.verb} ${[of.resource, of.subresource].filter(Boolean).join('/')}`,
      );
      return { status: { allowed: true } };
    };
    expect(await missing({ ...SETTINGS, leaseName: undefined }, { create: create as never })).toEqual([]);
    expect(asked).toEqual(left);
  });

  test('a rule for single objects shows the right to those alone', async () => {
    const leases = { verbs: ['*'], apiGroups: ['coordination.k8s.io'], resources: ['leases'], resourceNames: ['lease'] };
    const ask = async (leaseName: string): Promise<readonly (string | undefined)[]> => {
      const asked: (string | undefined)[] = [];
      const create = async ({ kind }: { kind: string }, { spec }: { spec: SelfSubjectAccessReview['spec'] }): Promise<object> => {
        if (kind === 'SelfSubjectRulesReview') return { status: { resourceRules: [leases], nonResourceRules: [] } };
        if (spec.resourceAttributes?.resource === 'leases') asked.push(spec.resourceAttributes.name);
        return { status: { allowed: true } };
      };
      await missing({ ...SETTINGS, leaseName }, { create: create as never });
      return asked;
    };
    expect(new Set(await ask('lease'))).toEqual(new Set([undefined]));
    expect(new Set(await ask('other'))).toEqual(new Set([undefined, 'other']));
  });

  test('a right in named namespaces is asked for in each of them, and nowhere else', async () => {
    const permissions = [{ apiGroups: [''], resources: ['pods'], verbs: ['delete'], namespaces: ['x', 'y'] }];
    const named = defineOperator({
      name: 'named',
      controllers: [defineController({ name: 'named', for: ConfigMap, permissions, reconcile: ({ done }): Done => done() })],
    });
    const { asked, client } = judge(({ resourceAttributes }) => resourceAttributes?.resource !== 'pods');
    const log = new MemoryLog();
    await reviewRights({ operator: named, settings: SETTINGS, namespace: 'own', client, log, signal: new AbortController().signal });
    expect(log.lines.map(({ fields }) => fields['missing'])).toEqual([
      ['x', 'y'].map(
        (place) =>
          `verbs [delete], resources [pods], apiGroups [""], in a Role of namespace ${place}: controller named declares it under permissions`,
      ),
    ]);
    const pods = asked.flatMap(({ spec }) => (spec['resourceAttributes'] as { resource: string; namespace?: string } | undefined) ?? []);
    expect(pods.filter(({ resource }) => resource === 'pods').map(({ namespace }) => namespace)).toEqual(['x', 'y']);
  });

  test('every right that synthesis grants is asked for: secured metrics and certificates too', async () => {
    const { asked, client } = judge(() => true);
    const certificates = {
      mode: 'selfManaged',
      secretName: 'cert',
      dnsNames: [],
      mutatingConfiguration: 'm',
      validatingConfiguration: 'v',
      conversionCrds: ['c.example.com'],
    } as const;
    const settings = { ...SETTINGS, certificates, metrics: { port: 0, secure: true } };
    expect(await missing(settings, client)).toEqual([]);
    const { grants } = permissionsOf(operator, {
      leaderElection: { leaseName: 'website-operator' },
      secureMetrics: true,
      certificates: {
        mode: 'selfManaged',
        secretName: 'cert',
        mutatingWebhookConfigurations: ['m'],
        validatingWebhookConfigurations: ['v'],
        customResourceDefinitions: ['c.example.com'],
      },
    });
    const wanted = grants.flatMap(({ rule: { verbs, resources = [], nonResourceURLs = [], resourceNames = [''] } }) =>
      verbs.flatMap((verb) => [
        ...resources.flatMap((resource) => resourceNames.map((name) => `${verb} ${resource} ${name}`)),
        ...nonResourceURLs.map((path) => `${verb} ${path}`),
      ]),
    );
    const reviews = asked.flatMap(({ kind, spec }) => {
      if (kind !== 'SelfSubjectAccessReview') return [];
      const { resourceAttributes: of, nonResourceAttributes: path } = spec as SelfSubjectAccessReview['spec'];
      if (of === undefined) return [`${path?.verb} ${path?.path}`];
      return [`${of.verb} ${[of.resource, of.subresource].filter(Boolean).join('/')} ${of.name ?? ''}`];
    });
    expect([...new Set(wanted)].sort()).toEqual(reviews.sort());
  });
});
