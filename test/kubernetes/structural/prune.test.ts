import type { Json, StructuralSchema } from '../../../src/kubernetes/apimachinery/index.js';
import { applyDefaults, prune, validate } from '../../../src/kubernetes/structural/index.js';

const string: StructuralSchema = { type: 'string' };
const free: StructuralSchema = { type: 'object', properties: { free: { type: 'object', additionalProperties: true } } };

function unknownFields(schema: StructuralSchema, value: Json): string[] {
  const found: string[] = [];
  prune(schema, value, { isResourceRoot: true, onUnknownField: (path) => found.push(path) });
  return found;
}

test('unknown fields are dropped and told, at every depth', () => {
  const schema: StructuralSchema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { list: { type: 'array', items: { type: 'object', properties: { a: string } } } } } },
  };
  const object = { apiVersion: 'v1', kind: 'A', metadata: { anything: 1 }, spec: { list: [{ a: 'x', b: 1 }], c: {} }, status: {} };
  expect(prune(schema, object, { isResourceRoot: true })).toEqual({
    apiVersion: 'v1',
    kind: 'A',
    metadata: { anything: 1 },
    spec: { list: [{ a: 'x' }] },
  });
  expect(unknownFields(schema, object)).toEqual(['spec.list[0].b', 'spec.c', 'status']);
});

test('below fields that preserve the unknown, declared objects are pruned again', () => {
  const schema: StructuralSchema = {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    properties: { a: { type: 'object', properties: { b: string } } },
  };
  expect(prune(schema, { a: { b: 'x', c: 1 }, d: { e: 1 } })).toEqual({ a: { b: 'x' }, d: { e: 1 } });
});

test('an embedded object keeps its metadata', () => {
  const schema: StructuralSchema = { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: { type: 'object' } } };
  expect(prune(schema, { apiVersion: 'v1', kind: 'A', metadata: { labels: {} }, spec: { a: 1 }, data: {} })).toEqual({
    apiVersion: 'v1',
    kind: 'A',
    metadata: { labels: {} },
    spec: {},
  });
});

test('free keys without a schema keep scalars and lists, but nothing inside objects', () => {
  const value = { free: { a: 1, b: { c: 1 }, d: [{ e: 1 }, [{ f: 1 }, 2]] } };
  expect(prune(free, value)).toEqual({ free: { a: 1, b: {}, d: [{}, [{}, 2]] } });
  expect(unknownFields(free, value)).toEqual(['free.b.c', 'free.d[0].e', 'free.d[1][0].f']);
});

test('what is not pruned stays the same object', () => {
  const value = { free: { a: [1, [2]] } };
  expect(prune(free, value)).toBe(value);
});

test('a value nested as deep as a request allows overflows no stack', () => {
  const depth = 20_000;
  const deep = (): Json => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as Json;
  const schema: StructuralSchema = {
    type: 'object',
    properties: { free: { type: 'object', additionalProperties: true }, any: { 'x-kubernetes-preserve-unknown-fields': true } },
  };
  const value = { free: { a: deep() }, any: deep() };
  expect(prune(schema, value)).toBe(value);
  expect(applyDefaults(schema, value)).toBe(value);
  expect(validate(schema, value, { isResourceRoot: false })).toEqual([]);
});
