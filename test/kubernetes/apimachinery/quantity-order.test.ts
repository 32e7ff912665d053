import { compareQuantityTexts } from '../../../src/kubernetes/apimachinery/index.js';

test.each<[string | number, string | number, number]>([
  ['1Gi', '1024Mi', 0],
  ['2Gi', '2G', 1],
  ['100m', '0.2', -1],
  [1, '1000m', 0],
])('%s and %s', (left, right, order) => {
  expect(Math.sign(compareQuantityTexts(left, right))).toBe(order);
  expect(Math.sign(compareQuantityTexts(right, left))).toBe(-order || 0);
});

test('a text that is no quantity is refused by name', () => {
  expect(() => compareQuantityTexts('1Gi', 'much')).toThrow('"much" is not a quantity such as 500m or 2Gi');
});
