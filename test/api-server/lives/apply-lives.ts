import { type Life, life, objectRequests } from './life.js';

const GROUP = 'types.example.com';
const definition = objectRequests({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  name: `things.${GROUP}`,
  isClusterWide: true,
});
const thing = (name: string): ReturnType<typeof objectRequests> =>
  objectRequests({ apiVersion: `${GROUP}/v1`, kind: 'Thing', plural: 'things', name });

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const port = {
  type: 'object',
  required: ['port'],
  properties: {
    port: { type: 'integer' },
    protocol: { ...text, default: 'TCP' },
    name: text,
    tags: { ...texts, 'x-kubernetes-list-type': 'set' },
  },
};
const item = { type: 'object', required: ['key'], properties: { key: text, value: text } };

/** One field for each way in which apply merges. */
const spec = {
  type: 'object',
  properties: {
    scalar: text,
    set: { ...texts, 'x-kubernetes-list-type': 'set' },
    numbers: { type: 'array', items: { type: 'integer' }, 'x-kubernetes-list-type': 'set' },
    atomicList: { ...texts, 'x-kubernetes-list-type': 'atomic' },
    plainList: texts,
    items: { type: 'array', items: item, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['key'] },
    ports: { type: 'array', items: port, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['port', 'protocol'] },
    granular: { type: 'object', additionalProperties: text },
    atomicMap: { type: 'object', additionalProperties: text, 'x-kubernetes-map-type': 'atomic' },
    atomicStruct: { type: 'object', properties: { a: text, b: text }, 'x-kubernetes-map-type': 'atomic' },
    struct: { type: 'object', properties: { a: text, inner: { type: 'object', properties: { b: text, c: text } } } },
    open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    nested: { type: 'object', additionalProperties: { type: 'object', additionalProperties: text } },
  },
};

const install = [
  definition.create({
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { kind: 'Thing', plural: 'things' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } }],
    },
  }),
  { ...definition.get(), until: '"type":"Established","status":"True"' },
  { ...thing('none').get(), until: '"things.types.example.com \\"none\\" not found"' },
];

type Spec = Readonly<Record<string, unknown>>;

/** Two managers apply in turn: by the manager's first letter, `!` to force, `-` for an update instead. */
function turns(title: string, ...list: readonly (readonly [string, Spec])[]): Life {
  const requests = thing(title.replaceAll(/[^a-z]+/g, '-'));
  return life(
    `apply: ${title}`,
    ...list.map(([who, values]) => {
      if (who === '-') return requests.merge({ spec: values });
      return requests.apply(who.startsWith('b') ? 'bob' : 'ann', { spec: values }, { force: who.endsWith('!') });
    }),
    requests.get(),
    requests.delete(),
  );
}

