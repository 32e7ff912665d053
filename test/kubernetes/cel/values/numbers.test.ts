import {
  addQuantities,
  type CelValue,
  compareQuantities,
  compareSemver,
  formatDouble,
  isError,
  OPERATORS,
  parseQuantity,
  parseSemver,
  type Quantity,
  type Semver,
} from '../../../../src/kubernetes/cel/values/index.js';

const MAX_INT = 2n ** 63n - 1n;

test.each<[string, readonly CelValue[], string]>([
  ['_+_', [MAX_INT, 1n], 'integer overflow'],
  ['-_', [-MAX_INT - 1n], 'integer overflow'],
  ['_/_', [1n, 0n], 'division by zero'],
  ['_%_', [1n, 0n], 'modulus by zero'],
  ['_+_', [1n, 1.5], 'no such overload'],
  ['_<_', [1, Number.NaN], 'NaN values cannot be ordered'],
])('%s of %p fails instead of wrapping around or changing the type', (name, args, message) => {
  const value = OPERATORS[name]?.(args) as CelValue;
  expect(isError(value) ? value.message : value).toBe(message);
});

test('an int and a double are compared exactly above 2^53', () => {
  expect(OPERATORS['_==_']?.([2n ** 53n + 1n, 2 ** 53])).toBe(false);
  expect(OPERATORS['_>_']?.([2n ** 53n + 1n, 2 ** 53])).toBe(true);
});

test('text is ordered by code points and not by UTF-16 units', () => {
  expect(OPERATORS['_<_']?.(['\uffff', '\u{10000}'])).toBe(true);
});

test.each([
  ['1Ki', '1024', 0],
  ['0.1', '100m', 0],
  ['1.5Gi', '1536Mi', 0],
  ['1e3', '1001', -1],
  ['0.1n', '1n', 0], // rounded away from zero, so that nobody is granted less than was asked
])('the quantity %s against %s is %d', (a, b, expected) => {
  expect(compareQuantities(parseQuantity(a) as Quantity, parseQuantity(b) as Quantity)).toBe(expected);
});

test('a sum of quantities stays within int64', () => {
  const largest = parseQuantity(String(MAX_INT)) as Quantity;
  expect(addQuantities(largest, largest, 1n).int).toBe(MAX_INT);
});

test.each([
  ['1.2.3-alpha', '1.2.3', -1],
  ['1.2.3-2', '1.2.3-10', -1],
  ['1.2.3-10', '1.2.3-alpha', -1],
  ['1.10.0', '1.9.0', 1],
  ['1.2.3+a', '1.2.3+b', 0],
])('the version %s against %s is %d', (a, b, expected) => {
  expect(compareSemver(parseSemver(a, false) as Semver, parseSemver(b, false) as Semver)).toBe(expected);
});

test('a short version is accepted only if it may be normalized', () => {
  expect(parseSemver('v1.02', false)).toBe('No Major.Minor.Patch elements found');
  expect(parseSemver('v1.02', true)).toMatchObject({ numbers: [1n, 2n, 0n] });
});

test.each([
  [1e-5, '1e-05'],
  [0.0001, '0.0001'],
  [1_000_000, '1e+06'],
  [999_999, '999999'],
  [-0, '-0'],
  [Number.NEGATIVE_INFINITY, '-Inf'],
])('the double %p is written as Go writes it', (value, text) => {
  expect(formatDouble(value)).toBe(text);
});
