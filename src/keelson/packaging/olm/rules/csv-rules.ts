import { DNS_1123_SUBDOMAIN, isRecord, obeys } from '@keelson/kubernetes/apimachinery';
import { type Fields, fieldsAt, listAt, textAt } from '../bundle-contents.js';
import { isVersionRange, semanticVersionOf } from '../semantic-version.js';
import { type BundleRule, error, type RuleSubject, warning, when } from './rule.js';

const INSTALL_MODES = ['AllNamespaces', 'MultiNamespace', 'OwnNamespace', 'SingleNamespace'] as const;
const EXAMPLES = 'alm-examples';

/** Rules of the ClusterServiceVersion alone. Source: operator-framework/api `pkg/validation/internal/csv.go`. */
export const CSV_RULES: readonly BundleRule[] = [
  error('csv-format', ({ csv }) =>
    when(
      textAt(csv, 'apiVersion') !== 'operators.coreos.com/v1alpha1',
      `apiVersion: '${textAt(csv, 'apiVersion')}' is not served by OLM; write operators.coreos.com/v1alpha1`,
    ),
  ),
  error('csv-name', ({ csv, spec }) => {
    const [name, version] = [textAt(csv, 'metadata', 'name'), textAt(spec, 'version')];
    return [
      ...when(
        !obeys(DNS_1123_SUBDOMAIN, name),
        `metadata.name: '${name}' is not a name of an object; write <operator>.v<version> in lower case, and leave build metadata (+) out of the version`,
      ),
      ...when(semanticVersionOf(version) === undefined, `spec.version: '${version}' is not a semantic version; write it like 1.2.0`),
    ];
  }),
  error('release-name', ({ contents, csv, spec }) => {
    const { release } = spec;
    if (release === undefined) return [];
    const packageName = textAt(contents.annotations, 'operators.operatorframework.io.bundle.package.v1');
    const name = `${packageName}-v${textAt(spec, 'version')}-${String(release)}`;
    return [
      ...when(
        typeof release !== 'string' || !RELEASE.test(release),
        `spec.release: '${String(release)}' is not a release; write identifiers with dots between them, numbers without leading zeros`,
      ),
      ...when(
        textAt(csv, 'metadata', 'name') !== name,
        `metadata.name: '${textAt(csv, 'metadata', 'name')}' must be ${name}, <package>-v<version>-<release>, as spec.release is given`,
      ),
    ];
  }),
  error('replaces', ({ csv, spec }) => {
    const [name, replaces, skips] = [textAt(csv, 'metadata', 'name'), textAt(spec, 'replaces'), spec['skips']];
    const range = textAt(csv, 'metadata', 'annotations', 'olm.skipRange');
    const all = [...(replaces === '' ? [] : [replaces]), ...(Array.isArray(skips) ? skips.map(String) : [])];
    return [
      ...when(
        replaces !== '' && !obeys(DNS_1123_SUBDOMAIN, replaces),
        `spec.replaces: '${replaces}' is not the name of a bundle; write <operator>.v<version> in lower case`,
      ),
      ...when(all.includes(name), `spec.replaces, spec.skips: ${name} names itself; name older bundles`),
      ...when(
        range !== '' && !isVersionRange(range),
        `annotation olm.skipRange: '${range}' is not a range of versions; write it like >=1.0.0 <1.2.0`,
      ),
    ];
  }),
  error('install-modes', ({ spec }) => {
    const modes = listAt(spec, 'installModes');
    const types = modes.map((mode) => textAt(mode, 'type'));
    const unknown = types.find((type) => !(INSTALL_MODES as readonly string[]).includes(type));
    const twice = types.find((type, index) => types.indexOf(type) !== index);
    return [
      ...when(modes.length === 0, `spec.installModes: is empty; list ${INSTALL_MODES.join(', ')}, each with supported`),
      ...when(unknown !== undefined, `spec.installModes: '${unknown}' is not a mode; write one of ${INSTALL_MODES.join(', ')}`),
      ...when(twice !== undefined, `spec.installModes: ${twice} is there twice; keep one`),
      ...when(
        modes.length > 0 && !modes.some((mode) => mode['supported'] === true),
        'spec.installModes: none is supported; set supported: true where the operator can run',
      ),
    ];
  }),
  error('conversion-all-namespaces', ({ spec }) => {
    const converts = listAt(spec, 'webhookdefinitions').some((webhook) => textAt(webhook, 'type') === 'ConversionWebhook');
    const others = supportedModes(spec).filter((mode) => mode !== 'AllNamespaces');
    return when(
      converts && others.length > 0,
      `spec.installModes: ${others.join(', ')} cannot be supported by an operator that converts, because a CustomResourceDefinition has one webhook in the cluster; support AllNamespaces alone`,
    );
  }),
  error('min-kube-version', ({ spec }) => {
    const version = textAt(spec, 'minKubeVersion');
    return when(
      version !== '' && semanticVersionOf(version) === undefined,
      `spec.minKubeVersion: '${version}' is not a version; write it like 1.30.0`,
    );
  }),
  warning('min-kube-version-missing', ({ spec }) =>
    when(
      spec['minKubeVersion'] === undefined,
      'spec.minKubeVersion: is missing, and OLM would install into any cluster; write the oldest version that you test',
    ),
  ),
  error('alm-examples-json', ({ csv }) => {
    const examples = examplesOf(csv);
    return when(examples === undefined, `annotation ${EXAMPLES}: is not a list of objects in JSON; write [] or the objects`);
  }),
  error('alm-examples-owned', (subject) =>
    (examplesOf(subject.csv) ?? []).flatMap((example) => {
      const key = exampleKey(example);
      return when(
        !ownedKeys(subject).includes(key),
        `annotation ${EXAMPLES}: ${key} is not an owned API of the bundle; leave the example out, or own the API`,
      );
    }),
  ),
  warning('alm-examples-missing', (subject) => {
    const keys = (examplesOf(subject.csv) ?? []).map(exampleKey);
    return ownedKeys(subject).flatMap((key) =>
      when(!keys.includes(key), `annotation ${EXAMPLES}: has no example of ${key}; add one, consoles show it as the form's start`),
    );
  }),
  error('related-images', ({ spec }) =>
    listAt(spec, 'relatedImages').flatMap((related) => {
      const image = textAt(related, 'image');
      return [
        ...when(!IMAGE.test(image), `spec.relatedImages: '${image}' is not an image; write registry/name:tag, or with a digest`),
        ...when(textAt(related, 'name') === '', `spec.relatedImages: ${image} has no name; give it one`),
      ];
    }),
  ),
  error('webhook-deployment', ({ spec }) => {
    const deployments = listAt(spec, 'install', 'spec', 'deployments').map((deployment) => textAt(deployment, 'name'));
    return listAt(spec, 'webhookdefinitions').flatMap((webhook) => {
      const name = textAt(webhook, 'deploymentName');
      return when(
        !deployments.includes(name),
        `spec.webhookdefinitions: deploymentName '${name}' is not a Deployment of the bundle; name one of ${deployments.join(', ')}`,
      );
    });
  }),
  error('webhook-rules', ({ spec }) =>
    listAt(spec, 'webhookdefinitions').flatMap((webhook) =>
      listAt(webhook, 'rules').flatMap((rule) => forbiddenRule(textAt(webhook, 'generateName'), rule)),
    ),
  ),
  error('olm-annotation-case', ({ csv }) => wrongCase(csv, OLM_ANNOTATIONS)),
  warning('annotation-case', ({ csv }) => wrongCase(csv, ANNOTATIONS)),
];

