import { defineController, defineCustomResource, defineOperator, own, validating } from 'keelson';
import { Deployment } from 'keelson/kinds';
import {
  bundleProblems,
  defineOperatorPackage,
  definePackage,
  isOlmBundle,
  type OlmBundle,
  olmBundle,
  PackageError,
  type PackageFile,
} from 'keelson/packaging';
import { parse } from 'yaml';
import { z } from 'zod';
import { memcachedBundle } from '../../../../examples/memcached/bundle.js';
import { memcachedPackage } from '../../../../examples/memcached/package.js';

const Website = defineCustomResource({
  group: 'example.com',
  kind: 'WebsiteHost',
  versions: { v1: { spec: z.object({ title: z.string().describe('Title of the pages.'), isPublic: z.boolean().optional() }) } },
});
const controller = defineController({
  name: 'websites',
  for: Website,
  owns: { deployments: own(Deployment) },
  reconcile: async ({ done }) => done(),
});
const common = { image: 'registry.example.com/websites:1', version: '1.2.0' } as const;
const plain = defineOperatorPackage({ ...common, operator: defineOperator({ name: 'websites', controllers: [controller] }) });
const guarded = defineOperatorPackage({
  ...common,
  operator: defineOperator({ name: 'websites', controllers: [controller], webhooks: [validating(Website, () => [])] }),
});
const facts = {
  displayName: 'Websites',
  provider: { name: 'Example Inc.' },
  minKubeVersion: '1.30.0',
  categories: ['Networking'],
} as const;

interface ServiceVersion {
  readonly metadata: { readonly name: string; readonly annotations: Record<string, string> };
  readonly spec: {
    readonly replaces?: string;
    readonly skips?: readonly string[];
    readonly installModes: readonly { type: string; supported: boolean }[];
    readonly install: {
      readonly spec: {
        readonly deployments: readonly { readonly spec: { readonly template: { readonly spec: PodSpec } } }[];
        readonly permissions: readonly { readonly rules: readonly object[] }[];
        readonly clusterPermissions: readonly { readonly rules: readonly object[] }[];
      };
    };
    readonly webhookdefinitions?: readonly object[];
    readonly customresourcedefinitions: { readonly owned: readonly object[] };
  };
}
interface PodSpec {
  readonly containers: readonly {
    readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[];
  }[];
  readonly volumes: readonly { readonly name: string }[];
}

const textOf = (files: readonly PackageFile[], path: RegExp): string => files.find((file) => path.test(file.path))?.text ?? '';
const csvOf = (bundle: OlmBundle): ServiceVersion => parse(textOf(bundle.files(), /clusterserviceversion/)) as ServiceVersion;
const variable = (bundle: OlmBundle, name: string): object | undefined =>
  csvOf(bundle).spec.install.spec.deployments[0]?.spec.template.spec.containers[0]?.env.find((each) => each.name === name);

/** Rules that roles bind to a ServiceAccount in manifests. */
function boundRules(manifests: readonly object[], account: string): { readonly cluster: object[]; readonly namespaced: object[] } {
  const all = manifests as readonly {
    kind: string;
    metadata: { name: string };
    rules?: object[];
    subjects?: { name: string }[];
    roleRef?: { kind: string; name: string };
  }[];
  const rulesOf = (binding: string): object[] =>
    all
      .filter(({ kind, subjects }) => kind === binding && subjects?.some(({ name }) => name === account))
      .flatMap(({ roleRef }) => all.find(({ kind, metadata }) => kind === roleRef?.kind && metadata.name === roleRef.name)?.rules ?? []);
  return { cluster: rulesOf('ClusterRoleBinding'), namespaced: rulesOf('RoleBinding') };
}

describe('rights', () => {
  const given = { certificates: { mode: 'secret', secret: { name: 'tls', caBundle: 'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==' } } };

  test('of the ClusterServiceVersion are those that the plain manifests bind, with a certificate that somebody else issues', () => {
    const { cluster, namespaced } = boundRules(memcachedPackage.manifests(given as never), 'memcached-operator');
    const { clusterPermissions, permissions } = csvOf(memcachedBundle).spec.install.spec;
    expect(cluster.length).toBeGreaterThan(3);
    expect(clusterPermissions.flatMap(({ rules }) => rules)).toEqual(cluster);
    expect(permissions.flatMap(({ rules }) => rules)).toEqual(namespaced);
  });

  test('for namespaces are Roles, which OLM copies into each', () => {
    const bundle = olmBundle(plain, { ...facts, installModes: ['OwnNamespace', 'SingleNamespace', 'AllNamespaces'] });
    const { cluster, namespaced } = boundRules(plain.manifests({ watchNamespaces: ['a'] }), 'websites');
    const { clusterPermissions, permissions } = csvOf(bundle).spec.install.spec;
    expect(clusterPermissions.flatMap(({ rules }) => rules)).toEqual(cluster);
    expect(permissions.flatMap(({ rules }) => rules)).toEqual(namespaced);
  });
});

