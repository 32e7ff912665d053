import type { OpenApiSchema } from '../../../../src/api-server/values/apply/index.js';
import { applyStrategicMergePatch, PatchType } from '../../../../src/api-server/values/strategic-merge/index.js';
import { type Json, type JsonObject, PatchRefused } from '../../../../src/kubernetes/apimachinery/index.js';

const MERGE = { 'x-kubernetes-patch-strategy': 'merge' };
const ref = (name: string): OpenApiSchema => ({ $ref: `#/components/schemas/${name}` });
const DEFINITIONS: Readonly<Record<string, OpenApiSchema>> = {
  'io.example.v1.PodSpec': {
    type: 'object',
    properties: {
      replicas: { type: 'integer' },
      containers: {
        type: 'array',
        items: { default: {}, allOf: [ref('io.example.v1.Container')] },
        ...MERGE,
        'x-kubernetes-patch-merge-key': 'name',
      },
      tolerations: { type: 'array', items: { type: 'object' } },
      finalizers: { type: 'array', items: { type: 'string' }, ...MERGE },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      strategy: { ...ref('io.example.v1.Strategy'), 'x-kubernetes-patch-strategy': 'retainKeys' },
      raw: { ...ref('io.example.v1.Strategy'), 'x-kubernetes-patch-strategy': 'replace' },
      keyless: { type: 'array', items: { type: 'object' }, ...MERGE },
      nested: ref('io.example.v1.PodSpec'),
      grids: { type: 'array', items: { type: 'array' }, ...MERGE },
    },
  },
  'io.example.v1.Container': {
    type: 'object',
    properties: {
      name: { type: 'string' },
      image: { type: 'string' },
      args: { type: 'array', items: { type: 'string' } },
      env: { type: 'array', items: ref('io.example.v1.Container'), ...MERGE, 'x-kubernetes-patch-merge-key': 'name' },
    },
  },
  'io.example.v1.Strategy': { type: 'object', properties: { type: { type: 'string' }, rolling: { type: 'object' } } },
};
const TYPE = PatchType.of('io.example.v1.PodSpec', (name) => DEFINITIONS[name]);
const named = (...names: string[]): Json => names.map((name) => ({ name }));

