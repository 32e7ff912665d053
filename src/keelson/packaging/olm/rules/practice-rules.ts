import { type Fields, fieldsAt, listAt, PROPERTIES, textAt } from '../bundle-contents.js';
import { semanticVersionOf } from '../semantic-version.js';
import { supportedModes } from './csv-rules.js';
import { type BundleRule, error, grants, type RuleSubject, warning, when } from './rule.js';

const BUNDLE_NAME_LIMIT = 63;
const CAPABILITIES = ['Basic Install', 'Seamless Upgrades', 'Full Lifecycle', 'Deep Insights', 'Auto Pilot'];
const ICON_TYPES = ['image/gif', 'image/jpeg', 'image/png', 'image/svg+xml'];
const CATEGORIES = [
  'AI/Machine Learning',
  'Application Runtime',
  'Big Data',
  'Cloud Provider',
  'Database',
  'Developer Tools',
  'Development Tools',
  'Drivers and plugins',
  'Integration & Delivery',
  'Logging & Tracing',
  'Modernization & Migration',
  'Monitoring',
  'Networking',
  'OpenShift Optional',
  'Observability',
  'Security',
  'Storage',
  'Streaming & Messaging',
];

/** Rules of catalogs and consoles. Source: operator-framework/api `good_practices.go`, `operatorhubv2`, `multiarch.go`; OLM v1's documentation of its limits. */
export const PRACTICE_RULES: readonly BundleRule[] = [
  error('bundle-name', ({ csv }) => {
    const name = textAt(csv, 'metadata', 'name');
    return when(
      name.length > BUNDLE_NAME_LIMIT,
      `metadata.name: ${name} has ${name.length} characters; write at most ${BUNDLE_NAME_LIMIT}, labels hold no more`,
    );
  }),
  warning('bundle-name-form', ({ csv, spec }) => {
    const [name, version] = [textAt(csv, 'metadata', 'name'), textAt(spec, 'version')];
    // Another form, of which `release-name` speaks.
    if (spec['release'] !== undefined) return [];
    const dot = name.indexOf('.v');
    const ok = dot > 0 && semanticVersionOf(name.slice(dot + 2)) !== undefined;
    return when(
      !ok || name.slice(dot + 2) !== version,
      `metadata.name: '${name}' is not <operator>.v${version}; catalogs order bundles by it`,
    );
  }),
  warning('resource-requests', ({ spec }) =>
    listAt(spec, 'install', 'spec', 'deployments').flatMap((deployment) =>
      listAt(deployment, 'spec', 'template', 'spec', 'containers').flatMap((container) =>
        when(
          Object.keys(fieldsAt(container, 'resources', 'requests')).length === 0,
          `spec.install: container ${textAt(container, 'name')} of ${textAt(deployment, 'name')} requests no resources; set requests for cpu and memory`,
        ),
      ),
    ),
  ),
  warning('channel-names', ({ contents }) =>
    String(contents.annotations['operators.operatorframework.io.bundle.channels.v1'] ?? '')
      .split(',')
      .filter((channel) => channel !== '' && !/^(candidate|fast|stable)/.test(channel))
      .map((channel) => ({
        path: 'metadata/annotations.yaml',
        message: `channel ${channel}: the convention is candidate, fast or stable, with a version behind it`,
      })),
  ),
  warning('crd-description', ({ spec }) =>
    listAt(spec, 'customresourcedefinitions', 'owned').flatMap((owned) =>
      when(
        textAt(owned, 'description') === '',
        `spec.customresourcedefinitions.owned: ${textAt(owned, 'name')} has no description; write a sentence`,
      ),
    ),
  ),
  warning('crd-rights', ({ spec }) =>
    ['permissions', 'clusterPermissions'].flatMap((list) =>
      listAt(spec, 'install', 'spec', list).flatMap((permission) =>
        when(
          listAt(permission, 'rules').some((rule) => grants(rule, 'apiextensions.k8s.io', 'customresourcedefinitions', ['create'])),
          `spec.install.spec.${list}: ${textAt(permission, 'serviceAccountName')} may create CustomResourceDefinitions, which OLM does from the bundle; leave the right out`,
        ),
      ),
    ),
  ),
  warning('hub-provider', ({ spec }) =>
    when(textAt(spec, 'provider', 'name') === '', 'spec.provider.name: is missing; name the publisher'),
  ),
  warning('hub-maintainers', ({ spec }) => {
    const maintainers = listAt(spec, 'maintainers');
    return [
      ...when(maintainers.length === 0, 'spec.maintainers: is empty; give a name and an address'),
      ...maintainers.flatMap((each) =>
        when(
          textAt(each, 'name') === '' || !/^[^\s@]+@[^\s@]+$/.test(textAt(each, 'email')),
          `spec.maintainers: ${JSON.stringify(each)} must have a name and an address of mail`,
        ),
      ),
    ];
  }),
  warning('hub-links', ({ spec }) =>
    listAt(spec, 'links').flatMap((link) =>
      when(
        textAt(link, 'name') === '' || !URL.canParse(textAt(link, 'url')),
        `spec.links: ${JSON.stringify(link)} must have a name and a URL`,
      ),
    ),
  ),
  warning('hub-icon', ({ spec }) => {
    const icons = listAt(spec, 'icon');
    const type = textAt(icons[0], 'mediatype');
    return [
      ...when(icons.length !== 1, `spec.icon: has ${icons.length} icons; give one`),
      ...when(
        icons.length === 1 && !ICON_TYPES.includes(type),
        `spec.icon: mediatype '${type}' is not shown; write one of ${ICON_TYPES.join(', ')}`,
      ),
    ];
  }),
  warning('hub-capabilities', ({ csv }) => {
    const level = textAt(csv, 'metadata', 'annotations', 'capabilities');
    return when(
      !CAPABILITIES.includes(level),
      `annotation capabilities: '${level}' is not a level; write one of ${CAPABILITIES.join(', ')}`,
    );
  }),
  warning('hub-categories', ({ csv }) => {
    const categories = textAt(csv, 'metadata', 'annotations', 'categories')
      .split(',')
      .map((each) => each.trim());
    return categories
      .filter((category) => !CATEGORIES.includes(category))
      .map((category) => `annotation categories: '${category}' is not a category; write some of ${CATEGORIES.join(', ')}`);
  }),
  warning('architecture-labels', ({ csv }) =>
    Object.entries(fieldsAt(csv, 'metadata', 'labels'))
      .filter(([key]) => /^operatorframework\.io\/(arch|os)\./.test(key))
      .flatMap(([key, value]) =>
        when(value !== 'supported', `label ${key}: '${String(value)}' means nothing to OLM; write supported, or leave the label out`),
      ),
  ),
  warning('olm-v1', (subject) => [
    ...when(
      !supportedModes(subject.spec).includes('AllNamespaces'),
      'spec.installModes: OLM v1 installs for all namespaces first; support AllNamespaces for it',
    ),
    ...when(hasDependencies(subject), 'dependencies: OLM v1 resolves none; administrators install what is required beforehand'),
    ...constraintsOf(subject).map((type) => ({
      path: PROPERTIES,
      message: `property ${type}: OLM v1 resolves no dependencies; administrators install what is required beforehand`,
    })),
    ...when(
      usesConditions(subject.spec),
      'spec.install: rights on operatorconditions have no use in OLM v1, which has no OperatorConditions',
    ),
  ]),
];

function hasDependencies({ contents, spec }: RuleSubject): boolean {
  return (
    contents.files.some(({ path }) => path === 'metadata/dependencies.yaml') ||
    listAt(spec, 'customresourcedefinitions', 'required').length > 0
  );
}

/** Types of properties by which a bundle requires others. */
const CONSTRAINTS = ['olm.gvk.required', 'olm.package.required', 'olm.constraint'];

function constraintsOf({ contents }: RuleSubject): readonly string[] {
  return contents.properties.map((property) => textAt(property, 'type')).filter((type) => CONSTRAINTS.includes(type));
}

function usesConditions(spec: Fields): boolean {
  return ['permissions', 'clusterPermissions'].some((list) =>
    listAt(spec, 'install', 'spec', list).some((permission) =>
      listAt(permission, 'rules').some((rule) => Array.isArray(rule['resources']) && rule['resources'].includes('operatorconditions')),
    ),
  );
}
