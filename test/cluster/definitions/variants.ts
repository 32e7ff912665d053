import type { Variant } from './variant.js';

const NOWHERE = 'a column, scale or selector that points nowhere stays empty for ever';
const ONE_VALUE = 'a column shows one value; a path that yields several prints a list that no reader expects';
const UNREADABLE = 'kubectl cannot read the path: it would print no object at all';
const NAMED = 'kubectl could not tell two things of one name apart';

const path = (jsonPath: string, type = 'string', stricter?: string): Variant => ({
  version: { columns: [{ name: 'A', type, jsonPath }] },
  ...(stricter === undefined ? {} : { stricter }),
});
const column = (change: object, stricter?: string): Variant => ({
  version: { columns: [{ name: 'A', type: 'integer', jsonPath: '.spec.size', ...change }] },
  ...(stricter === undefined ? {} : { stricter }),
});
const scale = (change: object, stricter?: string): Variant => ({
  version: { scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.replicas', ...change } },
  ...(stricter === undefined ? {} : { stricter }),
});
const selectable = (fields: readonly string[], stricter?: string): Variant => ({
  version: { selectableFields: fields },
  ...(stricter === undefined ? {} : { stricter }),
});
const resource = (change: object, stricter?: string): Variant => ({
  resource: { ...change },
  ...(stricter === undefined ? {} : { stricter }),
});

const columns: Readonly<Record<string, Variant>> = {
  'a field': path('.spec.size', 'integer'),
  'a nested name with a dash': path('.spec.dash-ed'),
  'a quoted name': path(".spec['dash-ed']"),
  'a quoted name with a dot': path(".spec['dot\\.ted']"),
  'an escaped dot': path('.spec.dot\\.ted'),
  'a label key': path('.metadata.labels.app\\.kubernetes\\.io/name'),
  'an item': path('.spec.names[0]'),
  'the last item': path('.spec.names[-1:]'),
  'a range': path('.spec.names[0:2]'),
  'every item': path('.spec.names[*]'),
  'a filter': path('.spec.parts[?(@.name=="a")].size', 'integer'),
  'a filter in single quotes': path(".status.conditions[?(@.type=='Ready')].status"),
  'a filter without a closing bracket': path('.status.conditions[?(@.type=="Ready"].status', 'string', UNREADABLE),
  'a date': path('.metadata.creationTimestamp', 'date'),
  'a field without a leading dot': path('spec.size', 'integer'),
  'a path in braces': path('{.spec.size}', 'integer'),
  'no path': path(''),
  'a dot alone': path('.', 'string', ONE_VALUE),
  'a trailing dot': path('.spec.', 'string', NOWHERE),
  'two dots': path('..size', 'string', ONE_VALUE),
  'every field': path('.spec.*', 'string', ONE_VALUE),
  'an unknown field': path('.spec.siez', 'integer', NOWHERE),
  'an unclosed bracket': path('.spec.names[0', 'string', UNREADABLE),
  'an empty bracket': path('.spec.names[]', 'string', UNREADABLE),
  'a name in brackets without quotes': path('.spec.names[a]', 'string', UNREADABLE),
  'a union': path(".spec['size','node']", 'string', ONE_VALUE),
  'a text that is not a path': path('size of spec'),
  'a wrong type of values': path('.spec.node', 'integer', 'kubectl shows an empty cell for a value of another type'),
  'no name': column({ name: '' }),
  'an unknown type': column({ type: 'int' }),
  'an object as a type': column({ type: 'object' }),
  'an unknown format': column({ format: 'uuid' }),
  'a known format': column({ format: 'int32' }),
  'a negative priority': column({ priority: -1 }, 'it means nothing: 0 is shown always, anything greater on request'),
  'two columns of one name': {
    version: { columns: [column({}), column({})].flatMap(({ version }) => version?.['columns'] ?? []) },
    stricter: NAMED,
  },
};

const scales: Readonly<Record<string, Variant>> = {
  scale: scale({}),
  'scale without the subresource of the status': { version: { ...scale({}).version, statusSubresource: false } },
  'scale with a selector': scale({ labelSelectorPath: '.status.selector' }),
  'scale with a selector in the spec': scale({ labelSelectorPath: '.spec.node' }),
  'scale without a path': scale({ specReplicasPath: '' }),
  'scale with an item of a list': scale(
    { specReplicasPath: '.spec.names[0]' },
    'the API server follows plain fields only, and would find nothing',
  ),
  'scale with replicas in the status': scale({ specReplicasPath: '.status.replicas' }),
  'scale with status replicas in the spec': scale({ statusReplicasPath: '.spec.size' }),
  'scale with a selector in the metadata': scale({ labelSelectorPath: '.metadata.name' }),
  'scale with an unknown field': scale({ specReplicasPath: '.spec.siez' }, NOWHERE),
  'scale with a text': scale({ specReplicasPath: '.spec.node' }, 'the API server cannot read a number from it when somebody scales'),
  'scale with a selector that is not a text': scale(
    { labelSelectorPath: '.status.replicas' },
    'the API server cannot read a selector from it',
  ),
  'scale with the whole spec': scale({ specReplicasPath: '.spec' }),
};

const selectables: Readonly<Record<string, Variant>> = {
  'a selectable text': selectable(['.spec.node']),
  'a selectable number': selectable(['.spec.size']),
  'a selectable flag': selectable(['.spec.on']),
  'a selectable field of the status': selectable(['.status.selector']),
  'a selectable fraction': selectable(['.spec.ratio']),
  'a selectable list': selectable(['.spec.names']),
  'a selectable item': selectable(['.spec.names[0]']),
  'a selectable int-or-string': selectable(['.spec.port']),
  'a selectable label': selectable(['.metadata.labels.a']),
  'a selectable name': selectable(['.metadata.name']),
  'a selectable value of a map': selectable(['.spec.labels.a']),
  'a selectable unknown field': selectable(['.spec.siez']),
  'a selectable field twice': selectable(['.spec.node', '.spec.node']),
  'a selectable path without a dot': selectable(['spec.node']),
  'a selectable field with a dash': selectable(['.spec.dash-ed']),
  'a selectable quoted field': selectable([".spec['node']"]),
  'a selectable time': selectable(['.spec.when']),
  'nine selectable fields': selectable(Array.from({ length: 9 }, () => '.spec.node')),
  'a selectable open field': selectable(['.spec.open.a']),
};

const names: Readonly<Record<string, Variant>> = {
  'a group without a dot': resource({ group: 'variants' }),
  'a group in upper case': resource({ group: 'Variants.example.com' }),
  'a group of Kubernetes': resource({ group: 'variants.k8s.io' }),
  'a group of Kubernetes with an approval': resource({
    group: 'variants.k8s.io',
    annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes/kubernetes/pull/1' },
  }),
  'a group of Kubernetes with an empty approval': resource({ group: 'variants.k8s.io', annotations: { 'api-approved.kubernetes.io': '' } }),
  'a group of Kubernetes that says so': resource({
    group: 'variants.k8s.io',
    annotations: { 'api-approved.kubernetes.io': 'unapproved, a test' },
  }),
  'a group with an underscore': resource({ group: 'var_iants.example.com' }),
  'a long group': resource({ group: `${'a'.repeat(60)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(60)}` }),
  'a too long group': resource({ group: `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(60)}` }),
  'a kind in lower case': resource({ kind: 'variant' }, 'kinds are in CamelCase throughout the API'),
  'a kind with a dash': resource({ kind: 'Vari-ant' }, 'no type of that name can be written in a program'),
  'a kind with a digit first': resource({ kind: '1Variant' }),
  'a kind of 63 letters': resource({ kind: 'V'.repeat(63), plural: 'variants', listKind: 'VariantList' }),
  'a kind of 64 letters': resource({ kind: 'V'.repeat(64), plural: 'variants', listKind: 'VariantList' }),
  'a list kind like the kind': resource({ listKind: 'Variant' }),
  'a plural in upper case': resource({ plural: 'Variants' }),
  'a plural with a dot': resource({ plural: 'vari.ants' }),
  'a plural with a digit first': resource({ plural: '1variants' }),
  'a singular in upper case': resource({ singular: 'Variant' }),
  'a short name': resource({ shortNames: ['va'] }),
  'a short name in upper case': resource({ shortNames: ['VA'] }),
  'a short name twice': resource({ shortNames: ['va', 'va'] }, NAMED),
  'a short name like the plural': resource({ shortNames: ['variants'] }, NAMED),
  'a category': resource({ categories: ['all'] }),
  'a category in upper case': resource({ categories: ['All'] }),
  'a category with a dash': resource({ categories: ['my-all'] }),
  'a category twice': resource({ categories: ['all', 'all'] }, 'it is a slip'),
  'an unknown scope': resource({ scope: 'Global' }),
  'a cluster scope': resource({ scope: 'Cluster' }),
  'a label': resource({ labels: { 'example.com/a': 'b' } }),
  'a label value with a space': resource({ labels: { a: 'b c' } }),
  'a label key with two slashes': resource({ labels: { 'a/b/c': 'd' } }),
  'a long label key': resource({ labels: { [`${'a'.repeat(64)}`]: 'b' } }),
  'an annotation of any text': resource({ annotations: { a: 'b\nc' } }),
  'an annotation key with a space': resource({ annotations: { 'a b': 'c' } }),
  'an annotation key in upper case': resource({ annotations: { 'Example.com/A': 'c' } }),
};

const versions: Readonly<Record<string, Variant>> = {
  'two versions': { versions: { v1: { storage: true }, v1beta1: {} } },
  'no version': { versions: {} },
  'no storage version': { versions: { v1: { storage: false }, v2: { storage: false } } },
  'two storage versions': { versions: { v1: { storage: true }, v2: { storage: true } } },
  'a version of no known pattern': { versions: { alpha: {} } },
  'a version in upper case': { versions: { V1: {} } },
  'a version with a dot': { versions: { 'v1.0': {} } },
  'a version with a digit first': { versions: { '1': {} } },
  'a version of 64 letters': { versions: { ['v'.repeat(64)]: {} } },
  'a version that is not served': { versions: { v1: { storage: true }, v1alpha1: { served: false } } },
  'a storage version that is not served': {
    versions: { v1: { storage: true, served: false }, v2: {} },
    stricter: 'controllers read and write the storage version',
  },
  'a deprecated version': { version: { deprecated: true } },
  'a deprecated version with a warning': { version: { deprecated: 'use v2' } },
  'an empty warning': { version: { deprecated: '' } },
  'a warning of two lines': { version: { deprecated: 'a\nb' } },
  'a warning of 256 bytes': { version: { deprecated: 'x'.repeat(256) } },
  'a warning of 257 bytes': { version: { deprecated: 'x'.repeat(257) } },
  'a warning of 200 wide letters': { version: { deprecated: 'ß'.repeat(200) } },
  'a warning with a tab': { version: { deprecated: 'a\tb' } },
};

/** Definitions that are sound but for one thing. */
export const variants: Readonly<Record<string, Variant>> = { ...columns, ...scales, ...selectables, ...names, ...versions };
