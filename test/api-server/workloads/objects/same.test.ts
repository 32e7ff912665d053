import { canonicalJson, isSame } from '../../../../src/api-server/workloads/objects/index.js';

const FORMS: readonly unknown[] = [
  undefined,
  null,
  0,
  false,
  '',
  'a',
  '0',
  1,
  true,
  [],
  {},
  [null],
  [undefined],
  [{}],
  [[]],
  ['a'],
  ['a', null],
  ['a', 'b'],
  ['b', 'a'],
  { a: undefined },
  { a: null, b: [] },
  { a: { b: {} } },
  { a: 1 },
  { a: 1, b: undefined },
  { a: 1, b: { c: [] } },
  { b: 2, a: 1 },
  { a: 1, b: 2 },
  { a: [{ b: 1, c: {} }] },
  { a: [{ b: 1 }] },
  { a: [{ b: 1 }, {}] },
  { 0: 'a' },
  { toString: 1 },
];

test('content is the same exactly if its canonical text is', () => {
  for (const left of FORMS)
    for (const right of FORMS) {
      const said = `${JSON.stringify(left)} and ${JSON.stringify(right)}: `;
      expect(said + isSame(left, right)).toBe(said + (canonicalJson(left) === canonicalJson(right)));
    }
});