/** Server-side apply by two managers, over each kind of list, map and scalar. */
export const applyLives: readonly Life[] = [
  life('apply: the definition', ...install),
  turns('a scalar of one', ['a', { scalar: '1' }], ['a', { scalar: '2' }], ['a', {}]),
  turns(
    'a scalar of two',
    ['a', { scalar: '1' }],
    ['b', { scalar: '1' }],
    ['a', { scalar: '2' }],
    ['a!', { scalar: '2' }],
    ['b', {}],
    ['a', {}],
  ),
  turns(
    'a scalar of an update',
    ['-', { scalar: '1' }],
    ['a', { scalar: '1' }],
    ['-', { scalar: '2' }],
    ['a', { scalar: '1' }],
    ['a!', { scalar: '1' }],
  ),
  turns('a set', ['a', { set: ['a', 'b'] }], ['b', { set: ['b', 'c'] }], ['a', { set: ['a'] }], ['b', { set: ['d', 'b', 'c'] }], ['a', {}]),
  turns('a set in another order', ['a', { set: ['c', 'a', 'b'] }], ['b', { set: ['a', 'd'] }], ['a', { set: ['b', 'c', 'a', 'e'] }]),
  turns('a set with an item twice', ['a', { set: ['a', 'a'] }], ['-', { set: ['a', 'b', 'a'] }], ['a', { set: ['b'] }]),
  turns('a set of numbers', ['a', { numbers: [1, 2] }], ['b', { numbers: [3, 1] }], ['a', { numbers: [2] }]),
  turns('an empty set', ['a', { set: [] }], ['b', { set: ['a'] }], ['a', { set: [] }], ['b', {}]),
  turns('an atomic list', ['a', { atomicList: ['a'] }], ['b', { atomicList: ['b'] }], ['b!', { atomicList: ['b'] }], ['a', {}], ['b', {}]),
  turns('a list of no type', ['a', { plainList: ['a'] }], ['b', { plainList: ['a', 'b'] }], ['b', { plainList: ['a'] }]),
  turns(
    'a list by a key',
    ['a', { items: [{ key: 'x', value: '1' }, { key: 'y' }] }],
    ['b', { items: [{ key: 'z', value: '1' }, { key: 'x' }] }],
    ['b', { items: [{ key: 'x', value: '2' }] }],
    ['b!', { items: [{ key: 'x', value: '2' }] }],
    ['a', { items: [{ key: 'y', value: '3' }] }],
    ['b', {}],
  ),
  turns(
    'a list by a key, with an item twice',
    ['a', { items: [{ key: 'x' }, { key: 'x' }] }],
    ['-', { items: [{ key: 'x' }, { key: 'x' }] }],
  ),
  turns('a list by a key, without it', ['a', { items: [{ value: '1' }] }]),
  turns(
    'a list by two keys, of which one has a default',
    ['a', { ports: [{ port: 80 }, { port: 80, protocol: 'UDP' }] }],
    ['b', { ports: [{ port: 80, protocol: 'TCP', name: 'web' }] }],
    ['a', { ports: [{ port: 80, name: 'other' }] }],
    ['a', { ports: [{ port: 80, tags: ['a'] }] }],
    ['b', { ports: [{ port: 80, tags: ['b'] }] }],
    ['a', {}],
  ),
  turns(
    'a granular map',
    ['a', { granular: { a: '1', b: '1' } }],
    ['b', { granular: { b: '2' } }],
    ['b', { granular: { c: '1' } }],
    ['a', { granular: { a: '2' } }],
    ['a', {}],
  ),
  turns('an atomic map', ['a', { atomicMap: { a: '1' } }], ['b', { atomicMap: { b: '1' } }], ['b!', { atomicMap: { b: '1' } }], ['a', {}]),
  turns('an atomic struct', ['a', { atomicStruct: { a: '1' } }], ['b', { atomicStruct: { b: '1' } }], ['b!', { atomicStruct: { b: '1' } }]),
  turns(
    'a struct in a struct',
    ['a', { struct: { a: '1', inner: { b: '1' } } }],
    ['b', { struct: { inner: { c: '1' } } }],
    ['b', { struct: { inner: { b: '2', c: '1' } } }],
    ['a', { struct: { a: '1' } }],
    ['b', { struct: {} }],
  ),
  turns('a struct that becomes null', ['a', { struct: { a: '1' } }], ['b', { struct: null }], ['a', { struct: null }], ['a', {}]),
  turns(
    'fields that no schema knows',
    ['a', { open: { list: [1, 2], map: { a: 1 }, scalar: 1 } }],
    ['b', { open: { list: [1, 2], map: { b: 1 } } }],
    ['b', { open: { list: [3] } }],
    ['b', { open: { map: { a: 'text' } } }],
    ['a', { open: {} }],
  ),
  turns(
    'maps in a map',
    ['a', { nested: { x: { a: '1' }, y: {} } }],
    ['b', { nested: { x: { b: '1' } } }],
    ['a', { nested: {} }],
    ['b', { nested: { x: {} } }],
  ),
  turns('what is not of its type', ['a', { set: 'text' }], ['a', { scalar: 1 }], ['a', { items: [1] }], ['a', { granular: { a: 1 } }]),
  turns(
    'what an update takes away',
    ['a', { scalar: '1', set: ['a', 'b'] }],
    ['-', { set: ['b'] }],
    ['a', { scalar: '1', set: ['a', 'b'] }],
    ['-', { scalar: null }],
    ['a', { set: ['b'] }],
  ),
  life('apply: the end of the definition', definition.delete()),
];
