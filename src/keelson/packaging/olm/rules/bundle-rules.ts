import { gzipSync } from 'node:zlib';
import { type ApiLifecycle, apiLifecycleOf } from '@keelson/kubernetes/apimachinery';
import { KUBERNETES_MINOR } from '@keelson/kubernetes/version';
import { type Fields, fieldsAt, listAt, textAt } from '../bundle-contents.js';
import { semanticVersionOf } from '../semantic-version.js';
import { type BundleRule, error, grants, type RuleSubject, warning, when } from './rule.js';

const LIMIT_BYTES = 1024 * 1024;
const WARNING_SHARE = 0.85;

/** Kinds that OLM installs from a bundle beside the ClusterServiceVersion. Source: operator-registry `pkg/lib/bundle/supported_resources.go`, v1.55. */
const SUPPORTED_KINDS: ReadonlySet<string> = new Set([
  'ClusterServiceVersion',
  'CustomResourceDefinition',
  'Secret',
  'ClusterRole',
  'ClusterRoleBinding',
  'ServiceAccount',
  'Service',
  'Role',
  'RoleBinding',
  'PrometheusRule',
  'ServiceMonitor',
  'PodDisruptionBudget',
  'PriorityClass',
  'VerticalPodAutoscaler',
  'ConsoleYAMLSample',
  'ConsoleQuickStart',
  'ConsoleCLIDownload',
  'ConsoleLink',
  'ConsolePlugin',
  'ConfigMap',
  'NetworkPolicy',
]);