/** As the pre-release of a semantic version. */
const RELEASE = /^(0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*)(\.(0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*))*$/;

/** Annotations that decide what OLM does. */
const OLM_ANNOTATIONS = ['olm.skipRange', 'olm.operatorGroup', 'olm.operatorNamespace', 'olm.targetNamespaces', 'olm.providedAPIs'];

const ANNOTATIONS = [
  'alm-examples',
  'capabilities',
  'categories',
  'certified',
  'containerImage',
  'createdAt',
  'description',
  'repository',
  'support',
];

const IMAGE = /^[a-zA-Z0-9][\w.-]*(:\d+)?(\/[a-z0-9]+((\.|_{1,2}|-+)[a-z0-9]+)*)*(:[\w][\w.-]{0,127})?(@sha256:[0-9a-f]{64})?$/;

function wrongCase(csv: Fields, known: readonly string[]): readonly string[] {
  return Object.keys(fieldsAt(csv, 'metadata', 'annotations')).flatMap((key) => {
    const meant = known.find((annotation) => annotation !== key && annotation.toLowerCase() === key.toLowerCase());
    return when(meant !== undefined, `annotation ${key}: is not read; write ${meant}`);
  });
}

export function supportedModes(spec: Fields): readonly string[] {
  return listAt(spec, 'installModes')
    .filter((mode) => mode['supported'] === true)
    .map((mode) => textAt(mode, 'type'));
}

/** The samples of the annotation; `undefined` if it is not a list of objects in JSON. */
export function examplesOf(csv: Fields): readonly Fields[] | undefined {
  const text = fieldsAt(csv, 'metadata', 'annotations')[EXAMPLES];
  if (text === undefined) return [];
  try {
    const parsed: unknown = JSON.parse(String(text));
    return Array.isArray(parsed) && parsed.every(isRecord) ? parsed : undefined;
  } catch {
    // Not JSON: the rule says so.
    return undefined;
  }
}

function exampleKey(example: Fields): string {
  return `${textAt(example, 'kind')} of ${textAt(example, 'apiVersion')}`;
}

function ownedKeys({ spec }: RuleSubject): readonly string[] {
  return listAt(spec, 'customresourcedefinitions', 'owned').map((owned) => {
    const name = textAt(owned, 'name');
    return `${textAt(owned, 'kind')} of ${name.slice(name.indexOf('.') + 1)}/${textAt(owned, 'version')}`;
  });
}

/** OLM refuses webhooks that could keep it from working. Source: OLM `pkg/controller/install/webhook.go`. */
function forbiddenRule(webhook: string, rule: Fields): readonly string[] {
  const groups = Array.isArray(rule['apiGroups']) ? rule['apiGroups'].map(String) : [];
  const resources = Array.isArray(rule['resources']) ? rule['resources'].map(String) : [];
  const isAdmission =
    groups.includes('admissionregistration.k8s.io') &&
    resources.some((name) => /^(\*|(mutating|validating)webhookconfigurations)$/.test(name));
  return [
    ...when(groups.includes('*'), `spec.webhookdefinitions: ${webhook} has a rule for all API groups, which OLM refuses; name the groups`),
    ...when(
      groups.includes('operators.coreos.com'),
      `spec.webhookdefinitions: ${webhook} has a rule for OLM's own objects, which OLM refuses; leave operators.coreos.com out`,
    ),
    ...when(isAdmission, `spec.webhookdefinitions: ${webhook} has a rule for webhook configurations, which OLM refuses; leave them out`),
  ];
}
