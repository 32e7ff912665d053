import { defineCustomResource, k } from 'keelson';
import { z } from 'zod';
import { messageOf } from '../refusals.js';

const spec = z.object({
  size: k.int32().default(1),
  ratio: z.number().optional(),
  name: z.string().optional(),
  on: z.boolean().optional(),
  port: k.intOrString().optional(),
  list: z.array(z.object({ type: z.string(), value: z.string() })).optional(),
  labels: z.record(z.string(), z.string()).optional(),
  open: k.preserveUnknown().optional(),
  meta: k.embedded().optional(),
});
const status = z.object({ replicas: k.int32().optional(), selector: z.string().optional(), conditions: k.conditions() });
const base = { group: 'cache.example.com', kind: 'Cache' } as const;

/** Untyped code gets past the compiler: `change` may be anything. */
function define(change: Readonly<Record<string, unknown>>, version: Readonly<Record<string, unknown>> = {}) {
  return defineCustomResource({ ...base, versions: { v1: { spec, status, ...version } }, ...change } as Parameters<
    typeof defineCustomResource
  >[0]);
}

const column = (jsonPath: string, type = 'string', more: object = {}) => ({ columns: [{ name: 'A', jsonPath, type, ...more }] });

const DNS_1035 = 'must be lower case letters, digits and dashes, beginning with a letter (DNS-1035 label)';
const CAMEL = 'write letters and digits in CamelCase, at most 63, for example Memcached';

