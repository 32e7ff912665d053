import { BUNDLE_RULE_NAMES, bundleProblems } from 'keelson/packaging';
import { stringify } from 'yaml';
import {
  ANNOTATIONS,
  ballast,
  type Change,
  CRD,
  CSV,
  changed,
  channel,
  container,
  csv,
  edit,
  FILES,
  grant,
  type Loose,
  object,
} from './edited-bundle.js';

/** A change of the sample. */
const sample = (change: (object: Loose) => void): Change =>
  csv(({ metadata }) => {
    const samples = JSON.parse(metadata.annotations['alm-examples']);
    change(samples[0]);
    metadata.annotations['alm-examples'] = JSON.stringify(samples);
  });
/** A ClusterRole beside the operator's own. */
const role = (group: string, resource: string, verbs: readonly string[], resourceNames?: readonly string[]): Change =>
  object('role.yaml', 'ClusterRole', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    rules: [{ apiGroups: [group], resources: [resource], verbs, ...(resourceNames === undefined ? {} : { resourceNames }) }],
  });
/** The file by which a bundle says more of itself. */
const properties =
  (type: string): Change =>
  (files) =>
    files.set('metadata/properties.yaml', stringify({ properties: [{ type, value: {} }] }));
const oldest = (version: string): Change => csv(({ spec }) => (spec.minKubeVersion = version));
const oldBudget = object('budget.yaml', 'PodDisruptionBudget', { apiVersion: 'policy/v1beta1' });
const betaCandidate = object('candidate.yaml', 'LeaseCandidate', { apiVersion: 'coordination.k8s.io/v1beta1' });
const both =
  (...changes: readonly Change[]): Change =>
  (files) => {
    for (const change of changes) change(files);
  };

