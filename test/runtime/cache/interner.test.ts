import fc from 'fast-check';
import { Interner } from '../../../src/runtime/cache/interner.js';

test('what is shared is equal to what came', () => {
  const interner = new Interner();
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.constantFrom('a', 'b', 'c', 'metadata', 'labels'), fc.jsonValue()), { maxLength: 8 }),
      (objects) => {
        // Twice, so that most of it is found.
        for (const one of [...objects, ...objects]) expect(interner.share(structuredClone(one))).toEqual(one);
      },
    ),
    { numRuns: 300 },
  );
});

test('equal parts are one; objects and their metadata stay their own', () => {
  const interner = new Interner();
  const make = (uid: string) => ({ metadata: { uid, labels: { application: 'a' } }, spec: { list: [1, { deep: ['x', null, true] }] } });
  const [one, two] = [interner.share(make('1')), interner.share(make('2'))];
  expect(one.spec).toBe(two.spec);
  expect(one.metadata.labels).toBe(two.metadata.labels);
  expect(one.metadata).not.toBe(two.metadata);
});

test.each([
  [{ a: 1 }, { b: 1 }],
  [{ a: 1 }, { a: 1, b: 1 }],
  [{ a: [] }, { a: {} }],
  [{ a: [1] }, { a: { 0: 1 } }],
  [{ a: 1.25 }, { a: 1.5 }],
  [{ a: '1' }, { a: 1 }],
  [{ a: null }, { a: false }],
  [{ a: 'x'.repeat(600) }, { a: `${'x'.repeat(599)}y` }],
  [JSON.parse('{"__proto__":{"a":1}}'), {}],
])('%j and %j are not confused', (left: object, right: object) => {
  const interner = new Interner();
  for (const spec of [left, right, left])
    expect(JSON.stringify(interner.share({ spec: structuredClone(spec) }))).toBe(JSON.stringify({ spec }));
});
