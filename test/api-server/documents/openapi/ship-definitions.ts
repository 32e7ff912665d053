import type { JsonObject } from '../../../../src/api-server/contract/index.js';

type TestObject = JsonObject & { readonly apiVersion: string; readonly kind: string; readonly metadata: { readonly name: string } };

/** Definitions whose schemas have everything that publishing has a rule for. */
export const GROUP = 'published.example.com';

const openAPIV3Schema = {
  type: 'object',
  description: 'A ship.',
  required: ['spec'],
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 5 } } },
    spec: {
      type: 'object',
      description: 'What is wanted.',
      required: ['size', 'name'],
      properties: {
        size: { type: 'integer', format: 'int32', minimum: 1, maximum: 5, exclusiveMaximum: true, default: 2 },
        name: {
          type: 'string',
          nullable: true,
          pattern: '^a',
          enum: ['a', 'ab'],
          title: 'T',
          example: 'x',
          externalDocs: { url: 'https://example.com', description: 'd' },
        },
        port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
        share: { 'x-kubernetes-int-or-string': true },
        limit: { 'x-kubernetes-int-or-string': true, anyOf: [{ pattern: '^a' }, { minimum: 1 }], allOf: [{ maximum: 9 }] },
        range: { 'x-kubernetes-int-or-string': true, allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: '1' }] },
        any: { 'x-kubernetes-preserve-unknown-fields': true },
        open: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
        inner: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          required: ['spec'],
          properties: { spec: { type: 'object' }, metadata: { type: 'object' } },
        },
        list: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['key'],
          items: { type: 'object', required: ['key'], properties: { key: { type: 'string' } } },
          maxItems: 4,
        },
        map: { type: 'object', additionalProperties: { type: 'integer' }, 'x-kubernetes-map-type': 'atomic', minProperties: 1 },
        labels: { type: 'object', additionalProperties: true, default: {} },
        one: {
          type: 'object',
          properties: { a: { type: 'string' }, b: { type: 'string' } },
          oneOf: [{ required: ['a'] }, { required: ['b'] }],
          'x-kubernetes-validations': [{ rule: 'true', message: 'm' }],
        },
        set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string', not: { enum: ['q'] }, minLength: 0 } },
        tag: { type: 'string' },
        soft: { type: 'object', nullable: true, properties: { a: { type: 'string', default: 'b' } } },
        rows: { type: 'array', nullable: true, items: { type: 'string' } },
        bag: { type: 'object', required: ['x'], additionalProperties: { type: 'string', nullable: true } },
      },
    },
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
};

function definition(kind: string, scope: string, versions: readonly JsonObject[]): TestObject {
  const plural = `${kind.toLowerCase()}s`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: { group: GROUP, scope, names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` }, versions },
  };
}

const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };

export const shipDefinition = definition('Ship', 'Namespaced', [
  {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema },
    subresources: { status: {}, scale },
    selectableFields: [{ jsonPath: '.spec.tag' }],
  },
  {
    name: 'v2',
    served: true,
    storage: false,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'string' } } } },
  },
]);

export const boatDefinition = definition('Boat', 'Cluster', [
  {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  },
]);
