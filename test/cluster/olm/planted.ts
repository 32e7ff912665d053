import { stringify } from 'yaml';
import {
  ANNOTATIONS,
  ballast,
  type Change,
  CRD,
  CSV,
  channel,
  container,
  csv,
  edit,
  FILES,
  grant,
  object,
} from '../../keelson/packaging/olm/rules/edited-bundle.js';

/** A mistake in a bundle, what OLM's validators say of it, and the rule of {@link bundleProblems} that must find it. */
export interface Planted {
  readonly change: Change;
  readonly level: 'Error' | 'Warning';
  readonly theirs: RegExp;
  /** With the severity that OLM's installation gives it: what keeps a bundle from OperatorHub alone is a warning here. */
  readonly ours: `${'error' | 'warning'} ${string}`;
}

const textOf = (path: string): string => FILES.find((file) => file.path === path)?.text ?? '';
const annotation = (name: string, value: string | undefined): Change =>
  edit(ANNOTATIONS, ({ annotations }) => (annotations[`operators.operatorframework.io.bundle.${name}`] = value));

const roleOf = (rule: object): Change => object('role.yaml', 'ClusterRole', { apiVersion: 'rbac.authorization.k8s.io/v1', rules: [rule] });

/** Mistakes, one in each bundle. */
export const PLANTED: Readonly<Record<string, Planted>> = {
  'no ClusterServiceVersion': {
    change: (files) => files.delete(CSV),
    level: 'Error',
    theirs: /unable to find a csv/,
    ours: 'error one-csv',
  },
  'two ClusterServiceVersions': {
    change: (files) => files.set('manifests/second.yaml', textOf(CSV)),
    level: 'Error',
    theirs: /multiple CSVs|no bundle csv found/,
    ours: 'error one-csv',
  },
  'a name that no object can have': {
    change: csv(({ metadata }) => (metadata.name = 'Memcached.v0.1.0+one')),
    level: 'Error',
    theirs: /metadata\.name.* is invalid/,
    ours: 'error csv-name',
  },
  'no version': {
    change: csv(({ spec }) => delete spec.version),
    level: 'Error',
    theirs: /csv\.Spec\.Version must be set/,
    ours: 'error csv-name',
  },
  'a bundle before that no object can be': {
    change: csv(({ spec }) => (spec.replaces = 'the one before')),
    level: 'Error',
    theirs: /spec\.replaces/,
    ours: 'error replaces',
  },
  'no install modes': {
    change: csv(({ spec }) => (spec.installModes = [])),
    level: 'Error',
    theirs: /install modes not found/,
    ours: 'error install-modes',
  },
  'no install mode that is supported': {
    change: csv(({ spec }) => (spec.installModes = [{ type: 'AllNamespaces', supported: false }])),
    level: 'Error',
    theirs: /none of InstallModeTypes are supported/,
    ours: 'error install-modes',
  },
  'a conversion in one namespace': {
    change: csv(({ spec }) => {
      Object.assign(spec.webhookdefinitions[0], { type: 'ConversionWebhook', conversionCRDs: ['memcacheds.cache.example.com'] });
      spec.installModes.find(({ type }: { type: string }) => type === 'OwnNamespace').supported = true;
    }),
    level: 'Error',
    theirs: /only AllNamespaces InstallModeType is supported/,
    ours: 'error conversion-all-namespaces',
  },
  'a minimum that is no version': {
    change: csv(({ spec }) => (spec.minKubeVersion = '1.30')),
    level: 'Error',
    theirs: /MinKubeVersion has an invalid value/,
    ours: 'error min-kube-version',
  },
  'no minimum of Kubernetes': {
    change: csv(({ spec }) => delete spec.minKubeVersion),
    level: 'Warning',
    theirs: /minKubeVersion is not informed/,
    ours: 'warning min-kube-version-missing',
  },
  'examples that are not JSON': {
    change: csv(({ metadata }) => (metadata.annotations['alm-examples'] = '[{')),
    level: 'Error',
    theirs: /invalid example/,
    ours: 'error alm-examples-json',
  },
  'an example of another kind': {
    change: csv(({ metadata }) => (metadata.annotations['alm-examples'] = '[{"apiVersion":"cache.example.com/v2","kind":"Memcached"}]')),
    level: 'Error',
    theirs: /example must have a provided API/,
    ours: 'error alm-examples-owned',
  },
  'a kind without example': {
    change: csv(({ metadata }) => (metadata.annotations['alm-examples'] = '[]')),
    level: 'Warning',
    theirs: /provided API should have an example annotation/,
    ours: 'warning alm-examples-missing',
  },
  'an owned kind without its definition': {
    change: (files) => files.delete(CRD),
    level: 'Error',
    theirs: /owned CRD .* not found in bundle/,
    ours: 'error crd-owned',
  },
  'a definition that is not owned': {
    change: csv(({ spec }) => (spec.customresourcedefinitions.owned = [])),
    level: 'Error',
    theirs: /is present in bundle .* but not defined in CSV/,
    ours: 'error crd-owned',
  },
  'a definition twice': {
    change: (files) => files.set('manifests/again.yaml', textOf(CRD)),
    level: 'Error',
    theirs: /duplicate CRD/,
    ours: 'error crd-unique',
  },
  'the ServiceAccount that OLM makes': {
    change: object('account.yaml', 'ServiceAccount', { metadata: { name: 'memcached-operator' } }),
    level: 'Error',
    theirs: /invalid service account found in bundle/,
    ours: 'error service-account',
  },
  'a kind that OLM does not install': {
    change: object('pod.yaml', 'Pod'),
    level: 'Error',
    theirs: /Pod is not supported type for registryV1 bundle/,
    ours: 'error supported-kinds',
  },
  'an API version that is gone': {
    change: object('budget.yaml', 'PodDisruptionBudget', { apiVersion: 'policy/v1beta1', spec: { maxUnavailable: 1 } }),
    level: 'Error',
    theirs: /removed in v1\.25/,
    ours: 'error removed-apis',
  },
  'an API version that is gone in newer clusters than the oldest': {
    change: (files) => {
      csv(({ spec }) => (spec.minKubeVersion = '1.24.0'))(files);
      object('budget.yaml', 'PodDisruptionBudget', { apiVersion: 'policy/v1beta1', spec: { maxUnavailable: 1 } })(files);
    },
    level: 'Warning',
    theirs: /removed in v1\.25/,
    ours: 'error removed-apis',
  },
  'a budget that lets no Pod go': {
    change: object('budget.yaml', 'PodDisruptionBudget', { apiVersion: 'policy/v1', spec: { maxUnavailable: 0 } }),
    level: 'Error',
    theirs: /maxUnavailable field cannot be set to 0/,
    ours: 'error budgets',
  },
  'a priority for all Pods': {
    change: object('priority.yaml', 'PriorityClass', { apiVersion: 'scheduling.k8s.io/v1', value: 1, globalDefault: true }),
    level: 'Error',
    theirs: /globalDefault field cannot be set to true/,
    ours: 'error priority-default',
  },
  'a role that changes what OpenShift guards itself with': {
    change: roleOf({
      apiGroups: ['security.openshift.io'],
      resources: ['securitycontextconstraints'],
      verbs: ['patch'],
      resourceNames: ['anyuid'],
    }),
    level: 'Error',
    theirs: /permission to modify default securitycontextconstraints/,
    ours: 'error scc-rights',
  },
  'a role that writes budgets': {
    change: roleOf({ apiGroups: ['policy'], resources: ['poddisruptionbudgets'], verbs: ['create'] }),
    level: 'Warning',
    theirs: /permission to create\/update poddisruptionbudgets/,
    ours: 'warning budget-rights',
  },
  'too many bytes': { change: ballast(1100), level: 'Error', theirs: /maximum bundle compressed size/, ours: 'error bundle-size' },
  'nearly too many bytes': { change: ballast(950), level: 'Warning', theirs: /nearing maximum bundle/, ours: 'warning bundle-size-near' },
  'no package': { change: annotation('package.v1', undefined), level: 'Error', theirs: /package\.v1/, ours: 'error annotations' },
  'another format': {
    change: annotation('mediatype.v1', 'plain+v0'),
    level: 'Error',
    theirs: /mediatype\.v1.* instead of "plain\+v0"/,
    ours: 'error annotations',
  },
  'no channel': { change: channel(''), level: 'Error', theirs: /channels\.v1.* non-empty/, ours: 'error annotations' },
  'a channel with a name of its own': {
    change: channel('latest'),
    level: 'Warning',
    theirs: /channel\(s\) \["latest".* naming convention/,
    ours: 'warning channel-names',
  },
  'a range of versions under another name': {
    change: csv(({ metadata }) => (metadata.annotations['olm.skiprange'] = '<1.0.0')),
    level: 'Error',
    theirs: /olm\.skiprange uses wrong case/,
    ours: 'error olm-annotation-case',
  },
  'no requests for resources': {
    change: csv((document) => delete container(document).resources.requests),
    level: 'Warning',
    theirs: /unable to find the resource requests/,
    ours: 'warning resource-requests',
  },
  'a kind without a description': {
    change: csv(({ spec }) => (spec.customresourcedefinitions.owned[0].description = '')),
    level: 'Warning',
    theirs: /has an empty description/,
    ours: 'warning crd-description',
  },
  'the right to make kinds': {
    change: grant({ apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: ['create'] }),
    level: 'Warning',
    theirs: /permissions to create CRD/,
    ours: 'warning crd-rights',
  },
  'a name that orders nothing': {
    change: csv(({ metadata }) => (metadata.name = 'memcached-operator')),
    level: 'Warning',
    theirs: /is not following the versioning convention/,
    ours: 'warning bundle-name-form',
  },
  'no provider': {
    change: csv(({ spec }) => (spec.provider = {})),
    level: 'Error',
    theirs: /Provider\.Name not specified/,
    ours: 'warning hub-provider',
  },
  'a maintainer without address': {
    change: csv(({ spec }) => (spec.maintainers[0].email = 'nobody')),
    level: 'Error',
    theirs: /Maintainers email nobody is invalid/,
    ours: 'warning hub-maintainers',
  },
  'a link to nowhere': {
    change: csv(({ spec }) => (spec.links = [{ name: 'Home', url: 'example' }])),
    level: 'Error',
    theirs: /Links url example is invalid/,
    ours: 'warning hub-links',
  },
  'an icon that is not shown': {
    change: csv(({ spec }) => (spec.icon[0].mediatype = 'image/webp')),
    level: 'Error',
    theirs: /image\/webp does not have a valid mediatype/,
    ours: 'warning hub-icon',
  },
  'an empty list of icons': {
    change: csv(({ spec }) => (spec.icon = [])),
    level: 'Error',
    theirs: /breaks down: runtime error: index out of range/,
    ours: 'warning hub-icon',
  },
  'a level that is none': {
    change: csv(({ metadata }) => (metadata.annotations.capabilities = 'Full')),
    level: 'Error',
    theirs: /capabilities/i,
    ours: 'warning hub-capabilities',
  },
  'a category that is none': {
    change: csv(({ metadata }) => (metadata.annotations.categories = 'Caches')),
    level: 'Error',
    theirs: /value "Caches" is not in the set of standard categories/,
    ours: 'warning hub-categories',
  },
};

/** A mistake in a catalog of two bundles, and what opm and {@link catalogProblems} say of it. */
export interface PlantedInCatalog {
  readonly change: (documents: Loose[]) => void;
  readonly theirs: RegExp;
  readonly ours: RegExp;
}

// biome-ignore lint/suspicious/noExplicitAny: documents of several shapes, wrong ones among them.
type Loose = any;
const channelOf = (all: Loose[]): Loose => all.find(({ schema }) => schema === 'olm.channel');
const bundleOf = (all: Loose[]): Loose => all.find(({ schema }) => schema === 'olm.bundle');

export const PLANTED_IN_CATALOG: Readonly<Record<string, PlantedInCatalog>> = {
  'a default channel that is not there': {
    change: (all) => (all[0].defaultChannel = 'fast'),
    theirs: /invalid package|default channel/,
    ours: /defaultChannel 'fast'/,
  },
  'a channel of no package': { change: (all) => all.shift(), theirs: /unknown package/, ours: /no such package/ },
  'a package twice': { change: (all) => all.push(all[0]), theirs: /duplicate package/, ours: /package memcached-operator: is there twice/ },
  'a channel twice': {
    change: (all) => all.push(channelOf(all)),
    theirs: /has duplicate channel/,
    ours: /channel stable of memcached-operator: is there twice/,
  },
  'an entry twice': {
    change: (all) => channelOf(all).entries.push(channelOf(all).entries[0]),
    theirs: /duplicate entry/,
    ours: /is there twice/,
  },
  'an entry without bundle': {
    change: (all) => all.splice(all.indexOf(bundleOf(all)), 1),
    theirs: /no olm\.bundle blobs found/,
    ours: /has no bundle in the catalog/,
  },
  'a bundle in no channel': {
    change: (all) => channelOf(all).entries.shift(),
    theirs: /not found in any channel entries/,
    ours: /is in no channel/,
  },
  'a bundle twice': { change: (all) => all.push(bundleOf(all)), theirs: /duplicate bundle/, ours: /is there twice/ },
  'two that are newest': {
    change: (all) => delete channelOf(all).entries[1].replaces,
    theirs: /multiple channel heads found/,
    ours: /are replaced by none/,
  },
  'a circle': {
    change: (all) => (channelOf(all).entries[0].replaces = channelOf(all).entries[1].name),
    theirs: /no channel head found|cycle/,
    ours: /replaces itself by way of others/,
  },
  'an empty channel': {
    change: (all) => (channelOf(all).entries = []),
    theirs: /not found in any channel|at least one bundle/,
    ours: /has no entries/,
  },
  'a bundle without image': { change: (all) => (bundleOf(all).image = ''), theirs: /bundle image must be set/, ours: /has no image/ },
  'a bundle that does not say its version': {
    change: (all) => (bundleOf(all).properties = bundleOf(all).properties.filter(({ type }: { type: string }) => type !== 'olm.package')),
    theirs: /must have exactly 1 .*olm\.package/,
    ours: /has 0 properties olm\.package/,
  },
  'a version twice': {
    change: (all) => {
      const again = structuredClone(bundleOf(all));
      again.name = 'memcached-operator.again';
      all.push(again);
      channelOf(all).entries.unshift({ name: again.name });
      channelOf(all).entries[1].replaces = again.name;
    },
    theirs: /duplicate versions found in bundles/,
    ours: /has the version 0\.1\.0, as memcached-operator\.again has|has the version 0\.1\.0/,
  },
};

/** The text of a catalog. */
export function catalogText(documents: readonly unknown[]): string {
  return documents.map((document) => stringify(document, { version: '1.1' })).join('---\n');
}
