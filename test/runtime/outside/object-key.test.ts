import { objectKeyOf } from '../../../src/runtime/outside/index.js';

test.each([
  ['shop/a', { namespace: 'shop', name: 'a' }],
  [
    { namespace: 'shop', name: 'a', uid: 'u' },
    { namespace: 'shop', name: 'a' },
  ],
  ['a', undefined],
  ['', undefined],
  ['/a', undefined],
  ['shop/', undefined],
  ['shop/a/b', undefined],
  [{ name: 'a' }, undefined],
  [{ namespace: '', name: 'a' }, undefined],
  [{ namespace: 'shop' }, undefined],
  [{ namespace: 7, name: 'a' }, undefined],
  [{ namespace: 'shop', name: 7 }, undefined],
  [undefined, undefined],
  [null, undefined],
  [7, undefined],
])('%j names of a namespaced kind: %j', (key, expected) => {
  expect(objectKeyOf(key, 'Namespaced')).toEqual(expected);
});

test.each([
  ['a', { name: 'a' }],
  ['shop/a', { name: 'a' }],
  ['shop/a/b', undefined],
  ['', undefined],
  [{ name: 'a' }, { name: 'a' }],
  [{ namespace: 'shop', name: 'a' }, { name: 'a' }],
  [{}, undefined],
  [null, undefined],
])('%j names of a kind of the cluster: %j', (key, expected) => {
  expect(objectKeyOf(key, 'Cluster')).toEqual(expected);
});
