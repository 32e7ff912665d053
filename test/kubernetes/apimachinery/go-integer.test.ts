import { parseGoInt, parseGoUint } from '../../../src/kubernetes/apimachinery/index.js';

test('unsigned integers of 64 and of 16 bits, in the words of Go', () => {
  expect(['0', '080', '18446744073709551615', `${'0'.repeat(30)}7`].map((text) => parseGoUint(text))).toEqual([
    0n,
    80n,
    18446744073709551615n,
    7n,
  ]);
  expect(parseGoUint('18446744073709551616')).toBe('strconv.ParseUint: parsing "18446744073709551616": value out of range');
  expect(['65535', '65536'].map((text) => parseGoUint(text, 16))).toEqual([
    65535n,
    'strconv.ParseUint: parsing "65536": value out of range',
  ]);
  for (const text of ['', '-1', '+1', '1_0', '0x1', ' 1', '1.0'])
    expect(parseGoUint(text)).toBe(`strconv.ParseUint: parsing "${text}": invalid syntax`);
});

test('signed integers, in the words of Go', () => {
  expect(['-0', '+5', '-9223372036854775808', '9223372036854775807'].map(parseGoInt)).toEqual([
    0n,
    5n,
    -9223372036854775808n,
    9223372036854775807n,
  ]);
  for (const text of ['9223372036854775808', '-9223372036854775809', '9'.repeat(100_000)])
    expect(parseGoInt(text)).toBe(`strconv.ParseInt: parsing "${text}": value out of range`);
  for (const text of ['', '-', '--1', '1e3', '\n'])
    expect(parseGoInt(text)).toBe(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
});
