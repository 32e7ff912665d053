import { compile } from '../../../../src/kubernetes/cel/index.js';

test('a map is written with its keys in order, whatever the order of its literal', () => {
  const result = compile(`"%s".format([{'b': 1, 'c': 2, 'a': 3}])`, { variables: {} });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  expect(result.program.evaluate({})).toBe('{"a":3, "b":1, "c":2}');
});
