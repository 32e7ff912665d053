import { compileGoPattern } from '../../src/kubernetes/re2/index.js';

test('a pattern matches anywhere in a text, as MatchString of Go does', () => {
  const pattern = compileGoPattern('b+');
  expect(['abbc', 'b', 'ac', ''].map((text) => pattern.test(text))).toEqual([true, true, false, false]);
});

test('matches come from left to right, and do not overlap', () => {
  expect([...compileGoPattern('a.').matches('abacad')]).toEqual(['ab', 'ac', 'ad']);
});

test.each(['(?=a)', 'a(?!b)', '(a)\\1', '['])('%s, which RE2 cannot read, is refused', (pattern) => {
  expect(() => compileGoPattern(pattern)).toThrow(Error);
});

test('after many patterns from data the first ones still compile to the same', () => {
  const first = compileGoPattern('x{2}');
  for (let length = 1; length <= 600; length += 1) compileGoPattern(`y{${length % 500}}z${length}`);
  expect([first.test('xx'), compileGoPattern('x{2}').test('xx'), compileGoPattern('x{2}').test('x')]).toEqual([true, true, false]);
});
