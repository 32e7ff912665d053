import { compareUtf8, goFloat, goJson, goNumber, goQuote } from '../../../src/kubernetes/apimachinery/index.js';

/** Expected texts were printed by Go. */
test.each([
  [1e6, '1e+06'],
  [2147483647, '2.147483647e+09'],
  [1e21, '1e+21'],
  [0.0001, '0.0001'],
  [0.00001, '1e-05'],
  [123456.789, '123456.789'],
  [1.5e-7, '1.5e-07'],
  [5, '5'],
  [-0.1, '-0.1'],
])('the float64 %d prints as %s', (value, text) => {
  expect(goFloat(value)).toBe(text);
});

test('whole numbers print as int64', () => {
  expect(goNumber(2147483647)).toBe('2147483647');
  expect(goNumber(1.5)).toBe('1.5');
});

test('%q escapes what is not printable', () => {
  expect(goQuote('a\u00a0b\u200bé😀\x7f\u0001\u2028"\\\n')).toBe('"a\\u00a0b\\u200bé😀\\x7f\\x01\\u2028\\"\\\\\\n"');
});

test('JSON as encoding/json writes it: sorted keys, HTML escaped, structs in order', () => {
  expect(goJson({ b: [1, 'a<b>&\u2028'], a: null, é: 0.00001 })).toBe('{"a":null,"b":[1,"a\\u003cb\\u003e\\u0026\\u2028"],"é":0.00001}');
  expect(
    goJson(
      new Map([
        ['b', 1],
        ['a', 2],
      ]),
    ),
  ).toBe('{"b":1,"a":2}');
});

test('strings are ordered by code point, as UTF-8 bytes are', () => {
  expect(['\ue000', '😀', 'a', 'ab'].sort(compareUtf8)).toEqual(['a', 'ab', '\ue000', '😀']);
});
