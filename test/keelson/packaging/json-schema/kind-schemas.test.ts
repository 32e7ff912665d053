import { defineCustomResource, defineOperator, k } from 'keelson';
import { defineOperatorPackage, definePackage, kindSchemas } from 'keelson/packaging';
import { z } from 'zod';

const Website = defineCustomResource({
  group: 'example.com',
  kind: 'Website',
  versions: {
    v1alpha1: { spec: z.object({ a: z.string() }), served: false },
    v1: {
      spec: z.object({
        since: z.string().regex(/^\d+$/).optional(),
        open: k.preserveUnknown().optional(),
        period: k.duration().optional(),
        mail: k.email().optional(),
      }),
      storage: true,
    },
  },
});
const website = defineOperatorPackage({
  operator: defineOperator({ name: 'websites', customResources: [Website.customResource] }),
  image: 'registry.example.com/websites:1',
  version: '1.0.0',
});

test('a file for each served version, named as kubeconform looks for it', () => {
  expect(kindSchemas(website).map(({ path }) => path)).toEqual(['example.com/website_v1.json']);
});

test('a package without kinds has none', () => {
  expect(kindSchemas(definePackage({ name: 'small', version: '1.0.0', namespace: 'a', build: () => {} }))).toEqual([]);
});

test('the schema is closed where the API server prunes, and keeps formats that mean the same', () => {
  const schema = JSON.parse(kindSchemas(website)[0]?.text ?? '') as {
    required: string[];
    additionalProperties: boolean;
    properties: { spec: { additionalProperties: boolean; properties: Record<string, Record<string, unknown>> }; kind: object };
  };
  expect(schema.additionalProperties).toBe(false);
  expect(schema.required).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
  expect(schema.properties.kind).toEqual({ type: 'string', enum: ['Website'] });
  const { spec } = schema.properties;
  expect(spec.additionalProperties).toBe(false);
  expect(spec.properties['open']?.['additionalProperties']).toBeUndefined();
  expect(spec.properties['mail']?.['format']).toBe('email');
  expect(spec.properties['period']?.['format']).toBeUndefined();
});