describe('a bad definition is refused, with what to write instead', () => {
  const long = 'a'.repeat(64);
  test.each<[string, Record<string, unknown>, Record<string, unknown>, string]>([
    [
      'a group without a dot',
      { group: 'cache' },
      {},
      "group: 'cache' has no dot; write a domain that you own, for example cache.example.com",
    ],
    [
      'a group in upper case',
      { group: 'Cache.io' },
      {},
      "group: 'Cache.io' must be lower case letters, digits, dashes and dots (DNS-1123 subdomain)",
    ],
    [
      'a group of the Kubernetes project',
      { group: 'cache.k8s.io' },
      {},
      "group: 'cache.k8s.io' belongs to the Kubernetes project; use a domain that you own, or put the URL of the API review into the annotation api-approved.kubernetes.io",
    ],
    [
      'an approval that is no URL',
      { group: 'kubernetes.io', annotations: { 'api-approved.kubernetes.io': 'yes' } },
      {},
      "group: 'kubernetes.io' is approved by 'yes', which is neither a URL nor 'unapproved…'; use a domain that you own, or put the URL of the API review into the annotation api-approved.kubernetes.io",
    ],
    ['a kind in lower case', { kind: 'cache' }, {}, `kind: 'cache' is not a kind; ${CAMEL}`],
    [
      'a kind whose list has too long a name',
      { kind: `A${'a'.repeat(59)}`, plural: 'a', singular: 'a' },
      {},
      `listKind: 'A${'a'.repeat(59)}List' has 64 characters; it must have at most 63: write a shorter one, or shorten the kind`,
    ],
    ['a kind with a dash', { kind: 'My-Cache', plural: 'a', singular: 'a', listKind: 'A' }, {}, `kind: 'My-Cache' is not a kind; ${CAMEL}`],
    ['a list kind that is not a kind', { listKind: 'cacheList' }, {}, `listKind: 'cacheList' is not a kind; ${CAMEL}`],
    ['a list kind that is the kind', { listKind: 'Cache' }, {}, "listKind: 'Cache' is the kind itself; leave it out, it becomes CacheList"],
    ['a plural in upper case', { plural: 'Caches' }, {}, `plural: 'Caches' ${DNS_1035}`],
    ['a plural that begins with a digit', { plural: '2caches' }, {}, `plural: '2caches' ${DNS_1035}`],
    ['a singular with a dot', { singular: 'ca.che' }, {}, `singular: 'ca.che' ${DNS_1035}`],
    ['a short name that is too long', { shortNames: [long] }, {}, `shortNames[0]: '${long}' has 64 characters; it must have at most 63`],
    ['a short name in upper case', { shortNames: ['CA'] }, {}, `shortNames[0]: 'CA' ${DNS_1035}`],
    ['a short name twice', { shortNames: ['ca', 'ca'] }, {}, "shortNames[1]: 'ca' is listed twice; leave one out"],
    ['a short name that is the plural', { shortNames: ['caches'] }, {}, "shortNames[0]: 'caches' is the plural already; leave it out"],
    ['a category in upper case', { categories: ['All'] }, {}, `categories[0]: 'All' ${DNS_1035}`],
    ['an unknown scope', { scope: 'Namespace' }, {}, "scope: 'Namespace' is unknown; write 'Namespaced' or 'Cluster'"],
    ['an unknown treatment of descriptions', { descriptions: 'short' }, {}, "descriptions: 'short' is unknown; write 'keep' or 'drop'"],
    [
      'a label that is none',
      { labels: { a: 'b c' } },
      {},
      "labels.a: 'b c' must be empty, or letters, digits, dashes, underscores and dots, beginning and ending with a letter or digit (label value)",
    ],
    [
      'an option that does not exist',
      { shortnames: [] },
      {},
      'shortnames: is not an option of a custom resource; known are group, kind, plural, singular, listKind, shortNames, categories, scope, labels, annotations, descriptions, existing, versions, convert',
    ],
    [
      'a property of a version that does not exist',
      {},
      { colums: [] },
      'versions.v1.colums: is not a property of a version; known are spec, status, statusSubresource, fields, served, storage, deprecated, description, columns, scale, selectableFields, rules, structural',
    ],
    ['no version', { versions: {} }, {}, 'versions: is empty; define at least one version, for example v1alpha1'],
    ['a version in upper case', { versions: { V1: { spec } } }, {}, `versions.V1: 'V1' ${DNS_1035}`],
    [
      'no stored version',
      { versions: { v1: { spec }, v2: { spec } } },
      {},
      'versions: no version is stored; write storage: true in one of them',
    ],
    [
      'two stored versions',
      { versions: { v1: { spec, storage: true }, v2: { spec, storage: true } } },
      {},
      'versions: v2 and v1 have storage: true; objects are stored in one version',
    ],
    [
      'a stored version that is not served',
      {},
      { served: false },
      'versions.v1.served: is false for the stored version; controllers read that version, so it must be served',
    ],
    [
      'no spec',
      { versions: { v1: {} } },
      {},
      'versions.v1.spec: is missing; write a z.object({ ... }), or fields: z.object({ ... }) for a kind without a spec',
    ],
    [
      'a subresource without a status',
      { versions: { v1: { spec, statusSubresource: false } } },
      {},
      'versions.v1.statusSubresource: is set, but there is no status; declare a status schema',
    ],
    [
      'fields that every custom resource has',
      {},
      { fields: z.object({ metadata: z.object({}) }) },
      'versions.v1.fields.metadata: is a field that every custom resource has; give it another name',
    ],
    [
      'fields that are not object',
      {},
      { fields: z.object({ a: z.string() }).optional() },
      'versions.v1.fields: is not a plain object; write z.object({ ... })',
    ],
    [
      'fields with a keyword that the root cannot have',
      {},
      { fields: k.preserveUnknown(z.object({ a: z.string() })) },
      'versions.v1.fields: says x-kubernetes-preserve-unknown-fields, which the root of a custom resource cannot; put it on a field',
    ],
    [
      'a built-in type that there is not',
      {},
      { fields: z.object({ a: k.builtin('Podd' as never) }) },
      "versions.v1.a: k.builtin('Podd'): there is no built-in type of that name; write one that the compiler knows, such as 'PodTemplateSpec'",
    ],
    [
      'fields of no schema',
      {},
      { fields: z.bigint() },
      'versions.v1.fields: a bigint has no JSON form; write k.int64() (safe up to 2^53 - 1) or, for more, z.string() with a pattern',
    ],
    [
      'a field that has no schema',
      {},
      { fields: z.object({ a: z.any() }) },
      'versions.v1.a: z.any() has no schema; write k.json() for any JSON value, or k.preserveUnknown() for an object with unknown fields',
    ],
    [
      'a spec that is not an object',
      { versions: { v1: { spec: z.string() } } },
      {},
      'versions.v1.spec: is of type string; write a z.object({ ... })',
    ],
    [
      'a status that may be absent anyway',
      { versions: { v1: { spec, status: spec.prefault({}) } } },
      {},
      'versions.v1.status: may be absent anyway; leave .optional(), .default() and .prefault() to its fields',
    ],
    [
      'a deprecation warning of two lines',
      {},
      { deprecated: 'use\nv2' },
      'versions.v1.deprecated: holds a line break or another unprintable character; write one line',
    ],
    [
      'a deprecation warning that is empty',
      {},
      { deprecated: '' },
      'versions.v1.deprecated: is an empty text; write true, and the API server words the warning',
    ],
    [
      'a deprecation warning that is too long',
      {},
      { deprecated: 'é'.repeat(129) },
      'versions.v1.deprecated: is 258 bytes long; the API server takes at most 256',
    ],
    [
      'a column without a name',
      {},
      column('.spec.size', 'integer', { name: '' }),
      'versions.v1.columns[0].name: is empty; write the heading of the column',
    ],
    [
      'two columns of one name',
      {},
      { columns: [0, 1].map((priority) => ({ name: 'A', jsonPath: '.spec.size', type: 'integer', priority })) },
      "versions.v1.columns[1].name: 'A' is the name of an earlier column too; give each column its own",
    ],
    [
      'a column of an unknown type',
      {},
      column('.spec.size', 'int'),
      "versions.v1.columns[0].type: 'int' is not a column type; write one of integer, number, string, boolean, date",
    ],
    [
      'a column in an unknown format',
      {},
      column('.spec.name', 'string', { format: 'uuid' }),
      "versions.v1.columns[0].format: 'uuid' is not a column format; write one of int32, int64, float, double, byte, date, date-time, password or leave it out",
    ],
    [
      'a column of a negative priority',
      {},
      column('.spec.name', 'string', { priority: -1 }),
      'versions.v1.columns[0].priority: -1 is not a priority; write 0 (always shown) or a greater integer (shown by -o wide)',
    ],
    [
      'a column without a leading dot',
      {},
      column('spec.size'),
      'versions.v1.columns[0].jsonPath: \'spec.size\' is no JSONPath of one value; write it like .spec.size or .status.conditions[?(@.type=="Ready")].status',
    ],
    [
      'a column in braces',
      {},
      column('{.spec.size}'),
      'versions.v1.columns[0].jsonPath: \'{.spec.size}\' is no JSONPath of one value; write it like .spec.size or .status.conditions[?(@.type=="Ready")].status',
    ],
    [
      'a column of a field that is not there',
      {},
      column('.spec.sise'),
      "versions.v1.columns[0].jsonPath: '.spec.sise' is not in the schema; correct the path or add the field",
    ],
    [
      'a column whose filter asks for a field that is not there',
      {},
      column('.spec.list[?(@.kind=="a")].value'),
      'versions.v1.columns[0].jsonPath: \'.spec.list[?(@.kind=="a")].value\' is not in the schema; correct the path or add the field',
    ],
    [
      'an integer column of a text, which would stay empty',
      {},
      column('.spec.name', 'integer'),
      "versions.v1.columns[0].jsonPath: '.spec.name' is of type string, a column of type integer would stay empty; write type: 'string'",
    ],
    [
      'a date column of an integer',
      {},
      column('.spec.size', 'date'),
      "versions.v1.columns[0].jsonPath: '.spec.size' is of type integer, a column of type date would stay empty; write type: 'integer'",
    ],
    [
      'scale outside of the spec',
      {},
      { scale: { specReplicasPath: '.status.replicas', statusReplicasPath: '.status.replicas' } },
      "versions.v1.scale.specReplicasPath: '.status.replicas' is not a path below .spec; write it like .spec.replicas, without lists",
    ],
    [
      'scale of a field that is not there',
      {},
      { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
      "versions.v1.scale.specReplicasPath: '.spec.replicas' is not in the schema; correct the path or add the field",
    ],
    [
      'scale of a text',
      {},
      { scale: { specReplicasPath: '.spec.name', statusReplicasPath: '.status.replicas' } },
      "versions.v1.scale.specReplicasPath: '.spec.name' is of type string; point at a field of type integer",
    ],
    [
      'a selector in a list',
      {},
      {
        scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.replicas', labelSelectorPath: '.status.conditions[0].type' },
      },
      "versions.v1.scale.labelSelectorPath: '.status.conditions[0].type' is not a path below .status or .spec; write it like .status.replicas, without lists",
    ],
    [
      'nine selectable fields',
      {
        versions: {
          v1: {
            spec: z.object(Object.fromEntries([...'abcdefghi'].map((name) => [name, z.string()]))),
            selectableFields: [...'abcdefghi'].map((name) => `.spec.${name}`),
          },
        },
      },
      {},
      'versions.v1.selectableFields: has 9 fields; the API server takes at most 8',
    ],
    [
      'a selectable number',
      {},
      { selectableFields: ['.spec.ratio'] },
      "versions.v1.selectableFields[0]: '.spec.ratio' is of type number; only string, integer and boolean fields are selectable",
    ],
    [
      'a selectable int-or-string',
      {},
      { selectableFields: ['.spec.port'] },
      "versions.v1.selectableFields[0]: '.spec.port' is of type int-or-string; only string, integer and boolean fields are selectable",
    ],
    [
      'selectable metadata',
      {},
      { selectableFields: ['.metadata.name'] },
      "versions.v1.selectableFields[0]: '.metadata.name' is metadata; name and namespace are selectable without being listed, the rest is not",
    ],
    [
      'a selectable field twice',
      {},
      { selectableFields: ['.spec.name', '.spec.name'] },
      "versions.v1.selectableFields[1]: '.spec.name' is listed twice; leave one out",
    ],
    [
      'a conversion of the stored version',
      { convert: { v1: { toStorage: () => ({}), fromStorage: () => ({}) } } },
      {},
      'convert.v1: is the stored version: the others are converted to it and from it; leave it out',
    ],
    [
      'a conversion one way only',
      { versions: { v1: { spec, storage: true }, v2: { spec } }, convert: { v2: { toStorage: () => ({}) } } },
      {},
      'convert.v2.fromStorage: is missing; write a function from one version of the object to the other',
    ],
  ])('%s', (_, change, version, message) => {
    expect(messageOf(() => define(change, version))).toBe(`custom resource ${String(change['kind'] ?? 'Cache')}: 1 problem\n  ${message}`);
  });

  test('all mistakes are told at once', () => {
    const error = messageOf(() => define({ group: 'cache', shortNames: ['X'] }, { ...column('.spec.no'), served: false }));
    expect(error.split('\n')).toHaveLength(5);
    expect(error).toMatch(/^custom resource Cache: 4 problems\n/);
  });

  test('versions that lose fields on the way between them need a conversion', () => {
    const versions = {
      v1: { spec: z.object({ size: k.int32(), a: z.string() }), storage: true },
      v2: { spec: z.object({ size: z.string(), b: z.string() }) },
    };
    expect(messageOf(() => define({ versions })).split('\n')).toEqual([
      'custom resource Cache: 3 problems',
      '  versions.v2.spec.size: the type was integer and is string: stored values do not fit; write convert.v2 { toStorage, fromStorage }, or make it like v1',
      '  versions.v2.spec.a: exists in the stored version only: a client of this version deletes it with each update; write convert.v2 { toStorage, fromStorage }, or make it like v1',
      '  versions.v2.spec.b: exists in this version only: it is pruned when the object is stored; write convert.v2 { toStorage, fromStorage }, or make it like v1',
    ]);
    expect(messageOf(() => define({ versions: { ...versions, v2: { ...versions.v2, served: false } } }))).toBe('accepted');
    expect(messageOf(() => define({ versions: { ...versions, v2: { spec: versions.v1.spec } } }))).toBe('accepted');
  });

  test('a rule that does not compile is named with its place', () => {
    expect(messageOf(() => define({}, { rules: [{ rule: 'self.spec.sise > 1' }] }))).toMatch(
      /^custom resource Cache: 1 problem\n {2}versions\.v1\.rules: [\s\S]*undefined field 'sise'/,
    );
    const broken = z.object({ nested: z.object({ a: z.string() }).check(k.rule('self.b == 1')) });
    expect(messageOf(() => define({ versions: { v1: { spec: broken } } }))).toMatch(
      /\n {2}versions\.v1\.spec\.nested: [\s\S]*undefined field 'b'/,
    );
  });

  test('a schema that cannot be translated is named with its version and path', () => {
    const dated = z.object({ when: z.date() });
    expect(messageOf(() => define({ versions: { v1: { spec: dated } } }))).toMatch(
      /^custom resource Cache: 1 problem\n {2}versions\.v1\.spec\.when: /,
    );
  });
});

describe('what is accepted', () => {
  test.each([
    ['.spec.size', 'integer'],
    ['.spec.size', 'number'],
    ['.spec.port', 'integer'],
    ['.metadata.creationTimestamp', 'date'],
    ['.metadata.labels.app\\.kubernetes\\.io/name', 'string'],
    ['.spec.labels.1', 'string'],
    ['.spec.list[?(@.type=="a" && @.value=="b")].value', 'string'],
    [".metadata.labels['app.kubernetes.io/name']", 'string'],
    ['.metadata.ownerReferences[0].name', 'string'],
    ['.status.conditions[?(@.type=="Ready")].status', 'string'],
    [".status.conditions[?(@.type=='Ready')].status", 'string'],
    ['.spec.list[*].value', 'string'],
    ['.spec.list[0:2].value', 'string'],
    ['.spec.list[-1:].value', 'string'],
    ['.spec.list[0:4:2].value', 'string'],
    ['.spec.open.anything[0].goes', 'string'],
    ['.spec.meta.metadata.name', 'string'],
    ['.spec.labels.team', 'string'],
    ['.apiVersion', 'string'],
  ])('a column of %s', (jsonPath, type) => {
    expect(messageOf(() => define({}, column(jsonPath, type)))).toBe('accepted');
  });

  test('a group of the Kubernetes project that is approved, or says that it is not', () => {
    for (const approval of ['https://github.com/kubernetes/kubernetes/pull/1', 'unapproved, for a test']) {
      expect(messageOf(() => define({ group: 'cache.x-k8s.io', annotations: { 'api-approved.kubernetes.io': approval } }))).toBe(
        'accepted',
      );
    }
  });
});

describe('what follows from a definition', () => {
  const Cache = defineCustomResource({
    ...base,
    versions: {
      v1alpha1: { spec: z.object({ count: k.int32().optional() }), deprecated: true },
      v1: {
        spec,
        status,
        storage: true,
        scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.replicas' },
        rules: [{ rule: 'self.metadata.name.size() < 9' }],
      },
      v1beta1: { spec: z.object({}), served: false },
    },
    convert: {
      v1alpha1: {
        toStorage: ({ spec: { count }, metadata }) => ({
          metadata: { annotations: { ...metadata.annotations, converted: 'yes' } },
          spec: count === undefined ? {} : { size: count },
        }),
        fromStorage: ({ spec: { size } }) => ({ spec: { count: size } }),
      },
      v1beta1: { toStorage: () => ({ spec: {} }), fromStorage: () => ({ spec: {} }) },
    },
  });

  test('names and versions, the preferred version first', () => {
    expect({ ...Cache }).toMatchObject({
      plural: 'caches',
      singular: 'cache',
      listKind: 'CacheList',
      scope: 'Namespaced',
      version: 'v1',
      storageVersion: 'v1',
      subresources: ['scale', 'status'],
    });
    expect(Cache.versionList.map(({ name, served, deprecated }) => [name, served, deprecated])).toEqual([
      ['v1', true, false],
      ['v1beta1', false, false],
      ['v1alpha1', true, true],
    ]);
  });

  test('the root has what every object has, and its rules', () => {
    expect(Cache.versionList[0]?.schema).toMatchObject({
      type: 'object',
      properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { type: 'object' }, spec: { type: 'object' } },
      required: ['spec'],
      'x-kubernetes-validations': [{ rule: 'self.metadata.name.size() < 9' }],
    });
  });

  test('a spec may be optional, and fields may stand beside it: their rules hold at the root', () => {
    const { versionList } = defineCustomResource({
      ...base,
      versions: {
        v1: {
          spec: k.immutable(z.object({ size: z.int().default(1) }).optional()),
          status: z.object({ phase: z.string().optional() }),
          statusSubresource: false,
          fields: z
            .object({ data: z.record(z.string(), z.string()), zone: k.immutable(z.string().optional()), a: z.string().optional() })
            .check(k.atMostOneOf('zone', 'a')),
          columns: [{ name: 'Zone', type: 'string', jsonPath: '.zone' }],
        },
      },
    });
    expect(versionList[0]).toMatchObject({ status: false });
    expect(versionList[0]?.schema).toMatchObject({
      properties: { data: { type: 'object' }, spec: { type: 'object' }, status: { type: 'object' } },
      required: ['data'],
      'x-kubernetes-validations': [
        { rule: '(has(self.zone) ? 1 : 0) + (has(self.a) ? 1 : 0) <= 1' },
        { rule: '!has(oldSelf.zone) || has(self.zone)' },
        { rule: '!has(oldSelf.spec) || has(self.spec)' },
      ],
    });
    const made = (object: object) =>
      versionList[0]?.problemsOf?.({ apiVersion: 'cache.example.com/v1', kind: 'Cache', metadata: { name: 'a' }, ...object });
    expect(made({ data: {} })).toEqual([]);
    expect(made({ data: {}, zone: 'x', a: 'y' })).toHaveLength(1);
    expect(made({ spec: {} })).toEqual(['data: Required value']);
  });

  test('a spec with a default is filled in', () => {
    const { versionList } = defineCustomResource({
      ...base,
      versions: { v1: { spec: z.object({ size: z.int().default(1) }).prefault({}) } },
    });
    expect(versionList[0]?.schema).toMatchObject({ properties: { spec: { default: {}, properties: { size: { default: 1 } } } } });
    expect(versionList[0]?.schema.required).toBeUndefined();
  });

  test('a conversion carries the fields beside spec and status', () => {
    const fields = z.object({ data: z.record(z.string(), z.string()) });
    const { conversions } = defineCustomResource({
      ...base,
      versions: { v1: { storage: true, fields }, v1beta1: { fields } },
      convert: {
        v1beta1: {
          toStorage: ({ data }) => ({ spec: undefined, data: { ...data, up: 'yes' } }),
          fromStorage: ({ metadata: _metadata, ...rest }) => ({ ...rest, spec: undefined }),
        },
      },
    });
    const old = { apiVersion: 'cache.example.com/v1beta1', kind: 'Cache', metadata: { name: 'a' }, data: { a: 'b' } };
    const stored = conversions?.['v1beta1']?.toStorage(old);
    expect(stored).toEqual({ ...old, apiVersion: 'cache.example.com/v1', data: { a: 'b', up: 'yes' } });
    expect(conversions?.['v1beta1']?.fromStorage(stored)).toEqual({ ...(stored as object), apiVersion: 'cache.example.com/v1beta1' });
  });

  test('a version is a kind and a factory that knows its custom resource', () => {
    expect(Object.keys(Cache.versions).sort()).toEqual(['v1', 'v1alpha1']);
    expect(Cache.versions.v1alpha1({ metadata: { name: 'a' }, spec: { count: 1 } })).toEqual({
      apiVersion: 'cache.example.com/v1alpha1',
      kind: 'Cache',
      metadata: { name: 'a' },
      spec: { count: 1 },
    });
    expect(Cache.versions.v1alpha1.customResource).toBe(Cache);
    expect(Cache.versions.v1).toBe(Cache);
  });

  test('nothing can be changed afterwards', () => {
    expect(Object.isFrozen(Cache) && Object.isFrozen(Cache.versions) && Object.isFrozen(Cache.versionList[0])).toBe(true);
  });

  test('a conversion keeps the identity and the metadata that its author does not see (H62)', () => {
    const old = {
      apiVersion: 'cache.example.com/v1alpha1',
      kind: 'Cache',
      metadata: { name: 'a', uid: 'u', labels: { b: 'c' }, annotations: { d: 'e' }, finalizers: ['f/g'] },
      spec: { count: 3 },
      status: { gone: true },
    };
    expect(Cache.conversions?.['v1alpha1']?.toStorage(old)).toEqual({
      apiVersion: 'cache.example.com/v1',
      kind: 'Cache',
      metadata: { name: 'a', uid: 'u', labels: { b: 'c' }, annotations: { d: 'e', converted: 'yes' }, finalizers: ['f/g'] },
      spec: { size: 3 },
    });
  });

  test('descriptions can be dropped, a field of that name stays', () => {
    const described = z.object({
      description: z.string().describe('What it is for.'),
      list: z.array(z.object({ a: z.string().describe('b') })),
    });
    const { versionList } = defineCustomResource({ ...base, descriptions: 'drop', versions: { v1: { spec: described } } });
    expect(versionList[0]?.schema.properties?.['spec']).toEqual({
      type: 'object',
      properties: {
        description: { type: 'string' },
        list: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } },
      },
      required: ['description', 'list'],
    });
  });

  test('a CRD that client-side apply cannot store is warned about', () => {
    const large = z.object(
      Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`field${index}`, z.string().describe('x'.repeat(1000))])),
    );
    const { warnings } = defineCustomResource({ ...base, versions: { v1: { spec: large } } });
    expect(warnings).toContainEqual(
      expect.stringMatching(/^the CRD takes 3\d\d KiB, more than the 256 KiB that client-side kubectl apply can store; /),
    );
    expect(defineCustomResource({ ...base, descriptions: 'drop', versions: { v1: { spec: large } } }).warnings).not.toContainEqual(
      expect.stringContaining('KiB'),
    );
  });
});
