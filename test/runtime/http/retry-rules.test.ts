import fc from 'fast-check';
import { fullJitter, retryAfterMs, warningTexts } from '../../../src/runtime/http/index.js';

test.each([
  ['0', 0],
  ['7', 7_000],
  [' 7 ', 7_000],
  ['Tue, 01 Jan 2030 00:00:05 GMT', 5_000],
  ['Mon, 31 Dec 2029 00:00:00 GMT', 0],
  ['', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['99999999999999999999', undefined],
  [undefined, undefined],
])('Retry-After %j is %j', (header, expected) => {
  expect(retryAfterMs(header, Date.UTC(2030, 0, 1))).toBe(expected);
});

test('a pause is never beyond its bounds, and their upper end is reached', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (attempt, chance) => {
      const pause = fullJitter({ baseMs: 100, maxMs: 5_000 }, attempt, () => chance);
      expect(pause).toBeGreaterThanOrEqual(0);
      expect(pause).toBeLessThanOrEqual(Math.min(5_000, 100 * 2 ** (attempt - 1)));
    }),
  );
  expect(fullJitter({ baseMs: 100, maxMs: 5_000 }, 3, () => 1)).toBe(400);
});

test('whatever a warning header holds is read without a failure', () => {
  fc.assert(fc.property(fc.array(fc.string()), (values) => Array.isArray(warningTexts(values.flatMap((value) => ['Warning', value])))));
  expect(warningTexts(['Warning', '199 - "other code"', 'warning', '299 - "x"'])).toEqual(['x']);
});
