import { excessFactor } from '../../../../src/kubernetes/cel/index.js';

test.each([
  [10_000_001n, '1.000000x'],
  [10_000_015n, '1.000001x'],
  [13_600_000n, '1.360000x'],
  [14_999_999n, '1.500000x'],
  [15_000_000n, '1.5x'],
  [22_500_000n, '2.2x'],
  [27_500_000n, '2.8x'],
  [29_400_000n, '2.9x'],
  // Halves go to the even digit, as Go prints them.
  [10_078_125n, '1.007812x'],
  [1_000_000_000n, '100.0x'],
  [1_000_000_100n, 'more than 100x'],
  [2n ** 64n - 1n, 'more than 100x'],
])('a cost of %s is %s as much as is allowed', (cost, factor) => {
  expect(excessFactor(cost, 10_000_000n)).toBe(factor);
});
