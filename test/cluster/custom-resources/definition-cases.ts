/** What may be wrong with a definition, and what is odd but right: changes of one that is valid. */
export interface DefinitionCase {
  readonly metadata?: object;
  readonly spec?: object;
  /** Of the only version. */
  readonly version?: object;
  /** Of the field `spec` in the schema. */
  readonly schema?: object;
  /** Of the root of the schema. */
  readonly root?: object;
}

const GROUP = 'judged.example.com';

const SPEC_SCHEMA = {
  type: 'object',
  properties: {
    size: { type: 'integer' },
    mode: { type: 'string' },
    deep: { type: 'object', properties: { flag: { type: 'boolean' }, text: { type: 'string' } } },
    list: { type: 'array', items: { type: 'string' } },
    map: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

export function definitionOf({ metadata, spec, version, schema, root }: DefinitionCase): object {
  const openAPIV3Schema = { type: 'object', properties: { spec: schema ?? SPEC_SCHEMA, status: { type: 'object' } }, ...root };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${GROUP}`, ...metadata },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { kind: 'Thing', plural: 'things' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, ...version }],
      ...spec,
    },
  };
}

const versionOf = (name: string, change: object = {}): object => ({
  name,
  served: true,
  storage: false,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: SPEC_SCHEMA } } },
  ...change,
});
const spec = (change: object): DefinitionCase => ({ spec: change });
const version = (change: object): DefinitionCase => ({ version: change });
const schema = (change: object): DefinitionCase => ({ schema: { ...SPEC_SCHEMA, ...change } });
const field = (definition: object): DefinitionCase => schema({ properties: { ...SPEC_SCHEMA.properties, x: definition } });
const names = (change: object): DefinitionCase => spec({ names: { kind: 'Thing', plural: 'things', ...change } });
const column = (change: object): DefinitionCase =>
  version({ additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.spec.mode', ...change }] });
const scale = (change: object): DefinitionCase =>
  version({ subresources: { scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size', ...change } } });
const selectable = (...paths: string[]): DefinitionCase => version({ selectableFields: paths.map((jsonPath) => ({ jsonPath })) });
const webhook = (clientConfig: object | undefined, change: object = {}): DefinitionCase =>
  spec({ conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'], ...change } } });
const rule = (change: object): DefinitionCase => schema({ 'x-kubernetes-validations': [{ rule: 'self.size > 1', ...change }] });
const annotated = (group: string, value?: string): DefinitionCase => ({
  metadata: { name: `things.${group}`, ...(value !== undefined && { annotations: { 'api-approved.kubernetes.io': value } }) },
  spec: { group },
});

const shape: Readonly<Record<string, DefinitionCase>> = {
  valid: {},
  'another name': { metadata: { name: 'other.example.com' } },
  'a generated name': { metadata: { name: undefined, generateName: 'things-' } },
  'no name': { metadata: { name: '' } },
  'a name that is none': { metadata: { name: 'Things' } },
  'a namespace': { metadata: { namespace: 'default' } },
  'a bad label': { metadata: { labels: { a: '-' } } },
  'no group': spec({ group: '' }),
  'a group without a dot': { metadata: { name: 'things.plain' }, spec: { group: 'plain' } },
  'a group that is none': { metadata: { name: 'things.A_b.c' }, spec: { group: 'A_b.c' } },
  'no scope': spec({ scope: '' }),
  'another scope': spec({ scope: 'Global' }),
  'no versions': spec({ versions: [] }),
  'missing versions': spec({ versions: undefined }),
  'no plural': { metadata: { name: `.${GROUP}` }, ...names({ plural: '' }) },
  'no kind': names({ kind: '' }),
  'a kind that is none': names({ kind: 'A_thing' }),
  'a mixed kind': names({ kind: 'HTTPThing' }),
  'kind and list kind alike': names({ listKind: 'Thing' }),
  'bad names everywhere': names({ singular: 'Thing', listKind: '9List', shortNames: ['OK', 'ok'], categories: ['all', 'A.b'] }),
  'a long singular': names({ singular: 'x'.repeat(64) }),
  'not approved': annotated('judged.k8s.io'),
  'approved by nonsense': annotated('judged.k8s.io', 'yes'),
  'approved by a path': annotated('judged.k8s.io', '/pull/1'),
  'approved by a URL': annotated('judged.kubernetes.io', 'https://example.com/pull/1'),
  bypassed: annotated('judged.k8s.io', 'unapproved, experimental'),
  'preserves unknown fields': spec({ preserveUnknownFields: true }),
  'preserves unknown fields beside defaults': { spec: { preserveUnknownFields: true }, ...field({ type: 'string', default: 'a' }) },
  'preserves and converts': spec({
    preserveUnknownFields: true,
    conversion: { strategy: 'Webhook', webhook: { clientConfig: { url: 'https://h' }, conversionReviewVersions: ['v1'] } },
  }),
  'an unknown field': { spec: { nonsense: true } },
};

const versions: Readonly<Record<string, DefinitionCase>> = {
  'a bad version name': version({ name: 'V_1' }),
  'no storage': version({ storage: false }),
  'two of storage': spec({ versions: [versionOf('v1', { storage: true }), versionOf('v2', { storage: true })] }),
  'two of storage that differ': spec({
    versions: [
      versionOf('v1', { storage: true }),
      versionOf('v2', {
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'x',
            properties: { spec: { type: 'object', additionalProperties: { type: 'integer', minimum: 1.5, enum: [2, 'a'] } } },
          },
        },
        subresources: { status: {}, scale: { specReplicasPath: '.spec.a', statusReplicasPath: '.status.a' } },
        additionalPrinterColumns: [{ name: 'A', type: 'date', jsonPath: '.metadata.creationTimestamp', priority: 1 }],
        selectableFields: [{ jsonPath: '.spec.a' }],
        deprecated: true,
        deprecationWarning: 'no',
      }),
    ],
  }),
  'two of one name': spec({ versions: [versionOf('v1', { storage: true }), versionOf('v1')] }),
  'no schema': version({ schema: undefined }),
  'an empty schema': version({ schema: {} }),
  'no schema at one of two': spec({ versions: [versionOf('v1', { storage: true }), versionOf('v2', { schema: undefined })] }),
  'not served': version({ served: false }),
  deprecated: version({ deprecated: true }),
  'a warning without deprecation': version({ deprecationWarning: 'old' }),
  'an empty warning': version({ deprecated: true, deprecationWarning: '' }),
  'a long warning': version({ deprecated: true, deprecationWarning: 'x'.repeat(257) }),
  'a warning of two lines': version({ deprecated: true, deprecationWarning: 'old\nnew' }),
  'a column without a name': column({ name: '' }),
  'a column without a type': column({ type: '' }),
  'a column of a strange type': column({ type: 'text' }),
  'a column of a strange format': column({ format: 'uuid' }),
  'a column without a path': column({ jsonPath: '' }),
  'a column with a path without a dot': column({ jsonPath: 'spec.mode' }),
  'columns that differ': spec({
    versions: [
      versionOf('v1', { storage: true, additionalPrinterColumns: [{ name: '', type: 'x', jsonPath: 'y' }] }),
      versionOf('v2', { additionalPrinterColumns: [] }),
    ],
  }),
  scale: scale({}),
  'scale without paths': scale({ specReplicasPath: '', statusReplicasPath: '' }),
  'scale with paths elsewhere': scale({ specReplicasPath: '.status.a', statusReplicasPath: '.spec.a', labelSelectorPath: '.metadata.a' }),
  'scale with paths without dots': scale({ specReplicasPath: 'spec.a', statusReplicasPath: 'status.a', labelSelectorPath: 'spec.a' }),
  selectable: selectable('.spec.size', '.spec.mode', '.spec.deep.flag'),
  'selectable nowhere': selectable('.spec.nope'),
  'selectable objects': selectable('.spec.deep', '.spec.list'),
  'selectable metadata': selectable('.metadata.name'),
  'selectable twice': selectable('.spec.size', '.spec.size'),
  'selectable in brackets': selectable(".spec['size']"),
  'selectable without a dot': selectable('spec.size'),
  'selectable with a dot at the end': selectable('.spec.'),
  'selectable empty': selectable(''),
  'selectable in a map': selectable('.spec.map.a'),
  'too many selectable': {
    version: { selectableFields: 'abcdefghi'.split('').map((name) => ({ jsonPath: `.spec.${name}` })) },
    schema: { type: 'object', properties: Object.fromEntries('abcdefghi'.split('').map((name) => [name, { type: 'string' }])) },
  },
  'selectable that differ': spec({
    versions: [versionOf('v1', { storage: true, selectableFields: [{ jsonPath: '.spec.x' }] }), versionOf('v2')],
  }),
};

const CERTIFICATE = Buffer.from('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n').toString('base64');
const service = (change: object): object => ({ service: { namespace: 'default', name: 'hook', ...change } });

const conversions: Readonly<Record<string, DefinitionCase>> = {
  none: spec({ conversion: { strategy: 'None' } }),
  'without a strategy': spec({ conversion: { strategy: '' } }),
  'with a strange strategy': spec({ conversion: { strategy: 'Magic' } }),
  'none with a webhook': spec({
    conversion: { strategy: 'None', webhook: { clientConfig: { url: 'https://h' }, conversionReviewVersions: ['v1'] } },
  }),
  'without a webhook': spec({ conversion: { strategy: 'Webhook' } }),
  'without a client': webhook(undefined),
  'with an empty client': webhook({}),
  'with both places': webhook({ url: 'https://h', ...service({}) }),
  'with a URL': webhook({ url: 'https://h/path' }),
  'with plain HTTP': webhook({ url: 'http://h' }),
  'with no host': webhook({ url: 'https:///path' }),
  'with a URL full of faults': webhook({ url: 'ftp://user@h/path?query#fragment' }),
  'with a URL that is none': webhook({ url: 'https://h:x' }),
  'with a bad escape': webhook({ url: 'https://h/%zz' }),
  'with a blank in the host': webhook({ url: 'https://a b' }),
  'with a service': webhook(service({})),
  'with a service without a name': webhook(service({ name: '' })),
  'with a service at a bad port': webhook(service({ port: 70000 })),
  'with a service at a bad path': webhook(service({ path: 'a//B_c/' })),
  'with a service at two slashes': webhook(service({ path: '//' })),
  'with an invalid bundle': webhook({ url: 'https://h', caBundle: CERTIFICATE }),
  'without reviews': webhook({ url: 'https://h' }, { conversionReviewVersions: [] }),
  'with strange reviews': webhook({ url: 'https://h' }, { conversionReviewVersions: ['v7', 'V_8', 'v7'] }),
};

const schemas: Readonly<Record<string, DefinitionCase>> = {
  'without a type': schema({ type: undefined }),
  'of a strange type': field({ type: 'text' }),
  'a field without a type': field({ description: 'x' }),
  'an array without items': field({ type: 'array' }),
  'an array of arrays without a type': field({ type: 'array', items: {} }),
  'a root of another type': { root: { type: 'array', items: { type: 'string' } } },
  'a root that is nullable': { root: { nullable: true } },
  'a root with a title beside a status': { root: { title: 'x' }, version: { subresources: { status: {} } } },
  'a root with additional properties': { root: { properties: undefined, additionalProperties: { type: 'string' } } },
  'a root with oneOf beside a status': { root: { oneOf: [{ required: ['spec'] }] }, version: { subresources: { status: {} } } },
  'a root of no type beside a status': { root: { type: '' }, version: { subresources: { status: {} } } },
  'metadata with rules': { root: { properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } } },
  'properties and additional ones': field({
    type: 'object',
    properties: { a: { type: 'string' } },
    additionalProperties: { type: 'string' },
  }),
  'a reference': field({ type: 'string', $ref: '#/x' }),
  'unique items': field({ type: 'array', uniqueItems: true, items: { type: 'string' } }),
  'a bad pattern': field({ type: 'string', pattern: '(?!a)' }),
  'a default of another type': field({ type: 'integer', default: 'a' }),
  'a default with unknown fields': field({ type: 'object', properties: { a: { type: 'string' } }, default: { b: 1 } }),
  'a type inside anyOf': field({ type: 'integer', anyOf: [{ type: 'integer' }, { type: 'string' }] }),
  'an undeclared field inside allOf': field({ type: 'object', allOf: [{ required: ['a'], properties: { a: { minLength: 1 } } }] }),
  'int or string': field({ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }),
  'a list-map without keys': field({ type: 'array', 'x-kubernetes-list-type': 'map', items: { type: 'object' } }),
  'a list-map with a strange key': field({
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['a', 'b', 'b'],
    items: { type: 'object', properties: { b: { type: 'string', nullable: true } } },
  }),
  'a set of objects': field({ type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'object' } }),
  'a strange list type': field({ type: 'array', 'x-kubernetes-list-type': 'bag', items: { type: 'string' } }),
  'a strange map type': field({ type: 'object', 'x-kubernetes-map-type': 'tree' }),
  'preserves nothing': field({ type: 'object', 'x-kubernetes-preserve-unknown-fields': false }),
  'an embedded resource without fields': field({ type: 'object', 'x-kubernetes-embedded-resource': true }),
  'an unknown format': field({ type: 'string', format: 'no-such-format' }),
  'an unknown format of a number': field({ type: 'integer', format: 'no-such-format' }),
  'a rule': rule({}),
  'an empty rule': rule({ rule: ' ' }),
  'a rule that is none': rule({ rule: 'self.size >' }),
  'a rule of an unknown field': rule({ rule: 'self.nope > 1' }),
  'a rule with a bad message': rule({ message: 'a\nb' }),
  'a rule with a bad reason': rule({ reason: 'Because' }),
  'a rule with a bad path': rule({ fieldPath: '.nope' }),
  'a rule that may be old': rule({ optionalOldSelf: true }),
  'a rule with a message that is not a text': rule({ messageExpression: '1 + 1' }),
};

const prefixed = (prefix: string, cases: Readonly<Record<string, DefinitionCase>>): [string, DefinitionCase][] =>
  Object.entries(cases).map(([name, each]) => [`${prefix}: ${name}`, each]);

export const definitionCases: readonly (readonly [string, DefinitionCase])[] = [
  ...prefixed('shape', shape),
  ...prefixed('version', versions),
  ...prefixed('conversion', conversions),
  ...prefixed('schema', schemas),
];
