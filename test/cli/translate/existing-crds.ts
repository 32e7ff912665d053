interface Existing {
  readonly kind: string;
  readonly group?: string;
  readonly names?: object;
  readonly schema: object;
  readonly version?: object;
  readonly versions?: readonly object[];
}

const spec = { type: 'object', properties: { size: { type: 'integer', format: 'int32', minimum: 0, maximum: 9 } } };

/** Each has something that an API server takes, and a new definition may not have, or that no option of a definition says. */
const EXISTING: readonly Existing[] = [
  {
    kind: 'EmptyList',
    schema: { properties: { spec: { type: 'object', properties: { seeds: { type: 'array', default: [], items: { type: 'string' } } } } } },
  },
  {
    kind: 'EmptyDefaults',
    schema: {
      properties: {
        spec: {
          type: 'object',
          default: {},
          properties: {
            a: { type: 'object', default: {}, properties: { b: { type: 'array', items: { type: 'string' }, default: [], example: [] } } },
          },
        },
      },
    },
  },
  {
    kind: 'RequiredRoot',
    schema: {
      required: ['metadata', 'spec', 'seal', 'status'],
      maxProperties: 8,
      properties: { metadata: { type: 'object' }, spec, status: { type: 'object', properties: { a: { type: 'string' } } } },
    },
  },
  {
    kind: 'RequiredSpec',
    schema: { properties: { spec: { ...spec, required: ['seal', 'size'], oneOf: [{ required: ['size'] }], not: { required: ['none'] } } } },
  },
  { kind: 'OpenRoot', schema: { 'x-kubernetes-preserve-unknown-fields': true } },
  { kind: 'OpenRootWithSpec', schema: { title: 'Open', 'x-kubernetes-preserve-unknown-fields': true, properties: { spec } } },
  {
    kind: 'NamedObject',
    schema: {
      properties: { metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 40, pattern: '^[a-z]+$' } } }, spec },
    },
  },
  {
    kind: 'StatusOnly',
    schema: { properties: { status: { type: 'object', properties: { level: { type: 'string' } } } } },
    version: { subresources: { status: {} } },
  },
  {
    kind: 'StatusDefault',
    schema: { properties: { spec, status: { type: 'object', default: { phase: 'Waiting' }, properties: { phase: { type: 'string' } } } } },
    version: { subresources: { status: {} } },
  },
  { kind: 'StatusRecord', schema: { properties: { spec, status: { type: 'object', additionalProperties: { type: 'string' } } } } },
  { kind: 'StatusWithoutSchema', schema: { properties: { spec } }, version: { subresources: { status: {} } } },
  { kind: 'Nothing', schema: {} },
  { kind: 'SpecText', schema: { properties: { spec: { type: 'string', minLength: 1 } } } },
  { kind: 'SpecList', schema: { properties: { spec: { type: 'array', items: { type: 'string' }, default: [] } } } },
  { kind: 'SpecIntOrText', schema: { required: ['spec'], properties: { spec: { 'x-kubernetes-int-or-string': true } } } },
  { kind: 'SpecOpen', schema: { properties: { spec: { 'x-kubernetes-preserve-unknown-fields': true } } } },
  { kind: 'SpecNullable', schema: { properties: { spec: { ...spec, nullable: true } } } },
  { kind: 'StatusOpen', schema: { properties: { status: { 'x-kubernetes-preserve-unknown-fields': true } } } },
  { kind: 'StatusNullable', schema: { properties: { spec, status: { ...spec, nullable: true } } } },
  {
    kind: 'ShortName',
    names: { shortNames: ['shortname', 'shortnames', 'sn', 'sn'], categories: ['all', 'all'] },
    schema: { properties: { spec } },
  },
  {
    kind: 'Columns',
    schema: { properties: { spec } },
    version: {
      additionalPrinterColumns: [
        { name: 'Glow', type: 'string', jsonPath: '.spec.mode[?(@ == "Slow")]' },
        { name: 'Glow', type: 'integer', jsonPath: '.status.door.seal', priority: 0, description: '' },
        { name: 'Low', type: 'date', jsonPath: '.spec.size', priority: -1 },
      ],
    },
  },
  {
    kind: 'Scale',
    schema: { properties: { spec } },
    version: {
      subresources: { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas', labelSelectorPath: '' } },
    },
  },
  {
    kind: 'orchardql',
    names: { listKind: 'orchardqlList' },
    schema: { properties: { spec: { type: 'object', properties: { team_id: { type: 'string' }, teamId: { type: 'string' } } } } },
  },
  { kind: 'Dashed-kind', schema: { properties: { spec } } },
  ...['Object', 'Record', 'Operator', 'Resource', 'Run', 'Main', 'Readonly', 'ObjectResource'].map((kind) => ({
    kind,
    schema: { properties: { spec } },
  })),
  { kind: 'Twin', schema: { properties: { spec } } },
  { kind: 'Twin', group: 'other.example.org', schema: { properties: { spec } } },
  {
    kind: 'Versions',
    schema: { properties: { spec } },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: false,
        schema: {
          openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { length: { type: 'string' } } } } },
        },
      },
    ],
  },
];

function crdOf({ kind, group = 'lab.example.org', names = {}, schema, version = {}, versions = [] }: Existing): object {
  const singular = kind.toLowerCase();
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${singular}s.${group}` },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural: `${singular}s`, singular, ...names },
      scope: 'Namespaced',
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', ...schema } }, ...version },
        ...versions,
      ],
    },
  };
}

export const EXISTING_CRDS: readonly object[] = EXISTING.map(crdOf);
