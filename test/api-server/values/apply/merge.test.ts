import {
  compareTyped,
  customResourceType,
  type FieldSet,
  mergeValues,
  pathText,
  toFieldSet,
  UNTYPED_DEDUCED,
} from '../../../../src/api-server/values/apply/index.js';
import type { Json, StructuralSchema } from '../../../../src/kubernetes/apimachinery/index.js';

const text: StructuralSchema = { type: 'string' };
const pair: StructuralSchema = { type: 'object', properties: { a: text, b: text } };
const type = customResourceType({
  type: 'object',
  properties: {
    set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    list: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', properties: { name: text, value: text } },
    },
    atomic: { ...pair, 'x-kubernetes-map-type': 'atomic' },
    pair,
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
});
const items = (letters: string): string[] => [...letters];

test.each([
  ['nothing new: the live order stays', 'abc', 'ac', 'abc'],
  ['items of the live list alone stay in their places', 'abcd', 'bd', 'abcd'],
  ['shared items come in the order of the configuration', 'abc', 'ca', 'bca'],
  ['all turned round', 'abc', 'cba', 'cba'],
  ['a new item goes before the one it precedes', 'abc', 'xb', 'axbc'],
  ['and after the one it follows', 'abc', 'axc', 'abxc'],
  ['new items at the end', 'ab', 'xy', 'abxy'],
  ['nothing live', '', 'ba', 'ba'],
  ['nothing applied', 'ba', '', 'ba'],
  ['new and turned round', 'abcd', 'dxa', 'bcdxa'],
  ['an item that the live list has twice stays twice where nobody applies it', 'aab', 'bc', 'aabc'],
  ['and is one again when it is applied', 'aba', 'a', 'ab'],
])('order of lists: %s', (_, live, config, merged) => {
  expect(mergeValues(type, { set: items(live) }, { set: items(config) })).toEqual({ set: items(merged) });
});

test('items of one key are merged, those of a key that the live list has twice are replaced', () => {
  const live = {
    list: [
      { name: 'a', value: '1' },
      { name: 'b', value: '1' },
      { name: 'b', value: '2' },
    ],
  };
  expect(mergeValues(type, live, { list: [{ name: 'a' }, { name: 'b' }] })).toEqual({ list: [{ name: 'a', value: '1' }, { name: 'b' }] });
});

test.each<[string, Json, Json, Json]>([
  ['granular maps are merged', { pair: { a: '1' } }, { pair: { b: '1' } }, { pair: { a: '1', b: '1' } }],
  ['atomic ones replaced', { atomic: { a: '1' } }, { atomic: { b: '1' } }, { atomic: { b: '1' } }],
  [
    'lists without a schema are replaced, maps merged',
    { free: { l: [1], m: { a: 1 } } },
    { free: { l: [2], m: { b: 1 } } },
    { free: { l: [2], m: { a: 1, b: 1 } } },
  ],
  ['null stays null where nothing is', {}, { pair: null }, { pair: null }],
  ['and takes nothing away where something is', { pair: { a: '1' } }, { pair: null }, { pair: { a: '1' } }],
  ['empty replaces null', { pair: null }, { pair: {} }, { pair: {} }],
  [
    'a key that JavaScript knows otherwise',
    { free: {} },
    JSON.parse('{"free":{"__proto__":{"a":1},"constructor":1}}') as Json,
    JSON.parse('{"free":{"__proto__":{"a":1},"constructor":1}}') as Json,
  ],
])('values: %s', (_, live, config, merged) => {
  expect(JSON.stringify(mergeValues(type, live, config))).toBe(JSON.stringify(merged));
});

const texts = (set: FieldSet): string[] => set.paths().map(pathText);

test('the field set of a value: leaves, items, and what is empty', () => {
  const value = { set: ['x'], list: [{ name: 'a', value: '1' }], atomic: { a: '1' }, pair: {}, free: { x: { y: [1] }, z: null } };
  expect(new Set(texts(toFieldSet(type, value)))).toEqual(
    new Set([
      '.atomic',
      '.free.x',
      '.free.x.y',
      '.free.z',
      '.list[name="a"]',
      '.list[name="a"].name',
      '.list[name="a"].value',
      '.pair',
      '.set[="x"]',
    ]),
  );
});

test('of a value that changes its kind, the old is modified and the new added', () => {
  const { modified, added, removed } = compareTyped(UNTYPED_DEDUCED, { a: 1 }, { a: { b: 1 } });
  expect([modified, added, removed].map(texts)).toEqual([['.a'], ['.a.b'], []]);
});

test('items of one key are compared as a block while there are two of them', () => {
  const once = { set: ['a'] };
  const twice = { set: ['a', 'a'] };
  const compared = (old: Json, now: Json): string[][] => {
    const { modified, added, removed } = compareTyped(type, old, now);
    return [modified, added, removed].map(texts);
  };
  expect(compared(twice, twice)).toEqual([[], [], []]);
  expect(compared(twice, { set: ['a', 'a', 'a'] })).toEqual([['.set[="a"]'], [], []]);
  // What goes and comes as another form of itself is in both sets.
  expect(compared(once, twice)).toEqual([[], ['.set[="a"]'], ['.set[="a"]']]);
});