describe('a strategic merge patch', () => {
  test.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['removes by null', { replicas: 1, labels: { a: '1', b: '2' } }, { replicas: null, labels: { a: null } }, { labels: { b: '2' } }],
    ['drops nulls of what is new', {}, { strategy: { type: null, rolling: { x: null } } }, { strategy: { rolling: {} } }],
    ['replaces an object', { labels: { a: '1' } }, { labels: { $patch: 'replace', b: '2' } }, { labels: { b: '2' } }],
    ['empties an object', { labels: { a: '1' } }, { labels: { $patch: 'delete' } }, { labels: {} }],
    ['replaces where the strategy says so', { raw: { type: 'a' } }, { raw: { rolling: {} } }, { raw: { rolling: {} } }],
    [
      'replaces lists without a strategy',
      { tolerations: [{ key: 'a' }] },
      { tolerations: [{ key: 'b' }] },
      { tolerations: [{ key: 'b' }] },
    ],
    [
      'merges items by their key',
      { containers: [{ name: 'a', image: 'x', args: ['1'] }] },
      { containers: [{ name: 'a', image: 'y', args: null }] },
      { containers: [{ name: 'a', image: 'y' }] },
    ],
    ['puts new items in front', { containers: named('a') }, { containers: named('b') }, { containers: named('b', 'a') }],
    ['deletes an item', { containers: named('a', 'b') }, { containers: [{ $patch: 'delete', name: 'a' }] }, { containers: named('b') }],
    [
      'replaces a merged list',
      { containers: named('a', 'b') },
      { containers: [{ $patch: 'replace' }, { name: 'c' }] },
      { containers: named('c') },
    ],
    ['merges lists of scalars without duplicates', { finalizers: ['a', 'b'] }, { finalizers: ['b', 'c'] }, { finalizers: ['a', 'b', 'c'] }],
    [
      'deletes from lists of scalars',
      { finalizers: ['a', 'b', 'c'] },
      { '$deleteFromPrimitiveList/finalizers': ['b', 'x'] },
      { finalizers: ['a', 'c'] },
    ],
    [
      'deletes whatever the strategy',
      { tolerations: ['a', 'b'] },
      { '$deleteFromPrimitiveList/tolerations': ['b'] },
      { tolerations: ['a'] },
    ],
    [
      'retains keys',
      { strategy: { type: 'a', rolling: { x: 1 } } },
      { strategy: { $retainKeys: ['type'], type: 'b' } },
      { strategy: { type: 'b' } },
    ],
    [
      'orders items',
      { containers: named('a', 'b', 'c') },
      { '$setElementOrder/containers': named('c', 'a', 'b') },
      { containers: named('c', 'a', 'b') },
    ],
    [
      'leaves items that the order does not name in front of those behind them',
      { containers: named('a', 'own', 'b') },
      { '$setElementOrder/containers': named('b', 'a', 'new'), containers: named('new') },
      { containers: named('own', 'b', 'a', 'new') },
    ],
    [
      'orders a new item as if it had stood in place of a deleted one',
      { containers: named('own', 'b') },
      { '$setElementOrder/containers': named('new'), containers: [{ $patch: 'delete', name: 'b' }, { name: 'new' }] },
      { containers: named('own', 'new') },
    ],
    [
      'orders a list that is new',
      {},
      { '$setElementOrder/containers': named('b', 'a'), containers: named('b', 'a') },
      { containers: named('b', 'a') },
    ],
    ['passes over the order of a list that nobody has', {}, { '$setElementOrder/containers': named('b') }, {}],
    [
      'keeps directives of an item that is new, as the server does',
      { containers: named('a') },
      { containers: [{ name: 'b', image: null, '$setElementOrder/env': [] }] },
      { containers: [{ name: 'b', image: null, '$setElementOrder/env': [] }, { name: 'a' }] },
    ],
    [
      'drops objects with $patch from what is new',
      {},
      { containers: [{ name: 'a', $patch: 'delete' }, { name: 'b' }] },
      { containers: named('b') },
    ],
    [
      'finds fields in other letters',
      { containers: named('a'), Nested: {} },
      { Nested: { replicas: 1 } },
      { containers: named('a'), Nested: { replicas: 1 } },
    ],
    ['does nothing', { replicas: 1 }, {}, { replicas: 1 }],
  ])('%s', (_name, original, patch, expected) => {
    expect(applyStrategicMergePatch(original, patch, TYPE)).toEqual(expected);
  });

  test.each<[number, JsonObject, Json, string]>([
    [400, {}, [], 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
    [400, {}, { $retainKeys: 'x' }, 'invalid patch format of retainKeys'],
    [400, { strategy: {} }, { strategy: { $retainKeys: [], type: 'a' } }, 'invalid patch format of retainKeys'],
    [400, {}, { $setElementOrder: [] }, 'invalid patch format of setElementOrder list'],
    [400, {}, { $deleteFromPrimitiveListx: [] }, 'invalid patch format of primitive list'],
    [422, { grids: [[1]] }, { grids: [[1]] }, 'lists of lists are not supported'],
    [500, {}, { $patch: 'merge' }, 'unknown patch type: merge in map: map[$patch:merge]'],
    [500, {}, { $patch: 1 }, 'unknown patch type: %!s(int64=1) in map: map[$patch:1]'],
    [500, { containers: named('a') }, { containers: [{ image: 'x' }] }, 'map: map[image:x] does not contain declared merge key: name'],
    [
      500,
      { containers: named('a') },
      { containers: [{ name: 'a', $patch: 'merge' }] },
      'merging lists cannot yet be specified in the patch',
    ],
    [500, { containers: named('a') }, { containers: ['a'] }, 'list element types are not identical: [[map[name:a]] [a]]'],
    [500, { finalizers: ['a'] }, { finalizers: [1] }, 'list element types are not identical: [[a] [1]]'],
    [500, { keyless: [{}] }, { keyless: [{}] }, 'cannot merge lists without merge key for struct'],
    [500, { labels: { a: {} } }, { labels: { a: {} } }, 'merging an object in json but data type is not struct, instead is: map'],
    [500, { containers: [] }, { '$setElementOrder/containers': [] }, 'no elements in any of the given slices'],
    [500, {}, { '$setElementOrder/containers': 'x' }, 'expected a []interface {}, but received a string'],
    [500, {}, { '$setElementOrder/nope': [] }, 'unable to find api field in struct PodSpec for the json field "nope"'],
    [
      500,
      {},
      { '$setElementOrder/containers': named('a'), containers: named('b') },
      "The order in patch list:\n[map[name:b]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n",
    ],
    [500, { finalizers: [null] }, { finalizers: [null] }, 'a list of nulls has no type'],
    [500, { containers: [{ name: {} }] }, { containers: [{ name: {} }] }, 'comparing uncomparable type map[string]interface {}'],
  ])('%d for %j and %j', (status, original, patch, message) => {
    expect(() => applyStrategicMergePatch(original, patch, TYPE)).toThrow(PatchRefused);
    expect(() => applyStrategicMergePatch(original, patch, TYPE)).toThrow(
      expect.objectContaining({ message, refusal: expect.objectContaining({ status }) }),
    );
  });

  test('treats __proto__ and constructor as any other field', () => {
    const patch = JSON.parse('{"labels":{"__proto__":"x","constructor":"y"},"__proto__":{"z":1}}') as JsonObject;
    const result = applyStrategicMergePatch({ labels: { a: '1' } }, patch, TYPE);
    expect(JSON.stringify(result)).toBe('{"labels":{"a":"1","__proto__":"x","constructor":"y"},"__proto__":{"z":1}}');
    expect(({} as Record<string, unknown>)['z']).toBeUndefined();
  });

  test('leaves what it was given as it is', () => {
    const original = { containers: named('a', 'b'), labels: { a: '1' } };
    const patch = {
      containers: [{ name: 'b', $patch: 'delete' }],
      labels: { $patch: 'replace' },
      '$setElementOrder/containers': named('a'),
    };
    const [before, given] = [JSON.stringify(original), JSON.stringify(patch)];
    applyStrategicMergePatch(original, patch, TYPE);
    expect([JSON.stringify(original), JSON.stringify(patch)]).toEqual([before, given]);
  });

  test('merges as deep as is allowed, and refuses what is deeper', () => {
    const deep = (levels: number): JsonObject =>
      JSON.parse(`${'{"nested":'.repeat(levels)}{"replicas":1}${'}'.repeat(levels)}`) as JsonObject;
    expect(applyStrategicMergePatch(deep(999), deep(999), TYPE)).toEqual(deep(999));
    expect(() => applyStrategicMergePatch({}, deep(1001), TYPE)).toThrow('exceeded max depth');
    expect(() => applyStrategicMergePatch({}, deep(5000), TYPE)).toThrow('exceeded max depth');
  });
});