/** A change that the rule finds, a sentence of its message, and a change near it that the rule must let pass; an empty one where the bundle as it is says so. */
const CASES: readonly (readonly [rule: string, found: Change, message: RegExp, passes: Change])[] = [
  [
    'readable',
    (files) => files.set('manifests/x.yaml', 'a: [1'),
    /manifests\/x\.yaml|is not YAML/,
    (files) => files.set('manifests/x.yaml', '# nothing\n'),
  ],
  ['one-csv', (files) => files.delete(CSV), /has 0 ClusterServiceVersions/, object('x.yaml', 'ConfigMap')],
  [
    'annotations',
    edit(ANNOTATIONS, ({ annotations }) => delete annotations['operators.operatorframework.io.bundle.package.v1']),
    /package\.v1: is missing/,
    edit(ANNOTATIONS, ({ annotations }) => delete annotations['operators.operatorframework.io.test.config.v1']),
  ],
  [
    'annotations',
    edit(ANNOTATIONS, ({ annotations }) => (annotations['operators.operatorframework.io.bundle.mediatype.v1'] = 'plain+v0')),
    /mediatype\.v1: is 'plain\+v0', and OLM takes registry\+v1/,
    () => {},
  ],
  [
    'annotations',
    channel(''),
    /channels\.v1: is empty/,
    edit(ANNOTATIONS, ({ annotations }) => delete annotations['operators.operatorframework.io.bundle.channel.default.v1']),
  ],
  [
    'crd-unique',
    (files) => files.set('manifests/again.yaml', files.get(CRD) ?? ''),
    /memcacheds\.cache\.example\.com is in manifests\//,
    (files) => files.set('manifests/other.yaml', (files.get(CRD) ?? '').replaceAll('memcacheds', 'caches')),
  ],
  [
    'crd-owned',
    (files) => files.delete(CRD),
    /memcacheds\.cache\.example\.com\/v1alpha1 is not in the bundle/,
    csv(({ spec }) => (spec.customresourcedefinitions.required = [{ name: 'a.b.c', version: 'v1', kind: 'A' }])),
  ],
  [
    'crd-owned',
    csv(({ spec }) => (spec.customresourcedefinitions.owned = [])),
    /is not in spec\.customresourcedefinitions\.owned/,
    edit(CRD, ({ spec }) => spec.versions.push({ name: 'v0', served: false, storage: false })),
  ],
  [
    'service-account',
    object('account.yaml', 'ServiceAccount', { metadata: { name: 'memcached-operator' } }),
    /memcached-operator is made by OLM/,
    object('account.yaml', 'ServiceAccount', { metadata: { name: 'reader' } }),
  ],
  ['supported-kinds', object('pod.yaml', 'Pod'), /does not install a Pod/, object('network.yaml', 'NetworkPolicy')],
  [
    'removed-apis',
    object('budget.yaml', 'PodDisruptionBudget', { apiVersion: 'policy/v1beta1' }),
    /Kubernetes 1\.25 and newer do not serve PodDisruptionBudget of policy\/v1beta1/,
    object('budget.yaml', 'PodDisruptionBudget', { apiVersion: 'policy/v1' }),
  ],
  // A version may go for one kind, and stay or come for another.
  [
    'removed-apis',
    object('role.yaml', 'ClusterRole', { apiVersion: 'rbac.authorization.k8s.io/v1beta1' }),
    /Kubernetes 1\.22 and newer do not serve ClusterRole of rbac\.authorization\.k8s\.io\/v1beta1/,
    betaCandidate,
  ],
  // A bundle for old clusters is installed in those of today as well.
  [
    'removed-apis',
    both(oldest('1.24.9'), oldBudget),
    /Kubernetes 1\.25 and newer do not serve PodDisruptionBudget of policy\/v1beta1/,
    oldest('1.24.9'),
  ],
  [
    'removed-apis',
    both(
      csv(({ spec }) => delete spec.minKubeVersion),
      oldBudget,
    ),
    /Kubernetes 1\.25 and newer do not serve PodDisruptionBudget of policy\/v1beta1/,
    csv(({ spec }) => delete spec.minKubeVersion),
  ],
  [
    'removed-apis',
    both(oldest('1.39.0'), betaCandidate),
    /Kubernetes 1\.39 and newer do not serve LeaseCandidate of coordination\.k8s\.io\/v1beta1/,
    both(oldest('1.38.9'), betaCandidate),
  ],
  [
    'deprecated-apis',
    both(oldest('1.38.9'), betaCandidate),
    /Kubernetes 1\.36 deprecated LeaseCandidate of coordination\.k8s\.io\/v1beta1, and 1\.39 does not serve it; write the version/,
    // An error then, and one message is enough.
    both(oldest('1.39.0'), betaCandidate),
  ],
  [
    'deprecated-apis',
    object('endpoints.yaml', 'Endpoints'),
    /Kubernetes 1\.33 deprecated Endpoints of v1; write the version or the kind that replaces it/,
    object('service.yaml', 'Service'),
  ],
  [
    'budgets',
    object('budget.yaml', 'PodDisruptionBudget', { apiVersion: 'policy/v1', spec: { maxUnavailable: 0 } }),
    /PodDisruptionBudget a lets no Pod go/,
    object('budget.yaml', 'PodDisruptionBudget', { apiVersion: 'policy/v1', spec: { maxUnavailable: 1 } }),
  ],
  [
    'budgets',
    object('budget.yaml', 'PodDisruptionBudget', { apiVersion: 'policy/v1', spec: { minAvailable: '100%' } }),
    /PodDisruptionBudget a lets no Pod go/,
    object('budget.yaml', 'PodDisruptionBudget', { apiVersion: 'policy/v1', spec: { minAvailable: 1 } }),
  ],
  [
    'priority-default',
    object('priority.yaml', 'PriorityClass', { apiVersion: 'scheduling.k8s.io/v1', value: 1, globalDefault: true }),
    /PriorityClass a is the default of the cluster/,
    object('priority.yaml', 'PriorityClass', { apiVersion: 'scheduling.k8s.io/v1', value: 1 }),
  ],
  [
    'scc-rights',
    role('security.openshift.io', 'securitycontextconstraints', ['patch'], ['anyuid']),
    /ClusterRole a may change SecurityContextConstraints/,
    role('security.openshift.io', 'securitycontextconstraints', ['patch'], ['our-own']),
  ],
  [
    'scc-rights',
    role('security.openshift.io', 'securitycontextconstraints', ['*'], ['privileged']),
    /ClusterRole a may change SecurityContextConstraints/,
    role('security.openshift.io', 'securitycontextconstraints', ['use', 'get'], ['privileged']),
  ],
  [
    'budget-rights',
    role('policy', 'poddisruptionbudgets', ['create']),
    /ClusterRole a may write PodDisruptionBudgets/,
    role('policy', 'poddisruptionbudgets', ['get', 'list', 'watch', 'delete']),
  ],
  ['bundle-size', ballast(1050), /bytes compressed, and OLM takes 1048576/, ballast(900)],
  ['bundle-size-near', ballast(950), /more than 85 %/, ballast(800)],
  [
    'csv-format',
    csv((document) => (document.apiVersion = 'operators.coreos.com/v1')),
    /operators\.coreos\.com\/v1' is not served/,
    csv((document) => (document.spec.apiVersion = 'operators.coreos.com/v1')),
  ],
  [
    'csv-name',
    csv(({ spec }) => (spec.version = '1.0')),
    /'1\.0' is not a semantic version/,
    csv(({ spec }) => (spec.version = '1.0.0-rc.1+build.5')),
  ],
  ['csv-name', csv(({ metadata }) => (metadata.name = 'a_b')), /'a_b' is not a name/, csv(({ metadata }) => (metadata.name = 'a.v1.0.0'))],
  ['csv-name', csv(({ metadata }) => (metadata.name = 'A.v1.0.0+b')), /'A\.v1\.0\.0\+b' is not a name/, () => {}],
  [
    'release-name',
    csv(({ spec }) => (spec.release = '2')),
    /'memcached-operator\.v0\.1\.0' must be memcached-operator-v0\.1\.0-2, /,
    csv(({ metadata, spec }) => {
      spec.release = '2';
      metadata.name = 'memcached-operator-v0.1.0-2';
    }),
  ],
  [
    'release-name',
    csv(({ metadata, spec }) => {
      spec.release = '02';
      metadata.name = 'memcached-operator-v0.1.0-02';
    }),
    /'02' is not a release/,
    csv(({ metadata, spec }) => {
      spec.release = 'rc.1';
      metadata.name = 'memcached-operator-v0.1.0-rc.1';
    }),
  ],
  [
    'replaces',
    csv(({ spec, metadata }) => (spec.replaces = metadata.name)),
    /names itself/,
    csv(({ spec }) => (spec.replaces = 'memcached-operator.v0.0.9')),
  ],
  ['replaces', csv(({ spec }) => (spec.replaces = 'the one before')), /'the one before' is not the name of a bundle/, () => {}],
  [
    'replaces',
    csv(({ metadata }) => (metadata.annotations['olm.skipRange'] = '>=one')),
    /'>=one' is not a range/,
    csv(({ metadata }) => (metadata.annotations['olm.skipRange'] = '>=0.0.1 <0.1.0 || 0.0.0')),
  ],
  [
    'install-modes',
    csv(({ spec }) => (spec.installModes = [])),
    /is empty/,
    csv(({ spec }) => (spec.installModes = [{ type: 'AllNamespaces', supported: true }])),
  ],
  [
    'install-modes',
    csv(({ spec }) => spec.installModes.push({ type: 'AllNamespaces', supported: true })),
    /AllNamespaces is there twice/,
    () => {},
  ],
  ['install-modes', csv(({ spec }) => (spec.installModes = [{ type: 'AllNamespaces', supported: false }])), /none is supported/, () => {}],
  [
    'install-modes',
    csv(({ spec }) => spec.installModes.push({ type: 'Everywhere', supported: true })),
    /'Everywhere' is not a mode/,
    () => {},
  ],
  [
    'conversion-all-namespaces',
    csv(({ spec }) => {
      spec.webhookdefinitions[0].type = 'ConversionWebhook';
      spec.installModes[0].supported = true;
    }),
    /cannot be supported by an operator that converts/,
    csv(({ spec }) => (spec.webhookdefinitions[0].type = 'ConversionWebhook')),
  ],
  [
    'min-kube-version',
    csv(({ spec }) => (spec.minKubeVersion = '1.30')),
    /'1\.30' is not a version/,
    csv(({ spec }) => (spec.minKubeVersion = '1.31.2')),
  ],
  [
    'min-kube-version-missing',
    csv(({ spec }) => delete spec.minKubeVersion),
    /is missing/,
    csv(({ spec }) => (spec.minKubeVersion = '1.25.0')),
  ],
  [
    'alm-examples-json',
    csv(({ metadata }) => (metadata.annotations['alm-examples'] = '{')),
    /is not a list of objects in JSON/,
    csv(({ metadata }) => (metadata.annotations['alm-examples'] = '[]')),
  ],
  [
    'alm-examples-owned',
    csv(({ metadata }) => (metadata.annotations['alm-examples'] = '[{"apiVersion":"cache.example.com/v2","kind":"Memcached"}]')),
    /Memcached of cache\.example\.com\/v2 is not an owned API/,
    csv(({ metadata }) => (metadata.annotations['alm-examples'] = '[{"apiVersion":"cache.example.com/v1alpha1","kind":"Memcached"}]')),
  ],
  [
    'alm-examples-missing',
    csv(({ metadata }) => (metadata.annotations['alm-examples'] = '[]')),
    /has no example of Memcached of cache\.example\.com\/v1alpha1/,
    csv(({ spec }) => (spec.customresourcedefinitions.required = [{ name: 'a.b.c', version: 'v1', kind: 'A' }])),
  ],
  [
    'related-images',
    csv(({ spec }) => (spec.relatedImages[0].image = 'Not An Image')),
    /'Not An Image' is not an image/,
    csv(({ spec }) => (spec.relatedImages[0].image = `localhost:5000/a/b@sha256:${'0'.repeat(64)}`)),
  ],
  [
    'webhook-deployment',
    csv(({ spec }) => (spec.webhookdefinitions[0].deploymentName = 'other')),
    /'other' is not a Deployment/,
    csv(({ spec }) => {
      spec.install.spec.deployments.push({ ...spec.install.spec.deployments[0], name: 'other' });
      spec.webhookdefinitions[0].deploymentName = 'other';
    }),
  ],
  [
    'webhook-rules',
    csv(({ spec }) => (spec.webhookdefinitions[0].rules[0].apiGroups = ['*'])),
    /all API groups/,
    csv(({ spec }) => (spec.webhookdefinitions[0].rules[0].apiGroups = ['apps'])),
  ],
  [
    'webhook-rules',
    csv(({ spec }) => (spec.webhookdefinitions[0].rules[0].apiGroups = ['operators.coreos.com'])),
    /OLM's own objects/,
    () => {},
  ],
  [
    'webhook-rules',
    csv(({ spec }) => (spec.webhookdefinitions[0].rules[0] = { apiGroups: ['admissionregistration.k8s.io'], resources: ['*'] })),
    /rule for webhook configurations/,
    csv(
      ({ spec }) =>
        (spec.webhookdefinitions[0].rules[0] = { apiGroups: ['admissionregistration.k8s.io'], resources: ['validatingadmissionpolicies'] }),
    ),
  ],
  [
    'olm-annotation-case',
    csv(({ metadata }) => (metadata.annotations['olm.skiprange'] = '<1.0.0')),
    /olm\.skiprange: is not read; write olm\.skipRange/,
    csv(({ metadata }) => (metadata.annotations['olm.properties'] = '[]')),
  ],
  [
    'annotation-case',
    csv(({ metadata }) => (metadata.annotations.Support = 'a')),
    /Support: is not read; write support/,
    csv(({ metadata }) => (metadata.annotations['example.com/Support'] = 'a')),
  ],
  [
    'bundle-name',
    csv(({ metadata }) => (metadata.name = `${'a'.repeat(60)}.v0.1.0`)),
    /has 67 characters/,
    csv(({ metadata }) => (metadata.name = `${'a'.repeat(56)}.v0.1.0`)),
  ],
  [
    'bundle-name-form',
    csv(({ metadata }) => (metadata.name = 'memcached-operator-0.1.0')),
    /is not <operator>\.v0\.1\.0/,
    csv(({ metadata }) => (metadata.name = 'other.v0.1.0')),
  ],
  [
    'bundle-name-form',
    csv(({ metadata }) => (metadata.name = 'memcached-operator.v0.2.0')),
    /is not <operator>\.v0\.1\.0/,
    csv(({ metadata, spec }) => {
      spec.release = '2';
      metadata.name = 'memcached-operator-v0.1.0-2';
    }),
  ],
  [
    'resource-requests',
    csv((document) => delete container(document).resources.requests),
    /container operator of memcached-operator requests no resources/,
    csv((document) => delete container(document).resources.limits),
  ],
  ['channel-names', channel('stable,latest'), /channel latest: the convention/, channel('candidate,fast-v1,stable-v1')],
  [
    'crd-description',
    csv(({ spec }) => (spec.customresourcedefinitions.owned[0].description = '')),
    /has no description/,
    csv(({ spec }) => (spec.customresourcedefinitions.owned[0].description = 'A cache.')),
  ],
  [
    'crd-rights',
    grant({ apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: ['create'] }),
    /may create CustomResourceDefinitions/,
    grant({ apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: ['get', 'patch'] }),
  ],
  ['hub-provider', csv(({ spec }) => delete spec.provider), /name the publisher/, csv(({ spec }) => delete spec.provider.url)],
  [
    'hub-maintainers',
    csv(({ spec }) => (spec.maintainers = [])),
    /is empty/,
    csv(({ spec }) => spec.maintainers.push({ name: 'B', email: 'b@example.com' })),
  ],
  ['hub-maintainers', csv(({ spec }) => (spec.maintainers[0].email = 'nobody')), /must have a name and an address of mail/, () => {}],
  [
    'hub-links',
    csv(({ spec }) => (spec.links = [{ name: 'Home', url: 'example' }])),
    /must have a name and a URL/,
    csv(({ spec }) => (spec.links = [{ name: 'Home', url: 'https://example.com' }])),
  ],
  ['hub-icon', csv(({ spec }) => (spec.icon = [])), /has 0 icons/, () => {}],
  ['hub-icon', csv(({ spec }) => spec.icon.push(spec.icon[0])), /has 2 icons/, () => {}],
  [
    'hub-icon',
    csv(({ spec }) => (spec.icon[0].mediatype = 'image/webp')),
    /'image\/webp' is not shown/,
    csv(({ spec }) => (spec.icon[0].mediatype = 'image/png')),
  ],
  [
    'hub-capabilities',
    csv(({ metadata }) => (metadata.annotations.capabilities = 'Full')),
    /'Full' is not a level/,
    csv(({ metadata }) => (metadata.annotations.capabilities = 'Auto Pilot')),
  ],
  [
    'hub-categories',
    csv(({ metadata }) => (metadata.annotations.categories = 'Database, Caches')),
    /'Caches' is not a category/,
    csv(({ metadata }) => (metadata.annotations.categories = 'Database, Security')),
  ],
  [
    'architecture-labels',
    csv(({ metadata }) => (metadata.labels = { 'operatorframework.io/arch.arm64': 'yes' })),
    /'yes' means nothing to OLM/,
    csv(({ metadata }) => (metadata.labels = { 'operatorframework.io/arch.arm64': 'supported', team: 'yes' })),
  ],
  ['olm-v1', csv(({ spec }) => (spec.installModes = [{ type: 'OwnNamespace', supported: true }])), /support AllNamespaces/, () => {}],
  [
    'olm-v1',
    csv(({ spec }) => (spec.customresourcedefinitions.required = [{ name: 'a.b.c', version: 'v1', kind: 'A' }])),
    /resolves none/,
    csv(({ spec }) => (spec.customresourcedefinitions.required = [])),
  ],
  ['olm-v1', (files) => files.set('metadata/dependencies.yaml', 'dependencies: []\n'), /resolves none/, () => {}],
  ...['olm.gvk.required', 'olm.package.required', 'olm.constraint'].map(
    (type) =>
      [
        'olm-v1',
        properties(type),
        new RegExp(`metadata/properties.yaml: property ${type}: OLM v1 resolves no dependencies`),
        properties('olm.maxOpenShiftVersion'),
      ] as const,
  ),
  [
    'olm-v1',
    grant({ apiGroups: ['operators.coreos.com'], resources: ['operatorconditions'] }),
    /has no OperatorConditions/,
    grant({ resources: ['services'] }),
  ],
  ['scorecard-spec', sample((object) => delete object.spec), /Memcached sample has no spec/, sample((object) => (object.spec = {}))],
  [
    'scorecard-resources',
    csv(({ spec }) => delete spec.customresourcedefinitions.owned[0].resources),
    /memcacheds\.cache\.example\.com has no resources/,
    csv(({ spec }) => (spec.customresourcedefinitions.owned[0].resources = [{ kind: 'Deployment', version: 'v1' }])),
  ],
  [
    'scorecard-descriptors',
    csv(({ spec }) => spec.customresourcedefinitions.owned[0].specDescriptors.pop()),
    /spec\.size of Memcached sample has no descriptor/,
    csv(({ spec }) => spec.customresourcedefinitions.owned[0].specDescriptors.shift()),
  ],
  [
    'scorecard-descriptors',
    both(
      sample((object) => (object.status = { replicas: 3 })),
      csv(({ spec }) => delete spec.customresourcedefinitions.owned[0].statusDescriptors),
    ),
    /Memcached sample has a status and its kind no statusDescriptors/,
    sample((object) => (object.status = { replicas: 3 })),
  ],
];

