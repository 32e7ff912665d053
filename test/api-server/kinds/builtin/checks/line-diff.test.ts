import { jsonDiff } from '../../../../../src/api-server/kinds/builtin/checks/index.js';

/** The expected texts are those of Python's `difflib.unified_diff`. */
const numbers = (changes: Readonly<Record<number, unknown>> = {}): readonly unknown[] =>
  Array.from({ length: 20 }, (_, index) => (index in changes ? changes[index] : index));

test('values that are equal have no difference, in whatever order their members stand', () => {
  expect(jsonDiff({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe('');
});

test('changes that are far from each other stand apart, each with three lines around it', () => {
  const lines = ['@@ -1,7 +1,7 @@', ' [', '  0,', '  1,', '- 2,', '+ "x",', '  3,', '  4,', '  5,'];
  const others = ['@@ -14,7 +14,7 @@', '  12,', '  13,', '  14,', '- 15,', '+ null,', '  16,', '  17,', '  18,', ''];
  expect(jsonDiff(numbers(), numbers({ 2: 'x', 15: null }))).toBe([...lines, ...others].join('\n'));
});

test('changes of which the lines around them touch stand together', () => {
  const lines = ['@@ -1,13 +1,13 @@', ' [', '  0,', '  1,', '- 2,', '+ "x",', '  3,', '  4,', '  5,', '  6,', '  7,'];
  const others = ['- 8,', '+ null,', '  9,', '  10,', '  11,', ''];
  expect(jsonDiff(numbers(), numbers({ 2: 'x', 8: null }))).toBe([...lines, ...others].join('\n'));
});

test('in a long text a line that stands everywhere is not taken for the same line elsewhere', () => {
  const zeros = new Array<number>(210).fill(0);
  const text = jsonDiff([...zeros, 1], [1, ...zeros]);
  expect(text).toContain('@@ -1,213 +1,213 @@\n [\n- 0,\n');
  expect(text.split('\n')).toHaveLength(1 + 2 + 2 * 211 + 1);
});
