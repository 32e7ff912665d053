import fc from 'fast-check';
import { compareResourceVersions } from '../../../src/kubernetes/apimachinery/index.js';

test('H8 resource versions are ordered by all of their digits', () => {
  expect(compareResourceVersions('9007199254740993', '9007199254740992')).toBeGreaterThan(0);
  expect(compareResourceVersions('9223372036854775806', '9223372036854775807')).toBeLessThan(0);
  expect(compareResourceVersions('99', '100')).toBeLessThan(0);
  expect(compareResourceVersions('7', '7')).toBe(0);
});

test('H8 they are ordered as the integers that they are', () => {
  const version = fc.bigInt({ min: 0n, max: 2n ** 64n });
  fc.assert(
    fc.property(version, version, (left, right) => {
      expect(Math.sign(compareResourceVersions(String(left), String(right)) ?? Number.NaN)).toBe(left < right ? -1 : left > right ? 1 : 0);
    }),
  );
});

test.each([
  ['a', 'b'],
  ['01', '1'],
  ['', '1'],
  ['1.5', '2'],
  ['-1', '1'],
])('H8 of %j and %j only equality is known', (left, right) => {
  expect(compareResourceVersions(left, right)).toBeUndefined();
  expect(compareResourceVersions(left, left)).toBe(0);
});