const foundBy = (rule: string, change: Change): string[] =>
  bundleProblems(changed(change))
    .filter((problem) => problem.rule === rule)
    .map(({ path, message }) => `${path}: ${message}`);

test('the bundle of the example has no problems', () => {
  expect(bundleProblems(FILES)).toEqual([]);
});

test.each(CASES)('%s finds it', (rule, found, message) => {
  expect(foundBy(rule, found).join('\n')).toMatch(message);
});

test.each(CASES.filter(([, , , passes]) => passes.length > 0))('%s lets a near one pass', (rule, _found, _message, passes) => {
  expect(foundBy(rule, passes)).toEqual([]);
});

test('every rule has a case that it finds and one that it lets pass', () => {
  expect([...new Set(CASES.map(([rule]) => rule))].sort()).toEqual([...BUNDLE_RULE_NAMES].sort());
  const passing = CASES.filter(([, , , passes]) => passes.length > 0).map(([rule]) => rule);
  expect([...new Set(passing)].sort()).toEqual([...BUNDLE_RULE_NAMES].sort());
});

test('without a ClusterServiceVersion nothing is said about its fields', () => {
  expect(bundleProblems([]).map(({ rule }) => rule)).toEqual(['one-csv', ...Array<string>(5).fill('annotations')]);
});
