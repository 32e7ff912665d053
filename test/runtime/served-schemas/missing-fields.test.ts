import { customResourceDefinitionManifest, defineCustomResource, k } from 'keelson';
import { z } from 'zod';
import type { StructuralSchema } from '../../../src/kubernetes/apimachinery/index.js';
import { missingFields } from '../../../src/runtime/served-schemas/index.js';

const text: StructuralSchema = { type: 'string' };
const object = (properties: Readonly<Record<string, StructuralSchema>>): StructuralSchema => ({ type: 'object', properties });
const root = (spec: StructuralSchema): StructuralSchema => object({ apiVersion: text, kind: text, metadata: object({ name: text }), spec });

/** What is missing of the one spec in the other. */
const missing = (own: StructuralSchema, served: unknown): readonly string[] =>
  missingFields(root(own), { properties: { spec: served }, type: 'object' });

const KEEPS = { 'x-kubernetes-preserve-unknown-fields': true } as const;

test.each<readonly [string, StructuralSchema, unknown, readonly string[]]>([
  ['a field', object({ a: text, b: text }), object({ a: text }), ['spec.b']],
  ['a field, with all that is below it', object({ a: object({ b: text }) }), object({}), ['spec.a']],
  ['a field of a field', object({ a: object({ b: text, c: text }) }), object({ a: object({ b: text }) }), ['spec.a.c']],
  [
    'a field of the items of a list',
    object({ a: { type: 'array', items: object({ b: text, c: text }) } }),
    object({ a: { type: 'array', items: object({ b: text }) } }),
    ['spec.a[].c'],
  ],
  [
    'a field of the values of a map',
    object({ a: { type: 'object', additionalProperties: object({ b: text, c: text }) } }),
    object({ a: { type: 'object', additionalProperties: object({ b: text }) } }),
    ['spec.a.*.c'],
  ],
  ['free keys', object({ a: { type: 'object', additionalProperties: text } }), object({ a: object({ b: text }) }), ['spec.a.*']],
  ['unknown fields', object({ a: { type: 'object', ...KEEPS } }), object({ a: object({ b: text }) }), ['spec.a.*']],
  ['a field with the name of a method', object({ toString: text }), object({}), ['spec.toString']],
  [
    'a field of an embedded object',
    object({ a: { ...object({ apiVersion: text, spec: object({ b: text }) }), 'x-kubernetes-embedded-resource': true } }),
    object({ a: object({ spec: object({}) }) }),
    ['spec.a.spec.b'],
  ],
])('%s is missing', (_, own, served, expected) => {
  expect(missing(own, served)).toEqual(expected);
});

test('a spec that is missing stands for all of it', () => {
  expect(missingFields(root(object({ a: text, b: text })), object({}))).toEqual(['spec']);
});

test.each<readonly [string, StructuralSchema, unknown]>([
  ['what is the same', object({ a: text }), object({ a: text })],
  ['what the cluster has beyond it', object({ a: text }), object({ a: text, b: text })],
  ['a field that is kept as an unknown one', object({ a: text }), { ...object({}), ...KEEPS }],
  ['a field that is kept as a free key', object({ a: text }), { type: 'object', additionalProperties: text }],
  ['a field where any key is free', object({ a: text }), { type: 'object', additionalProperties: true }],
  ['free keys that are kept as unknown ones', { type: 'object', additionalProperties: text }, { type: 'object', ...KEEPS }],
  ['what is of another type: its values are refused by name', object({ a: object({ b: text }) }), object({ a: text })],
  ['what is described elsewhere', object({ a: object({ b: text }) }), object({ a: { $ref: '#/components/schemas/a' } as never })],
  ['another bound', object({ a: { type: 'string', maxLength: 5 } }), object({ a: { type: 'string', maxLength: 3 } })],
  ['a list that is served without items', object({ a: { type: 'array', items: text } }), object({ a: { type: 'array' } })],
])('%s is not missing', (_, own, served) => {
  expect(missing(own, served)).toEqual([]);
});

test.each([undefined, null, 7, [], {}, { properties: [] }])('of a schema without a form (%j) nothing is said', (served) => {
  expect(missingFields(root(object({ a: text })), served)).toEqual([]);
});

test('a definition lacks nothing of its own CustomResourceDefinition, whatever types it has', () => {
  const Widget = defineCustomResource({
    group: 'example.com',
    kind: 'Widget',
    versions: {
      v1: {
        spec: z.object({
          template: k.builtin('PodTemplateSpec'),
          size: k.intOrString(),
          labels: z.record(z.string(), z.string()),
          ports: k.listMap(z.object({ name: z.string(), port: z.int() }), 'name'),
          anything: k.json(),
          choice: z.discriminatedUnion('type', [
            z.object({ type: z.literal('a'), a: z.string() }),
            z.object({ type: z.literal('b'), b: z.string() }),
          ]),
        }),
        status: z.object({ nodes: z.array(z.string()) }),
      },
    },
  });
  const { versionList } = Widget.customResource;
  const { spec } = customResourceDefinitionManifest(Widget.customResource) as unknown as {
    readonly spec: { readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: unknown } }[] };
  };
  expect(versionList.map(({ schema }, index) => missingFields(schema, spec.versions[index]?.schema.openAPIV3Schema))).toEqual([[]]);
});