describe('what OLM decides', () => {
  test('the watched namespaces come from the OperatorGroup', () => {
    const bundle = olmBundle(plain, { ...facts, installModes: ['OwnNamespace', 'AllNamespaces'] });
    expect(variable(bundle, 'KEELSON_WATCH_NAMESPACES')).toEqual({
      name: 'KEELSON_WATCH_NAMESPACES',
      valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: "metadata.annotations['olm.targetNamespaces']" } },
    });
    expect(
      csvOf(bundle)
        .spec.installModes.filter(({ supported }) => supported)
        .map(({ type }) => type),
    ).toEqual(['OwnNamespace', 'AllNamespaces']);
    expect(variable(olmBundle(plain, facts), 'KEELSON_WATCH_NAMESPACES')).toBeUndefined();
  });

  test('a bundle of one instance among several has its selector, and the rights to take objects over', () => {
    const operator = defineOperator({ name: 'websites', controllers: [controller] });
    const instance = defineOperatorPackage({ ...common, operator, name: 'websites-internal', defaults: { selector: 'class=internal' } });
    const bundle = olmBundle(instance, facts);
    expect(variable(bundle, 'KEELSON_SELECTOR')).toMatchObject({ value: 'class=internal' });
    expect(variable(bundle, 'KEELSON_INSTANCE')).toMatchObject({ value: 'websites-internal' });
    const { rules = [] } = csvOf(bundle).spec.install.spec.clusterPermissions[0] ?? {};
    expect(rules).toContainEqual({
      apiGroups: ['apps'],
      resources: ['deployments'],
      verbs: ['create', 'delete', 'get', 'list', 'patch', 'watch'],
    });
  });

  test('the certificate of webhooks is mounted; without webhooks the operator issues that of its metrics, for the namespace that it finds itself in', () => {
    const bundle = olmBundle(guarded, facts);
    expect(variable(bundle, 'KEELSON_CERTIFICATE_DIRECTORY')).toMatchObject({ value: '/tmp/k8s-webhook-server/serving-certs' });
    expect(csvOf(bundle).spec.install.spec.deployments[0]?.spec.template.spec.volumes.map(({ name }) => name)).toEqual(['tmp']);
    expect(bundle.files().map(({ path }) => path)).not.toContain('manifests/webhook-service.yaml');
    expect(variable(olmBundle(plain, facts), 'KEELSON_CERTIFICATE_DNS_NAMES')).toMatchObject({
      value: 'websites-metrics.$(POD_NAMESPACE).svc,websites-metrics.$(POD_NAMESPACE).svc.cluster.local',
    });
  });

  test('the namespace is not written into any file', () => {
    for (const { path, text } of [...memcachedBundle.files(), ...olmBundle(plain, { ...facts, installModes: ['OwnNamespace'] }).files()])
      expect([path, /probe|-system|^ {2}namespace:/m.test(text)]).toEqual([path, false]);
  });

  test('webhooks of an operator that watches namespaces lose the selector that OLM makes itself', () => {
    const [webhook] = csvOf(olmBundle(guarded, { ...facts, installModes: ['OwnNamespace'] })).spec.webhookdefinitions ?? [];
    expect(webhook).toMatchObject({ type: 'ValidatingAdmissionWebhook', deploymentName: 'websites', containerPort: 443, targetPort: 9443 });
    expect(webhook).not.toHaveProperty('namespaceSelector');
  });
});

test('kinds are presented by their schema: words, descriptions, widgets, kinds that the controllers own', () => {
  expect(csvOf(olmBundle(plain, facts)).spec.customresourcedefinitions.owned).toEqual([
    {
      name: 'websitehosts.example.com',
      version: 'v1',
      kind: 'WebsiteHost',
      displayName: 'Website Host',
      resources: [{ kind: 'Deployment', name: '', version: 'apps/v1' }],
      specDescriptors: [
        { path: 'isPublic', displayName: 'Is Public', 'x-descriptors': ['urn:alm:descriptor:com.tectonic.ui:booleanSwitch'] },
        {
          path: 'title',
          displayName: 'Title',
          description: 'Title of the pages.',
          'x-descriptors': ['urn:alm:descriptor:com.tectonic.ui:text'],
        },
      ],
    },
  ]);
});

