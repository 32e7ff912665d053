import { z } from 'zod';
import { customResourceDefinitionManifest, type DefinitionError, defineCustomResource, k } from '../../../../src/keelson/index.js';

const base = { group: 'lab.example.org', kind: 'Ferry' } as const;
const spec = z.object({ dock: z.string().optional() });

function problemsOf(options: object): readonly string[] {
  try {
    defineCustomResource(options as never);
    return [];
  } catch (error) {
    return (error as DefinitionError).problems.map(({ path }) => path);
  }
}

/** What API servers take, and a new definition may not have. */
const TAKEN: readonly (readonly [string, object])[] = [
  ['kind', { ...base, kind: 'ferry', versions: { v1: { spec } } }],
  ['listKind', { ...base, listKind: 'ferrylist', versions: { v1: { spec } } }],
  ['shortNames[0]', { ...base, shortNames: ['ferry'], versions: { v1: { spec } } }],
  ['shortNames[1]', { ...base, shortNames: ['fe', 'fe'], versions: { v1: { spec } } }],
  ['categories[1]', { ...base, categories: ['all', 'all'], versions: { v1: { spec } } }],
  ['versions.v1.status', { ...base, versions: { v1: { spec, status: z.object({ phase: z.string() }).default({ phase: 'Waiting' }) } } }],
  ['versions.v1.spec', { ...base, versions: { v1: { status: z.object({ phase: z.string() }) } } }],
  ['versions.v1.statusSubresource', { ...base, versions: { v1: { spec, statusSubresource: true } } }],
  ...(['.spec.dok', '.spec.dock[?(@ == "a")]', '.spec..dock'] as const).map(
    (jsonPath) =>
      [
        'versions.v1.columns[0].jsonPath',
        { ...base, versions: { v1: { spec, columns: [{ name: 'A', type: 'string', jsonPath }] } } },
      ] as const,
  ),
  [
    'versions.v1.columns[0].priority',
    { ...base, versions: { v1: { spec, columns: [{ name: 'A', type: 'string', jsonPath: '.spec.dock', priority: -1 }] } } },
  ],
  [
    'versions.v1.scale.specReplicasPath',
    {
      ...base,
      versions: {
        v1: {
          spec,
          status: z.object({ replicas: k.int32() }),
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
      },
    },
  ],
  [
    'versions.v1alpha1.spec.pier',
    { ...base, versions: { v1: { storage: true, spec }, v1alpha1: { spec: z.object({ pier: z.string().optional() }) } } },
  ],
];

test.each(TAKEN)('%s: refused for a new definition, not for an existing one', (path, options) => {
  expect(problemsOf(options)).toContain(path);
  expect(problemsOf({ ...options, existing: true })).toEqual([]);
});

test.each([
  ['kind', { ...base, kind: 'Fer_ry', versions: { v1: { spec } } }],
  ['group', { ...base, group: 'lab', versions: { v1: { spec } } }],
  ['versions.v1.columns[0].type', { ...base, versions: { v1: { spec, columns: [{ name: 'A', type: 'text', jsonPath: '.spec.dock' }] } } }],
  [
    'versions.v1.columns[0].jsonPath',
    { ...base, versions: { v1: { spec, columns: [{ name: 'A', type: 'string', jsonPath: 'spec.dock' }] } } },
  ],
  [
    'versions.v1.scale.specReplicasPath',
    {
      ...base,
      versions: { v1: { spec, status: spec, scale: { specReplicasPath: '.status.size', statusReplicasPath: '.status.replicas' } } },
    },
  ],
  ['versions.v1.selectableFields[0]', { ...base, versions: { v1: { spec, selectableFields: ['.spec.none'] } } }],
])('%s: what the API server refuses is refused for existing definitions too', (path, options) => {
  expect(problemsOf({ ...options, existing: true })).toContain(path);
});

test('a status whose subresource stands without a schema keeps the subresource', () => {
  const ferry = defineCustomResource({ ...base, existing: true, versions: { v1: { spec, statusSubresource: true } } });
  expect(customResourceDefinitionManifest(ferry.customResource)['spec']).toMatchObject({ versions: [{ subresources: { status: {} } }] });
  expect(ferry.subresources).toEqual(['status']);
});

describe('structural', () => {
  const schemaOf = (structural: object): unknown => {
    const { customResource } = defineCustomResource({ ...base, versions: { v1: { spec, structural } } });
    return (customResourceDefinitionManifest(customResource)['spec'] as never as { versions: [{ schema: object }] }).versions[0].schema;
  };

  test('stands in the schema word for word, beside what the other options say', () => {
    const structural = {
      maxProperties: 8,
      required: ['seal'],
      properties: { metadata: { properties: { name: { type: 'string', maxLength: 40 } } }, spec: { anyOf: [{ required: ['dock'] }] } },
    };
    expect(schemaOf(structural)).toEqual({
      openAPIV3Schema: {
        type: 'object',
        maxProperties: 8,
        required: ['seal', 'spec'],
        properties: {
          apiVersion: { type: 'string' },
          kind: { type: 'string' },
          metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 40 } } },
          spec: { type: 'object', properties: { dock: { type: 'string' } }, anyOf: [{ required: ['dock'] }] },
        },
      },
    });
  });

  test.each([
    [
      { properties: { spec: { type: 'array' } } },
      'versions.v1.structural.properties.spec.type: is said by the definition already ("object")',
    ],
    [{ properties: { size: { type: 'string' } } }, 'versions.v1.structural.properties.size: is not a field of the definition'],
    [{ properties: { spec: { properties: { pier: {} } } } }, 'versions.v1.structural.properties.spec.properties.pier: is not a field'],
    [{ properties: { metadata: 1 } }, 'versions.v1.structural.properties.metadata: is not a schema'],
    [{ properties: [] }, 'versions.v1.structural.properties: is a list; write an object'],
    [{ oneOf: [{ type: 'object' }] }, 'versions.v1'],
  ])('%j is refused with its place', (structural, message) => {
    expect(() => schemaOf(structural)).toThrow(message);
  });
});
