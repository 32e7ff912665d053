import { type ApiObject, customResourceType, fieldPath } from '../../../../../src/api-server/values/apply/index.js';
import type { Json, StructuralSchema } from '../../../../../src/kubernetes/apimachinery/index.js';
import { applyDefaults, prune } from '../../../../../src/kubernetes/structural/index.js';
import type { Random } from './random.js';
import { type JsonObject, listIn, mapIn, mutateMap, randomMap, type Subject, withoutEmptyMeta } from './subject.js';

const GROUP = 'apply.example.com';
const KEYS = ['a', 'b', 'c', 'd'];
const string: StructuralSchema = { type: 'string' };
const pair: StructuralSchema = { type: 'object', properties: { a: string, b: string } };

/** Every way in which a schema can say what is one value and what is many. */
const SCHEMA: StructuralSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer' },
        mode: { type: 'string', default: 'auto' },
        port: { 'x-kubernetes-int-or-string': true },
        tags: { type: 'array', items: string, 'x-kubernetes-list-type': 'set' },
        levels: { type: 'array', items: { type: 'integer' }, 'x-kubernetes-list-type': 'set' },
        args: { type: 'array', items: string },
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['port', 'protocol'],
          items: {
            type: 'object',
            required: ['port'],
            properties: { port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' }, name: string, tags: pair },
          },
        },
        labels: { type: 'object', additionalProperties: string },
        maps: { type: 'object', additionalProperties: pair },
        pair,
        atomicPair: { ...pair, 'x-kubernetes-map-type': 'atomic' },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
    status: {
      type: 'object',
      properties: {
        phase: string,
        conditions: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['type'],
          items: { type: 'object', required: ['type'], properties: { type: string, status: string } },
        },
      },
    },
  },
};

export function customResourceDefinition(): Json {
  const version = (name: string, storage: boolean): Json => ({
    name,
    storage,
    served: true,
    subresources: { status: {} },
    schema: { openAPIV3Schema: SCHEMA as unknown as Json },
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets' },
      versions: [version('v1', true), version('v2', false)],
    },
  };
}

export function customResourceSubject(): Subject {
  const type = customResourceType(SCHEMA);
  const apiVersions = [`${GROUP}/v1`, `${GROUP}/v2`] as const;
  return {
    kind: 'Widget',
    apiVersions: [...apiVersions],
    subresources: ['status'],
    collection: (apiVersion) => `/apis/${apiVersion}/namespaces/default/widgets`,
    empty: (apiVersion) => ({ apiVersion, kind: 'Widget' }),
    endpoint: (apiVersion, subresource) => ({
      apiVersion,
      kind: 'Widget',
      subresource,
      typeAt: (version) => (apiVersions.some((known) => known === version) ? type : undefined),
      convert: (object, version) => ({ ...object, apiVersion: version }),
      resetFields:
        subresource === 'status'
          ? Object.fromEntries(apiVersions.map((version) => [version, [fieldPath('metadata'), fieldPath('spec')]]))
          : { [apiVersion]: [fieldPath('status')] },
    }),
    configuration: (random) => ({
      apiVersion: apiVersions[0],
      kind: 'Widget',
      metadata: { ...random.maybe('labels', () => randomMap(random, KEYS), 0.2) },
      ...random.maybe('spec', () => spec(random), 0.95),
      ...random.maybe('status', () => status(random), 0.4),
    }),
    mutate,
    // The metadata of a custom resource is written and read once more on its way in: an empty list of managed fields is lost, and means nothing.
    finish: (object) => withoutEmptyMeta(prune(SCHEMA, applyDefaults(SCHEMA, object), { isResourceRoot: true }) as ApiObject),
  };
}

function spec(random: Random): JsonObject {
  return {
    ...random.maybe('size', () => random.below(3), 0.4),
    ...random.maybe('mode', () => random.one(['auto', 'manual']), 0.3),
    ...random.maybe('port', () => random.one<Json>([1, '1', 'http']), 0.2),
    ...random.maybe('tags', () => random.some(['x', 'y', 'z', '<&>', 'q"uote']), 0.4),
    ...random.maybe('levels', () => random.some([10, 9, -1, 1000000]), 0.3),
    ...random.maybe('args', () => random.some(['x', 'y', 'z']), 0.3),
    ...random.maybe('ports', () => random.some(ports(random)), 0.5),
    ...random.maybe('labels', () => randomMap(random, KEYS), 0.4),
    ...random.maybe('maps', () => Object.fromEntries(random.some(KEYS).map((key) => [key, randomMap(random, ['a', 'b'])])), 0.4),
    ...random.maybe('pair', () => randomMap(random, ['a', 'b']), 0.4),
    ...random.maybe('atomicPair', () => randomMap(random, ['a', 'b']), 0.3),
    ...random.maybe('free', () => free(random), 0.4),
  };
}

function free(random: Random): Json {
  return Object.fromEntries(
    random.some(KEYS).map((key) => [key, random.one<Json>(['0', 1, true, [1, 'x'], {}, { a: '0', b: { c: random.below(2) } }, []])]),
  );
}

function ports(random: Random): Json[] {
  const more = (): JsonObject => ({
    ...random.maybe('name', () => random.one(['0', '1'])),
    ...random.maybe('tags', () => randomMap(random, ['a', 'b']), 0.3),
  });
  return [
    { port: 80, ...more() },
    { port: 80, protocol: 'UDP', ...more() },
    { port: 1000000, protocol: 'TCP', ...more() },
    { port: 9, ...more() },
  ];
}

function status(random: Random): JsonObject {
  return {
    ...random.maybe('phase', () => random.one(['0', '1'])),
    ...random.maybe('conditions', () => random.some(['Ready', 'Stalled']).map((type) => ({ type, status: random.one(['True', 'False']) }))),
  };
}

function mutate(random: Random, object: JsonObject): void {
  const its = mapIn(object, 'spec');
  const fresh = spec(random);
  for (const key of random.some(Object.keys(fresh), 0.4)) its[key] = fresh[key] as Json;
  for (const key of random.some(Object.keys(its), 0.1)) delete its[key];
  if (random.chance(0.3)) listIn(its, 'ports').reverse();
  if (random.chance(0.3)) mutateMap(random, mapIn(object, 'metadata', 'labels'), KEYS);
  if (random.chance(0.3)) object['status'] = status(random);
}