test('upgrade edges, annotations and the image of the bundle', () => {
  const bundle = olmBundle(plain, {
    ...facts,
    replaces: 'websites.v1.1.0',
    skips: ['websites.v1.1.1'],
    skipRange: '<1.1.0',
    channels: ['fast', 'candidate'],
  });
  const { metadata, spec } = csvOf(bundle);
  expect(metadata.name).toBe('websites.v1.2.0');
  expect([spec.replaces, spec.skips, metadata.annotations['olm.skipRange']]).toEqual(['websites.v1.1.0', ['websites.v1.1.1'], '<1.1.0']);
  expect(parse(textOf(bundle.files(), /annotations\.yaml/))).toMatchObject({
    annotations: {
      'operators.operatorframework.io.bundle.channels.v1': 'fast,candidate',
      'operators.operatorframework.io.bundle.channel.default.v1': 'fast',
    },
  });
  expect(textOf(bundle.files(), /Dockerfile/)).toContain('LABEL operators.operatorframework.io.bundle.package.v1=websites\n');
});

test("operator-sdk's scorecard finds its tests by the annotation, and runs them from the image that is given", () => {
  const files = olmBundle(plain, { ...facts, scorecardImage: 'mirror.example.com/scorecard:1' }).files();
  const { annotations } = parse(textOf(files, /annotations\.yaml/)) as { readonly annotations: Readonly<Record<string, string>> };
  const folder = annotations['operators.operatorframework.io.test.config.v1'];
  const { apiVersion, kind, stages } = parse(files.find(({ path }) => path === `${folder}config.yaml`)?.text ?? '');
  expect([apiVersion, kind]).toEqual(['scorecard.operatorframework.io/v1alpha3', 'Configuration']);
  const tests = stages.flatMap((stage: { readonly tests: readonly object[] }) => stage.tests);
  expect(tests.map(({ entrypoint, image }: { readonly entrypoint: object; readonly image: string }) => [entrypoint, image])).toEqual(
    [
      'basic-check-spec',
      'olm-bundle-validation',
      'olm-crds-have-validation',
      'olm-crds-have-resources',
      'olm-spec-descriptors',
      'olm-status-descriptors',
    ].map((name) => [['scorecard-test', name], 'mirror.example.com/scorecard:1']),
  );
  expect(textOf(files, /Dockerfile/)).toContain('COPY tests/scorecard /tests/scorecard/\n');
});

test('the same bundle is the same bytes, and has no errors', () => {
  expect(olmBundle(guarded, facts).files()).toEqual(olmBundle(guarded, facts).files());
  expect(bundleProblems(olmBundle(guarded, facts).files()).filter(({ severity }) => severity === 'error')).toEqual([]);
});

test.each([
  [
    'a sample that the API server would refuse',
    () =>
      olmBundle(plain, {
        ...facts,
        samples: [{ apiVersion: 'example.com/v1', kind: 'WebsiteHost', metadata: { name: 'a' }, spec: {} }],
      }).files(),
    /samples: WebsiteHost a: .*title/,
  ],
  [
    'a text that names the namespace',
    () => olmBundle(plain, { ...facts, values: { grafanaDashboard: { enabled: true } } }).files(),
    /ConfigMap websites-dashboard names its namespace in data\./,
  ],
  [
    'a Secret that OLM does not mount',
    () => olmBundle(guarded, { ...facts, values: { serviceMonitor: { enabled: true } } }).files(),
    /ServiceMonitor websites.* in spec/,
  ],
  [
    'a package without operator',
    () => olmBundle(definePackage({ name: 'small', version: '1.0.0', namespace: 'a', build: () => {} }), facts),
    /small has no operator; make it with defineOperatorPackage/,
  ],
])('%s is refused', (_name, make, message) => {
  expect(make).toThrow(PackageError);
  expect(make).toThrow(message);
});

test('a bundle is known, anything else is not', () => {
  expect([memcachedBundle, plain, undefined].map(isOlmBundle)).toEqual([true, false, false]);
});
