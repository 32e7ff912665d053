import { type Field, field } from './field.js';

const GROUP = 'random.example.com';
export const CACHES_V1 = { apiVersion: `${GROUP}/v1`, path: `/apis/${GROUP}/v1/namespaces/{ns}/caches` } as const;
export const CACHES_V2 = { apiVersion: `${GROUP}/v2`, path: `/apis/${GROUP}/v2/namespaces/{ns}/caches` } as const;
export const DEFINITION_PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** What both versions have. */
const specProperties = {
  size: { type: 'integer', minimum: 1, maximum: 9 },
  image: { type: 'string', default: 'cache:1', maxLength: 20, pattern: '^[a-z:0-9]+$' },
  mode: { type: 'string', enum: ['fast', 'safe'] },
  ports: {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['port', 'protocol'],
    items: {
      type: 'object',
      required: ['port'],
      properties: {
        port: { type: 'integer' },
        protocol: { type: 'string', default: 'TCP' },
        name: { type: 'string' },
        target: { 'x-kubernetes-int-or-string': true },
      },
    },
  },
  tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
  steps: {
    type: 'array',
    'x-kubernetes-list-type': 'atomic',
    items: { type: 'object', properties: { run: { type: 'string' }, times: { type: 'integer', default: 1 } } },
  },
  limits: { type: 'object', additionalProperties: { type: 'string', maxLength: 3 } },
  whole: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: { type: 'string' }, b: { type: 'string' } } },
  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  note: { type: 'string', nullable: true },
  fixed: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'must not change' }] },
} as const;

const status = {
  type: 'object',
  properties: {
    replicas: { type: 'integer' },
    selector: { type: 'string' },
    conditions: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
      items: {
        type: 'object',
        required: ['type', 'status'],
        properties: {
          type: { type: 'string' },
          status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
          reason: { type: 'string' },
        },
      },
    },
  },
} as const;

function version(name: string, storage: boolean, more: object): object {
  return {
    name,
    served: true,
    storage,
    subresources: {
      status: {},
      scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.replicas', labelSelectorPath: '.status.selector' },
    },
    schema: {
      openAPIV3Schema: {
        type: 'object',
        required: ['spec'],
        properties: {
          spec: {
            type: 'object',
            required: ['size'],
            properties: { ...specProperties, ...more },
            'x-kubernetes-validations': [
              { rule: "!has(self.mode) || self.mode != 'fast' || self.size < 4", message: 'fast caches are small' },
              { rule: 'self.size >= oldSelf.size - 5', message: 'shrinks too fast' },
            ],
          },
          status,
        },
      },
    },
  };
}

/** The second version has a field more and one less: what is written at one is pruned at the other. */
export const cacheDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `caches.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'caches', singular: 'cache', kind: 'Cache', listKind: 'CacheList' },
    versions: [
      version('v1', true, { old: { type: 'string' } }),
      version('v2', false, { fresh: { type: 'object', default: {}, properties: { level: { type: 'integer', default: 7 } } } }),
    ],
  },
};

export const cacheFields: readonly Field[] = [
  field('spec.size', 1, 2, 3, 8, 9, 0, 1.5),
  field('spec.image', 'cache:2', 'UPPER', 'x'),
  field('spec.mode', 'fast', 'safe', 'odd'),
  field(
    'spec.ports',
    [{ port: 80 }],
    [
      { port: 80, protocol: 'UDP', name: 'u' },
      { port: 80, name: 't', target: 'http' },
    ],
    [{ port: 81, target: 8081 }],
    [{ port: 80 }, { port: 80 }],
    [{ name: 'portless' }],
    [],
  ),
  field('spec.tags', ['a'], ['a', 'b'], ['b', 'c'], ['a', 'a'], []),
  field('spec.steps', [{ run: 'x' }], [{ run: 'x' }, { run: 'y', times: 3 }], []),
  field('spec.limits.cpu', '1', '2', 'long text'),
  field('spec.limits.memory', '1Gi'),
  field('spec.limits', {}, { disk: '9' }),
  field('spec.whole', { a: '1' }, { b: '2' }, {}),
  field('spec.whole.a', 'x'),
  field('spec.free', { any: [1, 'x', null], deep: { er: true } }, {}),
  field('spec.free.more', 1, 'x', [1], { y: null }),
  field('spec.note', 'x', null),
  field('spec.fixed', 'x', 'x', 'x', 'y'),
  field('spec.old', 'o'),
  field('spec.fresh.level', 7, 8),
  field('spec.unknown', 1, { deep: 'x' }),
];

export const cacheStatusFields: readonly Field[] = [
  field('status.replicas', 0, 3, 'x'),
  field('status.selector', 'app=x', 'app=y'),
  field(
    'status.conditions',
    [{ type: 'Ready', status: 'True' }],
    [
      { type: 'Ready', status: 'False', reason: 'X' },
      { type: 'Other', status: 'Unknown' },
    ],
    [{ type: 'Ready', status: 'Maybe' }],
  ),
];
