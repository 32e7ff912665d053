import type { Step } from '../exchange.js';
import type { Script } from '../script.js';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const APPLY = 'application/apply-patch+yaml';

function definition(plural: string, versions: readonly object[], more: object = {}): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.differ.example.com` },
    spec: {
      group: 'differ.example.com',
      scope: 'Namespaced',
      names: {
        plural,
        kind: plural.replace(/^./, (first) => first.toUpperCase()).replace(/s$/, ''),
        shortNames: [`${plural}x`],
        categories: ['all'],
      },
      versions,
      ...more,
    },
  };
}

const cacheSchema = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: 1, maximum: 5 },
        image: { type: 'string', default: 'cache:1', maxLength: 20, pattern: '^[a-z:0-9]+$' },
        mode: { type: 'string', enum: ['a', 'b'] },
        list: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string' }, port: { 'x-kubernetes-int-or-string': true } },
          },
        },
        set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        nullable: { type: 'string', nullable: true },
        immutable: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'must not change' }] },
      },
      'x-kubernetes-validations': [
        {
          rule: "!has(self.mode) || self.mode != 'a' || self.size < 4",
          messageExpression: "self.size == 4 ? 'mode a allows less than 4' : 'mode a allows far less'",
        },
      ],
    },
    status: {
      type: 'object',
      properties: {
        replicas: { type: 'integer' },
        selector: { type: 'string' },
        conditions: { type: 'array', items: { type: 'object', properties: { type: { type: 'string' } } } },
      },
    },
  },
};

const cacheVersion = {
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: cacheSchema },
  subresources: {
    status: {},
    scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.replicas', labelSelectorPath: '.status.selector' },
  },
  additionalPrinterColumns: [
    { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
    { name: 'Image', type: 'string', jsonPath: '.spec.image', priority: 1 },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  selectableFields: [{ jsonPath: '.spec.mode' }],
};

const CACHES = '/apis/differ.example.com/v1/namespaces/{ns}/caches';
const cache = (spec: object, more: object = {}): object => ({
  apiVersion: 'differ.example.com/v1',
  kind: 'Cache',
  metadata: { name: 'a', ...more },
  spec,
});
/** Sent until the definition is established on both sides: not compared by its number of tries. */
const established = (plural: string): Step => ({
  method: 'GET',
  path: `${DEFINITIONS}/${plural}.differ.example.com`,
  until: '"type":"Established","status":"True"',
});

function patch(path: string, contentType: string, body: unknown): Step {
  return { method: 'PATCH', path, contentType, body };
}

export const customResourceScripts: readonly Script[] = [
  {
    name: 'a custom resource',
    steps: [
      { method: 'POST', path: DEFINITIONS, body: definition('caches', [cacheVersion]) },
      established('caches'),
      { method: 'GET', path: '/apis/differ.example.com/v1', until: '"name":"caches"' },
      { method: 'POST', path: CACHES, body: cache({ size: 2 }), until: '"metadata"' },
      { method: 'GET', path: `${CACHES}/a` },
      { method: 'POST', path: CACHES, body: cache({ size: 2 }) },
      { method: 'POST', path: CACHES, body: cache({ size: 0 }, { name: 'b' }) },
      { method: 'POST', path: CACHES, body: cache({ size: 9, mode: 'c', image: 'UPPER', set: ['a', 'a'] }, { name: 'b' }) },
      { method: 'POST', path: CACHES, body: cache({ size: 'x', list: [{ port: 1 }] }, { name: 'b' }) },
      { method: 'POST', path: CACHES, body: cache({ size: 4, mode: 'a' }, { name: 'b' }) },
      { method: 'POST', path: CACHES, body: cache({ size: 1, list: [{ name: 'x' }, { name: 'x' }] }, { name: 'b' }) },
      {
        method: 'POST',
        path: CACHES,
        body: cache({ size: 1, unknown: { deep: 1 }, free: { any: [1, 'x', null] }, nullable: null }, { name: 'c' }),
      },
      { method: 'POST', path: `${CACHES}?fieldValidation=Strict`, body: cache({ size: 1, unknown: { deep: 1 } }, { name: 'd', foo: 'x' }) },
      { method: 'POST', path: `${CACHES}?fieldValidation=Ignore`, body: cache({ size: 1, unknown: 1 }, { name: 'd' }) },
      { method: 'POST', path: CACHES, body: { ...cache({ size: 1 }, { name: 'e' }), status: { replicas: 7 } } },
      { method: 'POST', path: CACHES, body: { apiVersion: 'differ.example.com/v1', kind: 'Cache', metadata: { name: 'f' } } },
      { method: 'POST', path: CACHES, body: { metadata: { name: 'g' }, spec: { size: 1 } } },
      { method: 'POST', path: CACHES, body: { ...cache({ size: 1 }, { name: 'g' }), kind: 'Other' } },
      { method: 'POST', path: CACHES, body: { ...cache({ size: 1 }, { name: 'g', labels: { a: 1 } }) } },
      { method: 'GET', path: CACHES },
      { method: 'GET', path: CACHES, accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' },
      { method: 'GET', path: `${CACHES}/a`, accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' },
      { method: 'GET', path: `${CACHES}?fieldSelector=spec.mode%3Da` },
      { method: 'GET', path: `${CACHES}?fieldSelector=spec.mode!%3Da` },
      { method: 'GET', path: `${CACHES}?fieldSelector=spec.size%3D2` },
      { method: 'PUT', path: `${CACHES}/a`, body: cache({ size: 3 }) },
      ({ body }) => ({ method: 'PUT', path: `${CACHES}/a`, body: { ...body(4), spec: { size: 3, immutable: 'x' } } }),
      patch(`${CACHES}/a`, 'application/merge-patch+json', { spec: { immutable: 'y' } }),
      patch(`${CACHES}/a`, 'application/merge-patch+json', { metadata: { labels: { l: 'm' } } }),
      patch(`${CACHES}/a`, 'application/json-patch+json', [{ op: 'add', path: '/spec/mode', value: 'b' }]),
      patch(`${CACHES}/a`, 'application/strategic-merge-patch+json', { spec: { size: 2 } }),
      patch(`${CACHES}/a?fieldManager=one`, APPLY, cache({ size: 3, list: [{ name: 'x', port: 1 }] })),
      patch(`${CACHES}/a?fieldManager=two`, APPLY, cache({ size: 4, list: [{ name: 'y', port: 'p' }] })),
      patch(`${CACHES}/a?fieldManager=two&force=true`, APPLY, cache({ size: 4, list: [{ name: 'y', port: 'p' }] })),
      patch(`${CACHES}/a?fieldManager=one`, APPLY, cache({ size: 4, nonsense: 1 })),
      {
        method: 'PATCH',
        path: `${CACHES}/a/status`,
        body: { status: { replicas: 3, selector: 'app=x' }, spec: { size: 1 }, metadata: { labels: { ignored: 'yes' } } },
      },
      { method: 'PATCH', path: `${CACHES}/a/status`, body: { status: { replicas: 'x' } } },
      // A uid in the body of a status guards nothing: the metadata of the body is left aside (H46).
      patch(`${CACHES}/a/status`, 'application/merge-patch+json', { metadata: { uid: 'another' }, status: { replicas: 4 } }),
      patch(`${CACHES}/a/status?fieldManager=three`, APPLY, {
        ...cache({}, { uid: 'another' }),
        spec: undefined,
        status: { selector: 'a=b' },
      }),
      patch(`${CACHES}/a/status?fieldManager=three`, APPLY, {
        ...cache({}, { resourceVersion: '1' }),
        spec: undefined,
        status: { selector: 'c=d' },
      }),
      patch(`${CACHES}/none/status?fieldManager=three`, APPLY, {
        ...cache({}, { name: 'none', uid: 'another' }),
        spec: undefined,
        status: { selector: 'a=b' },
      }),
      { method: 'GET', path: `${CACHES}/a/status` },
      { method: 'GET', path: `${CACHES}/a/scale` },
      { method: 'PATCH', path: `${CACHES}/a/scale`, body: { spec: { replicas: 5 } } },
      { method: 'PATCH', path: `${CACHES}/a/scale`, body: { spec: { replicas: 50 } } },
      { method: 'GET', path: `${CACHES}/a/nonsense` },
      // A watch from any version begins with what the cache of the API server holds, and that learns of the last write by a watch of its own.
      { method: 'GET', path: `${CACHES}?resourceVersion=0`, until: '"size":5', isCompared: false },
      { method: 'GET', path: `${CACHES}?watch=1&resourceVersion=0`, frames: 2 },
      { method: 'DELETE', path: `${CACHES}/c` },
      { method: 'DELETE', path: CACHES },
      { method: 'GET', path: `${CACHES}/a` },
      { method: 'GET', path: '/apis/differ.example.com/v1/caches' },
      { method: 'POST', path: '/apis/differ.example.com/v1/caches', body: cache({ size: 1 }, { name: 'z' }) },
      { method: 'DELETE', path: `${DEFINITIONS}/caches.differ.example.com` },
      { method: 'GET', path: `${DEFINITIONS}/caches.differ.example.com`, until: '"code":404' },
      { method: 'GET', path: CACHES, until: '404 page not found' },
    ],
  },
  {
    name: 'definitions that are refused',
    namespaced: false,
    steps: [
      { method: 'POST', path: DEFINITIONS, body: { metadata: { name: 'x.differ.example.com' }, spec: {} } },
      { method: 'POST', path: DEFINITIONS, body: definition('bads', []) },
      { method: 'POST', path: DEFINITIONS, body: definition('bads', [{ ...cacheVersion, storage: false }]) },
      { method: 'POST', path: DEFINITIONS, body: { ...definition('bads', [cacheVersion]), metadata: { name: 'other.example.com' } } },
      { method: 'POST', path: DEFINITIONS, body: definition('bads', [{ name: 'v1', served: true, storage: true }]) },
      {
        method: 'POST',
        path: DEFINITIONS,
        body: definition('bads', [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { a: { type: 'strange' }, b: {} } } },
          },
        ]),
      },
      {
        method: 'POST',
        path: DEFINITIONS,
        body: definition('bads', [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { a: { type: 'integer', default: 'x' } } } },
          },
        ]),
      },
      {
        method: 'POST',
        path: DEFINITIONS,
        body: definition('bads', [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: { a: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self + 1' }] } },
              },
            },
          },
        ]),
      },
      { method: 'POST', path: DEFINITIONS, body: definition('bads', [cacheVersion], { conversion: { strategy: 'Webhook' } }) },
      { method: 'POST', path: DEFINITIONS, body: definition('bads', [cacheVersion], { scope: 'Galaxy' }) },
      { method: 'POST', path: DEFINITIONS, body: definition('Bads', [cacheVersion]) },
    ],
  },
  {
    name: 'two versions',
    steps: [
      {
        method: 'POST',
        path: DEFINITIONS,
        body: definition('pairs', [
          {
            name: 'v1beta1',
            served: true,
            storage: false,
            deprecated: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: { spec: { type: 'object', properties: { a: { type: 'string', default: 'd' } } } },
              },
            },
          },
        ]),
      },
      established('pairs'),
      {
        method: 'POST',
        path: '/apis/differ.example.com/v1beta1/namespaces/{ns}/pairs',
        body: { apiVersion: 'differ.example.com/v1beta1', kind: 'Pair', metadata: { name: 'x' }, spec: { b: 1 } },
        until: '"metadata"',
      },
      { method: 'GET', path: '/apis/differ.example.com/v1/namespaces/{ns}/pairs/x' },
      { method: 'GET', path: '/apis/differ.example.com/v1beta1/namespaces/{ns}/pairs/x' },
      { method: 'GET', path: '/apis/differ.example.com/v1/namespaces/{ns}/pairs' },
      { method: 'PATCH', path: '/apis/differ.example.com/v1/namespaces/{ns}/pairs/x', body: { spec: { a: 'e' } } },
      {
        method: 'POST',
        path: '/apis/differ.example.com/v1/namespaces/{ns}/pairs',
        body: { apiVersion: 'differ.example.com/v1beta1', kind: 'Pair', metadata: { name: 'y' } },
      },
      { method: 'GET', path: '/apis/differ.example.com' },
      { method: 'DELETE', path: `${DEFINITIONS}/pairs.differ.example.com` },
      { method: 'GET', path: `${DEFINITIONS}/pairs.differ.example.com`, until: '"code":404' },
    ],
  },
];
