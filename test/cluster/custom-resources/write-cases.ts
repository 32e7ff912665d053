import type { Json } from '../../../src/kubernetes/apimachinery/index.js';

/** Custom resources of one schema, written to both servers. */
export interface WriteCase {
  /** Properties of the root beside metadata, and keywords of the root. */
  readonly properties: object;
  readonly root?: object;
  readonly version?: object;
  /** Objects that are created: fields beside apiVersion and kind. */
  readonly creates: readonly object[];
  /** The last object that was created becomes this. */
  readonly updates?: readonly object[];
  readonly statusUpdates?: readonly object[];
}

const spec = (properties: object, change: object = {}): object => ({ spec: { type: 'object', properties, ...change } });
const one = (fields: object, metadata: object = {}): object => ({ metadata: { name: 'one', ...metadata }, ...fields });
const ofSpec = (...values: Json[]): object[] => values.map((value) => one({ spec: value }));
const list = (change: object): object => ({ type: 'array', ...change });
const text = { type: 'string' };
const whole = { type: 'integer' };

export const writeCases: Readonly<Record<string, WriteCase>> = {
  metadata: {
    properties: spec({ a: text }),
    creates: [
      one({ spec: {} }, { labels: { a: 'b' }, annotations: { x: 'y' } }),
      one({ spec: {} }, { labels: { a: 1 } }),
      one({ spec: {} }, { labels: ['a'] }),
      one({ spec: {} }, { labels: null, annotations: {}, finalizers: [], ownerReferences: [] }),
      one({ spec: {} }, { nonsense: 1, ownerReferences: [{ apiVersion: 'v1', kind: 'A', name: 'a', uid: 'u', foo: 1 }] }),
      one({ spec: {} }, { creationTimestamp: null, generation: 7, uid: 'mine', deletionTimestamp: '2020-01-01T00:00:00Z' }),
      one({ spec: {} }, { creationTimestamp: 'yesterday' }),
      one({ spec: {} }, { name: 'Not_a_name' }),
      one({ spec: {} }, { name: 5 }),
      one({ spec: {} }, { finalizers: ['plain', 'a.b', 'example.com/x', 'bad name/'] }),
      one({ spec: {} }, { finalizers: ['plain', 'dotted.example', 'orphan'] }),
      { metadata: 'text', spec: {} },
      { metadata: null, spec: {} },
      { spec: {} },
    ],
  },
  pruning: {
    properties: {
      spec: {
        type: 'object',
        properties: {
          a: text,
          any: {
            type: 'object',
            'x-kubernetes-preserve-unknown-fields': true,
            properties: { in: { type: 'object', properties: { b: text } } },
          },
          map: { type: 'object', additionalProperties: { type: 'object', properties: { c: text } } },
          list: list({ items: { type: 'object', properties: { d: text } } }),
          empty: { type: 'object' },
          open: { type: 'object', additionalProperties: true },
        },
      },
      loose: { 'x-kubernetes-preserve-unknown-fields': true },
    },
    creates: [
      one({
        spec: {
          a: 'a',
          z: 1,
          any: { x: { y: 1 }, in: { b: 'b', q: 1 } },
          map: { k: { c: 'c', q: 1 } },
          list: [{ d: 'd', q: 1 }, { q: 2 }],
          empty: { q: 1 },
          open: { q: { r: 1 } },
        },
        loose: [{ a: [1, { b: null }] }],
        top: 1,
      }),
      one({ spec: [], loose: 'x' }),
      one({ spec: null, loose: null }),
    ],
  },
  defaults: {
    properties: spec({
      a: { ...text, default: 'a' },
      in: { type: 'object', properties: { b: { ...whole, default: 2 } } },
      out: { type: 'object', default: {}, properties: { c: { type: 'boolean', default: true } } },
      none: { ...text, nullable: true },
      keep: { ...text, nullable: true, default: 'k' },
      list: list({ items: { type: 'object', properties: { d: { ...text, default: 'd' } } } }),
      map: { type: 'object', additionalProperties: { type: 'object', properties: { e: { ...text, default: 'e' } } } },
      deep: list({ items: list({ items: { ...text, default: 'x' } }) }),
    }),
    creates: [
      ...ofSpec(
        {},
        { in: {}, list: [{}, { d: 'x' }], map: { k: {} } },
        { a: null, none: null, keep: null, in: null, out: null, list: [null] },
      ),
      ...ofSpec({ deep: [[null, 'y'], null] }),
      one({}),
    ],
  },
  embedded: {
    properties: spec({
      template: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      templates: list({
        items: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          properties: { spec: { type: 'object', properties: { a: text } } },
        },
      }),
    }),
    creates: ofSpec(
      { template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', labels: { a: 'b' }, foo: 1 }, spec: { x: 1 } } },
      { template: { apiVersion: 'v1', kind: 'Pod', metadata: { labels: { a: '-' } } } },
      { template: { kind: 'pod/' } },
      { template: { apiVersion: 1, kind: 'Pod' } },
      { template: { apiVersion: 'a/b/c', kind: '' } },
      { template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 7 } } },
      { templates: [{ apiVersion: 'v1', kind: 'A', metadata: { creationTimestamp: null }, spec: { a: 'a', b: 1 }, x: 1 }] },
    ),
  },
  lists: {
    properties: spec({
      set: list({ 'x-kubernetes-list-type': 'set', items: text }),
      map: list({
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name', 'port'],
        items: { type: 'object', required: ['name'], properties: { name: text, port: { ...whole, default: 80 }, v: text } },
      }),
      few: list({ maxItems: 2, minItems: 1, items: whole }),
    }),
    creates: ofSpec(
      { set: ['a', 'b', 'a', 'a'] },
      { map: [{ name: 'a' }, { name: 'a', port: 80 }, { name: 'a', port: 81 }] },
      { map: [{ port: 1 }, 'x'] },
      { few: [] },
      { few: [1, 2, 3] },
      { set: ['a'], map: [{ name: 'a', v: '1' }], few: [1] },
    ),
    updates: [one({ spec: { set: ['a', 'a'], few: [1] } }), one({ spec: { map: [{ name: 'a' }, { name: 'a' }] } })],
  },
  rules: {
    properties: spec(
      {
        size: { ...whole, 'x-kubernetes-validations': [{ rule: 'self >= oldSelf', message: 'must not shrink' }] },
        mode: { ...text, maxLength: 5, enum: ['fast', 'slow'] },
        limit: whole,
      },
      {
        required: ['size'],
        'x-kubernetes-validations': [
          { rule: '!has(self.limit) || self.size <= self.limit', messageExpression: '"over %d".format([self.limit])', fieldPath: '.size' },
          { rule: 'self.size != 13', reason: 'FieldValueForbidden' },
        ],
      },
    ),
    creates: [...ofSpec({ size: 5, limit: 3 }, { size: 13 }, { mode: 'fast' }, { size: 'x', mode: 'faster' }, { size: 2 })],
    updates: [
      one({ spec: { size: 1 } }),
      one({ spec: { size: 13 } }),
      one({ spec: { size: 3, mode: 'slow' } }),
      one({ spec: { size: 3 } }, { labels: { a: 'b' } }),
    ],
  },
  scaled: {
    properties: {
      ...spec({ replicas: whole }),
      status: { type: 'object', required: ['ready'], properties: { ready: { type: 'boolean' }, replicas: whole, selector: text } },
    },
    version: {
      subresources: {
        status: {},
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas', labelSelectorPath: '.status.selector' },
      },
    },
    creates: [
      one({ spec: { replicas: -1 } }),
      one({ spec: { replicas: 3e9 } }),
      one({ spec: { replicas: 'x' } }),
      one({ spec: { replicas: 1 }, status: { ready: true } }),
    ],
    updates: [one({ spec: { replicas: 2 }, status: { ready: 'no' } })],
    statusUpdates: [
      one({ spec: { replicas: 9 }, status: { ready: true, extra: 1 } }, { labels: { a: 'b' } }),
      one({ status: { ready: 'yes' } }),
      one({ status: { ready: true, replicas: -1 } }),
      one({ status: {} }),
    ],
  },
  kinds: {
    properties: spec({ a: text }),
    creates: [
      { ...one({ spec: { a: 'a' } }), kind: 'Other' },
      { ...one({ spec: { a: 'a' } }), kind: '' },
      { ...one({ spec: { a: 'a' } }), kind: 5 },
      { ...one({ spec: { a: 'a' } }), apiVersion: 'other/v1' },
      { ...one({ spec: { a: 'a' } }), apiVersion: 'v1' },
      { ...one({ spec: { a: 'a' } }), apiVersion: '' },
    ],
  },
};