/** Rules of the files together. Source: operator-framework/api `pkg/validation/internal/bundle.go` and `removed_apis.go`. */
export const BUNDLE_RULES: readonly BundleRule[] = [
  error('readable', ({ contents }) => contents.unreadable.map(({ path, message }) => ({ path, message: `is not YAML: ${message}` }))),
  error('one-csv', ({ contents }) => {
    const found = contents.objects.filter(({ fields }) => fields['kind'] === 'ClusterServiceVersion').length;
    return when(found !== 1, `manifests/ has ${found} ClusterServiceVersions; a bundle has one`);
  }),
  error('annotations', ({ contents }) =>
    Object.entries(ANNOTATIONS).flatMap(([key, expected]) => {
      const name = `operators.operatorframework.io.bundle.${key}`;
      const problem = annotationProblem(contents.annotations[name], expected);
      return problem === undefined ? [] : [{ path: 'metadata/annotations.yaml', message: `annotation ${name}: ${problem}` }];
    }),
  ),
  error('crd-unique', ({ crds }) =>
    crds.flatMap(({ path, fields }, index) => {
      const name = textAt(fields, 'metadata', 'name');
      const first = crds.findIndex((other) => textAt(other.fields, 'metadata', 'name') === name);
      return first === index ? [] : [{ path, message: `CustomResourceDefinition ${name} is in ${crds[first]?.path} too; keep one` }];
    }),
  ),
  error('crd-owned', (subject) => {
    const [owned, present] = [ownedVersions(subject.spec), presentVersions(subject)];
    return [
      ...owned
        .filter((version) => !present.some((other) => other.key === version))
        .map(
          (version) =>
            `spec.customresourcedefinitions.owned: ${version} is not in the bundle; add its CustomResourceDefinition, or list it as required`,
        ),
      ...present
        .filter(({ key }) => !owned.includes(key))
        .map(({ key, path }) => ({ path, message: `${key} is not in spec.customresourcedefinitions.owned; list it` })),
    ];
  }),
  error('service-account', ({ contents, spec }) => {
    const used = new Set([
      ...['permissions', 'clusterPermissions'].flatMap((list) =>
        listAt(spec, 'install', 'spec', list).map((each) => textAt(each, 'serviceAccountName')),
      ),
      ...listAt(spec, 'install', 'spec', 'deployments').map((each) => textAt(each, 'spec', 'template', 'spec', 'serviceAccountName')),
    ]);
    return contents.objects
      .filter(({ fields }) => fields['kind'] === 'ServiceAccount' && used.has(textAt(fields, 'metadata', 'name')))
      .map(({ path, fields }) => ({
        path,
        message: `ServiceAccount ${textAt(fields, 'metadata', 'name')} is made by OLM from the ClusterServiceVersion; leave it out`,
      }));
  }),
  error('supported-kinds', ({ contents }) =>
    contents.objects
      .filter(({ fields }) => !SUPPORTED_KINDS.has(textAt(fields, 'kind')))
      .map(({ path, fields }) => ({ path, message: `OLM does not install a ${textAt(fields, 'kind')} from a bundle; leave it out` })),
  ),
  error('removed-apis', (subject) =>
    endingApis(subject)
      .filter(({ isGone }) => isGone)
      .map(({ path, api, removed }) => ({
        path,
        message: `Kubernetes 1.${removed} and newer do not serve ${api}; write the version that replaced it`,
      })),
  ),
  warning('deprecated-apis', (subject) =>
    endingApis(subject)
      .filter(({ isGone }) => !isGone)
      .map(({ path, api, deprecated, removed }) => {
        const end = removed === undefined ? '' : `, and 1.${removed} does not serve it`;
        return { path, message: `Kubernetes 1.${deprecated} deprecated ${api}${end}; write the version or the kind that replaces it` };
      }),
  ),
  error('budgets', ({ contents }) =>
    contents.objects
      .filter(({ fields }) => fields['kind'] === 'PodDisruptionBudget' && letsNoneGo(fieldsAt(fields, 'spec')))
      .map(({ path, fields }) => ({
        path,
        message: `PodDisruptionBudget ${textAt(fields, 'metadata', 'name')} lets no Pod go, and no node could be emptied; write maxUnavailable: 1`,
      })),
  ),
  error('priority-default', ({ contents }) =>
    contents.objects
      .filter(({ fields }) => fields['kind'] === 'PriorityClass' && fields['globalDefault'] === true)
      .map(({ path, fields }) => ({
        path,
        message: `PriorityClass ${textAt(fields, 'metadata', 'name')} is the default of the cluster, for Pods of others too; leave globalDefault out`,
      })),
  ),
  error('scc-rights', (subject) =>
    rolesThat(subject, ({ resourceNames, ...rule }) => {
      const isDefault = Array.isArray(resourceNames) && resourceNames.some((name) => DEFAULT_CONSTRAINTS.has(String(name)));
      return isDefault && grants(rule, 'security.openshift.io', 'securitycontextconstraints', ['delete', 'patch', 'update']);
    }).map(({ path, role }) => ({
      path,
      message: `${role} may change SecurityContextConstraints of OpenShift itself; leave the right out`,
    })),
  ),
  warning('budget-rights', (subject) =>
    rolesThat(subject, (rule) => grants(rule, 'policy', 'poddisruptionbudgets', ['create', 'patch', 'update'])).map(({ path, role }) => ({
      path,
      message: `${role} may write PodDisruptionBudgets, and one that lets no Pod go keeps nodes from being emptied; leave the right out if it is not needed`,
    })),
  ),
  error('bundle-size', ({ contents }) => {
    const bytes = compressedBytes(contents.files);
    return when(
      bytes > LIMIT_BYTES,
      `the bundle is ${bytes} bytes compressed, and OLM takes ${LIMIT_BYTES}; leave descriptions out of the CustomResourceDefinitions`,
    );
  }),
  warning('bundle-size-near', ({ contents }) => {
    const bytes = compressedBytes(contents.files);
    return when(
      bytes > LIMIT_BYTES * WARNING_SHARE && bytes <= LIMIT_BYTES,
      `the bundle is ${bytes} bytes compressed, more than ${WARNING_SHARE * 100} % of the ${LIMIT_BYTES} that OLM takes; leave descriptions out of the CustomResourceDefinitions`,
    );
  }),
];

