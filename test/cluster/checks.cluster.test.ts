import { applyAll, expectRefused, expectRights, podsMeetRestricted, readBack, refusalOf, untilAllowed } from './checks/index.js';
import { describeCluster, type TestObject } from './harness/index.js';

/** The checks must be able to fail: each is held against plain objects, good and bad ones. */

const widgetDefinition: TestObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.checks.example.com' },
  spec: {
    group: 'checks.example.com',
    names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['size'],
                properties: { size: { type: 'integer', minimum: 1 }, colour: { type: 'string', default: 'blue' } },
              },
            },
          },
        },
      },
    ],
  },
};

const widget = (namespace: string, name: string, spec: object): TestObject => ({
  apiVersion: 'checks.example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace },
  spec,
});

const deployment = (securityContext: object): TestObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { serviceAccountName: 'web', containers: [{ name: 'web', image: 'web:1', securityContext }] },
    },
  },
});

const restrictedContext = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};

describeCluster('checks for suites', (cluster) => {
  let namespace = '';
  beforeAll(async () => {
    namespace = await cluster.namespace('checks');
    await applyAll(cluster, [widgetDefinition]);
  });
  afterAll(() => cluster.must('DELETE', `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${widgetDefinition.metadata.name}`));

  test('applyAll waits for a definition, so that its objects may follow in the same list', async () => {
    const again = { ...widgetDefinition, metadata: { name: 'gadgets.checks.example.com' }, spec: renamed('gadgets', 'Gadget') };
    const gadget = { ...widget(namespace, 'a', { size: 1 }), kind: 'Gadget' };
    const [definition, object] = await applyAll(cluster, [again, gadget]);
    expect(definition?.warnings).toEqual([]);
    expect(object?.object['spec']).toEqual({ size: 1, colour: 'blue' });
    await cluster.must('DELETE', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gadgets.checks.example.com');
  });

  test('applyAll fails on an unknown field, and names the object', async () => {
    await expect(applyAll(cluster, [widget(namespace, 'typo', { size: 1, colur: 'red' })])).rejects.toThrow(
      /dry run of Widget checks-\w+ typo: 500 .*colur: field not declared in schema/,
    );
  });

  test('applyAll fails on a warning that nobody expected', async () => {
    const job: TestObject = {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'zoned', namespace },
      spec: {
        schedule: '0 0 * * *',
        timeZone: 'Etc/UTC',
        jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a:1' }] } } } },
      },
    };
    const names = { ...job, metadata: { name: 'a.b', namespace } };
    await applyAll(cluster, [job]);
    await expect(applyAll(cluster, [names])).rejects.toThrow(/CronJob .* a\.b: the API server warns/);
  });

  test('expectRefused compares field, message and reason to the letter', async () => {
    const small = widget(namespace, 'small', { size: 0 });
    const cause = {
      reason: 'FieldValueInvalid',
      field: 'spec.size',
      message: 'Invalid value: 0: spec.size in body should be greater than or equal to 1',
    };
    await expectRefused(cluster, small, cause);
    await expectRefused(cluster, widget(namespace, 'none', {}), { field: 'spec.size', message: 'Required value' });
    await expect(expectRefused(cluster, small, { ...cause, message: 'Invalid value: 0' })).rejects.toThrow();
    await expect(expectRefused(cluster, widget(namespace, 'good', { size: 1 }), cause)).rejects.toThrow();
    expect(await refusalOf(cluster, widget(namespace, 'good', { size: 1 }))).toEqual([]);
  });

  test('expectRights sees what is granted and what is not', async () => {
    await applyAll(cluster, [
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'reader', namespace },
        rules: [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get'] }],
      },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        metadata: { name: 'reader', namespace },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
        subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace }],
      },
    ]);
    const subject = { serviceAccount: 'robot', namespace };
    const get = { verb: 'get', group: 'apps', resource: 'deployments', namespace };
    await untilAllowed(cluster, subject, [get]);
    await expectRights(cluster, subject, {
      allowed: [get],
      refused: [
        { ...get, verb: 'list' },
        { ...get, subresource: 'status' },
        { ...get, namespace: 'default' },
        { verb: 'get', path: '/metrics' },
      ],
    });
    await expect(expectRights(cluster, subject, { allowed: [{ ...get, verb: 'list' }], refused: [] })).rejects.toThrow(
      /refused: list deployments\.apps/,
    );
    await expect(expectRights(cluster, subject, { allowed: [], refused: [get] })).rejects.toThrow(/allowed: get deployments\.apps/);
  });

  test('podsMeetRestricted takes a restricted workload and refuses a careless one', async () => {
    await podsMeetRestricted(cluster, [deployment(restrictedContext)]);
    await expect(podsMeetRestricted(cluster, [deployment({})])).rejects.toThrow(/would violate PodSecurity/);
  });

  test('readBack shows defaults and drops unknown fields', async () => {
    const stored = await readBack(cluster, widget(namespace, 'back', { size: 2, colur: 'red' }));
    expect(stored).toEqual(widget(namespace, 'back', { size: 2, colour: 'blue' }));
  });
});

function renamed(plural: string, kind: string): object {
  const names = { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` };
  return { ...(widgetDefinition['spec'] as object), names };
}
