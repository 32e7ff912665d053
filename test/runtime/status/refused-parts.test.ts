import { emptiedIn, hasEmpties, isRefused, patchOf } from '../../../src/runtime/status/emptied.js';

const part = (...path: string[]) => ({ path, patch: [] });

test('only what the API server has refused is emptied: the part itself or an element of it, not one whose name begins alike', () => {
  expect(isRefused(part('ships'), ['status.ships'])).toBe(true);
  expect(isRefused(part('ships'), ['spec', undefined, 'status.ships[0].crew'])).toBe(true);
  expect(isRefused(part('deep', 'ships'), ['status.deep.ships'])).toBe(true);
  expect(isRefused(part(), ['status'])).toBe(true);
  for (const other of ['status.shipsAtSea', 'status.ships2[0]', 'status.other[0]', 'spec.ships', 'status', undefined])
    expect([other, isRefused(part('ships'), [other])]).toEqual([other, false]);
  expect(isRefused(part('ships'), [])).toBe(false);
});

test('what is emptied is what became empty, and nothing that was empty, is not there, or is full', () => {
  const live = { gone: ['a'], stays: ['a'], empty: [], map: { a: 1 }, none: {}, deep: { list: ['a'] }, text: 'x' };
  const desired = { gone: [], stays: ['b'], empty: [], map: {}, none: {}, deep: { list: [] }, text: '', added: [], addedMap: {} };
  expect(emptiedIn(live, desired, undefined)).toEqual([
    { path: ['gone'], patch: [] },
    { path: ['map'], patch: { a: null } },
    { path: ['deep', 'list'], patch: [] },
  ]);
  expect(emptiedIn(undefined, desired, undefined)).toEqual([]);
  expect(emptiedIn(live, undefined, undefined)).toEqual([]);
  expect(emptiedIn({ a: 1, b: 2 }, {}, undefined)).toEqual([{ path: [], patch: { a: null, b: null } }]);
});

test('parts go into one patch, each at its place; the status itself is the whole patch', () => {
  expect(
    patchOf([
      { path: ['a'], patch: [] },
      { path: ['deep', 'b'], patch: { x: null } },
      { path: ['deep', 'c'], patch: [] },
    ]),
  ).toEqual({ a: [], deep: { b: { x: null }, c: [] } });
  expect(patchOf([{ path: [], patch: { a: null } }])).toEqual({ a: null });
  expect(patchOf([])).toEqual({});
});

test('a status has what is empty in the desired one only if it is there, at any depth, and elements are found by their keys', () => {
  const schema = {
    properties: { ships: { 'x-kubernetes-list-type': 'map' as const, 'x-kubernetes-list-map-keys': ['name'] } },
  } as never;
  const has = (status: unknown, desired: unknown): boolean => hasEmpties(status, desired, schema);
  expect([has({ a: [] }, { a: [] }), has({ a: ['x'] }, { a: [] }), has({}, { a: [] }), has({ a: null }, { a: [] })]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([
    has({ a: {} }, { a: {} }),
    has({}, { a: {} }),
    has({ d: {} }, { d: { a: [] } }),
    has({ d: { a: [] } }, { d: { a: [] } }),
  ]).toEqual([true, false, false, true]);
  const desired = {
    ships: [
      { name: 'a', crew: [] },
      { name: 'b', crew: [] },
    ],
  };
  expect(
    has(
      {
        ships: [
          { name: 'b', crew: [] },
          { name: 'a', crew: [] },
        ],
      },
      desired,
    ),
  ).toBe(true);
  expect(has({ ships: [{ name: 'b' }, { name: 'a', crew: [] }] }, desired)).toBe(false);
  // One that is not there was taken away by somebody else: a second apply would not bring it back.
  expect(has({ ships: [{ name: 'a', crew: [] }] }, desired)).toBe(true);
});