interface EndingApi extends ApiLifecycle {
  readonly path: string;
  /** Kind and version. */
  readonly api: string;
  /** Whether Kubernetes has ceased to serve it: the version that keelson is tested with, or the `minKubeVersion` of the bundle. */
  readonly isGone: boolean;
}

/** The newest minor that keelson is tested with, without its major version. */
const TESTED_MINOR = Number(KUBERNETES_MINOR.split('.')[1]);

/** Objects of versions that Kubernetes has deprecated. */
function endingApis({ contents, spec }: RuleSubject): readonly EndingApi[] {
  const newest = Math.max(TESTED_MINOR, semanticVersionOf(spec['minKubeVersion'])?.numbers[1] ?? 0);
  return contents.objects.flatMap(({ path, fields }) => {
    const [apiVersion, kind] = [textAt(fields, 'apiVersion'), textAt(fields, 'kind')];
    const lifecycle = apiLifecycleOf(apiVersion, kind);
    if (lifecycle === undefined) return [];
    return [{ path, api: `${kind} of ${apiVersion}`, isGone: newest >= (lifecycle.removed ?? Number.POSITIVE_INFINITY), ...lifecycle }];
  });
}

function ownedVersions(spec: Fields): readonly string[] {
  return listAt(spec, 'customresourcedefinitions', 'owned').map((owned) => `${textAt(owned, 'name')}/${textAt(owned, 'version')}`);
}

function presentVersions({ crds }: RuleSubject): readonly { readonly key: string; readonly path: string }[] {
  return crds.flatMap(({ path, fields }) =>
    listAt(fieldsAt(fields, 'spec'), 'versions')
      .filter((version) => version['served'] !== false)
      .map((version) => ({ key: `${textAt(fields, 'metadata', 'name')}/${textAt(version, 'name')}`, path })),
  );
}

/** OLM hands a bundle on in a ConfigMap: each file compressed by itself, in base64. */
function compressedBytes(files: RuleSubject['contents']['files']): number {
  return files.reduce((bytes, { text }) => bytes + Math.ceil(gzipSync(text).length / 3) * 4, 0);
}

/** Annotations by which OLM finds the parts of a bundle, and the value that each must have; `undefined`: any. Source: operator-registry `pkg/lib/bundle/validate.go`. */
const ANNOTATIONS: Readonly<Record<string, string | undefined>> = {
  'mediatype.v1': 'registry+v1',
  'manifests.v1': undefined,
  'metadata.v1': undefined,
  'package.v1': undefined,
  'channels.v1': undefined,
};

function annotationProblem(found: unknown, expected: string | undefined): string | undefined {
  if (found === undefined) return "is missing; OLM finds the bundle's parts by it";
  if (expected !== undefined) return found === expected ? undefined : `is '${String(found)}', and OLM takes ${expected} alone`;
  return typeof found === 'string' && found !== '' ? undefined : 'is empty; write a name';
}

/** SecurityContextConstraints that OpenShift brings. Source: operator-framework/api `object.go`. */
const DEFAULT_CONSTRAINTS: ReadonlySet<string> = new Set([
  'privileged',
  'restricted',
  'anyuid',
  'hostaccess',
  'hostmount-anyuid',
  'hostnetwork',
  'node-exporter',
  'nonroot',
]);

/** Roles and ClusterRoles of the bundle with such a rule. Rights of the operator itself stand in the ClusterServiceVersion. */
function rolesThat(
  { contents }: RuleSubject,
  isMeant: (rule: Fields) => boolean,
): readonly { readonly path: string; readonly role: string }[] {
  return contents.objects
    .filter(({ fields }) => ['Role', 'ClusterRole'].includes(textAt(fields, 'kind')) && listAt(fields, 'rules').some(isMeant))
    .map(({ path, fields }) => ({ path, role: `${textAt(fields, 'kind')} ${textAt(fields, 'metadata', 'name')}` }));
}

/** Source: operator-framework/api `object.go`. */
function letsNoneGo({ maxUnavailable, minAvailable }: Fields): boolean {
  return maxUnavailable === 0 || maxUnavailable === '0%' || minAvailable === '100%';
}
