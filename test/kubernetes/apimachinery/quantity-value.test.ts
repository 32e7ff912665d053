import fc from 'fast-check';
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  parseQuantity,
  type Quantity,
  quantityAmount,
  quantityText,
  roundUpQuantity,
  subtractQuantities,
} from '../../../src/kubernetes/apimachinery/index.js';
import { workOf } from '../../work/work-of.js';

function quantity(text: string): Quantity {
  const parsed = parseQuantity(text);
  if (typeof parsed === 'string') throw new Error(`${text}: ${parsed}`);
  return parsed;
}

/** What apimachinery 0.34 made of the same texts. */
describe('canonical quantities', () => {
  test.each([
    ['0', '0'],
    ['00', '0'],
    ['+', '0'],
    ['-0', '0'],
    ['0Ki', '0'],
    ['1000', '1k'],
    ['1000m', '1'],
    ['1500m', '1500m'],
    ['0.5', '500m'],
    ['.5', '500m'],
    ['1.500', '1.500'],
    ['+1', '+1'],
    ['001', '001'],
    ['1024Ki', '1Mi'],
    ['8Ki', '8Ki'],
    ['1.5Gi', '1536Mi'],
    ['0.5Ki', '512'],
    ['0.1Ki', '102400m'],
    ['1.00000000001Ki', '1024000000011n'],
    ['100000000000000000000Ei', '9223372036854775807'],
    ['0.0000000001', '1n'],
    ['-0.0000000001', '-1n'],
    ['1e3', '1e3'],
    ['1000e3', '1e6'],
    ['1E4', '10e3'],
    ['1e-3', '1e-3'],
    ['1e2000000000', '100e1999999998'],
    ['1000000E', '1'],
  ])('%s is written %s', (text, written) => {
    expect(canonicalQuantity(text)).toEqual({ text: written });
  });

  test.each([
    ['', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    ['1x', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    ['1.2.3', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    ['1kk', "unable to parse quantity's suffix"],
    ['1e', "unable to parse quantity's suffix"],
    ['.e-20', 'unable to parse numeric part of quantity'],
  ])('%s is refused', (text, problem) => {
    expect(canonicalQuantity(text)).toEqual({ problem });
  });

  test('a long text is read in time in proportion to it', () => {
    const work = workOf(() => expect(canonicalQuantity(`${'0'.repeat(1_000_000)}x`)).toHaveProperty('problem'));
    expect(work).toBeLessThan(1000);
  });
});

describe('arithmetic', () => {
  test.each([
    ['1Gi', '512Mi', '1536Mi', '512Mi'],
    ['100m', '1', '1100m', '-900m'],
    ['0', '1Ki', '1Ki', '-1Ki'],
    ['1Gi', '1n', '1073741824000000001n', '1073741823999999999n'],
    ['9223372036854775807', '1', '9223372036854775808', '9223372036854775806'],
  ])('%s and %s', (left, right, sum, difference) => {
    expect(quantityText(addQuantities(quantity(left), quantity(right)))).toBe(sum);
    expect(quantityText(subtractQuantities(quantity(left), quantity(right)))).toBe(difference);
  });

  test('amounts are rounded away from zero', () => {
    expect(quantityAmount(quantity('1500m'))).toBe(2n);
    expect(quantityAmount(quantity('-1500m'))).toBe(-2n);
    expect(quantityAmount(quantity('1500m'), -3)).toBe(1500n);
    expect(quantityText(roundUpQuantity(quantity('1.0001'), -3))).toBe('1001m');
    expect(quantityText(roundUpQuantity(quantity('+1'), -3))).toBe('+1');
  });

  test('numbers that nobody could write out are compared and added', () => {
    const huge = quantity('1e2000000000');
    expect(compareQuantities(huge, quantity('1'))).toBeGreaterThan(0);
    expect(compareQuantities(quantity('-1e2000000000'), quantity('1'))).toBeLessThan(0);
    expect(quantityText(addQuantities(quantity('1Ki'), huge))).toBe('100');
  });

  const anyQuantity = fc
    .tuple(fc.bigInt({ min: -(10n ** 22n), max: 10n ** 22n }), fc.constantFrom('', 'm', 'n', 'k', 'G', 'Ki', 'Gi', 'e3', 'e-6'))
    .map(([number, suffix]) => quantity(`${number}${suffix}`));

  test('subtraction undoes addition, and order agrees with it', () => {
    fc.assert(
      fc.property(anyQuantity, anyQuantity, (left, right) => {
        const back = subtractQuantities(addQuantities(left, right), right);
        expect(compareQuantities(back, left)).toBe(0);
        expect(Math.sign(compareQuantities(left, right))).toBe(
          Math.sign(compareQuantities(subtractQuantities(left, right), quantity('0'))),
        );
      }),
    );
  });

  /** The server writes multiples of 10^21 without a suffix: such text does not read as what it was. */
  const isBeyondExa = ({ format, unscaled, exponent }: Quantity): boolean =>
    format === 'DecimalSI' && unscaled !== 0n && unscaled % 10n ** BigInt(Math.max(21 - exponent, 0)) === 0n;

  test('multiples of 10^21 lose their suffix, as on the server', () => {
    expect(quantityText(quantity('5000000000000000000000'))).toBe('5');
  });

  test('what is written reads as the same amount, and is written the same again', () => {
    fc.assert(
      fc.property(anyQuantity, (value) => {
        fc.pre(!isBeyondExa(value));
        const text = quantityText(value);
        expect(compareQuantities(quantity(text), value)).toBe(0);
        expect(canonicalQuantity(text)).toEqual({ text });
      }),
    );
  });
});
