import { check, checkLiterals } from '../../../../src/kubernetes/cel/check/index.js';
import { parse } from '../../../../src/kubernetes/cel/syntax/index.js';
import { type CelType, DYN, formatType, INT, listOf, mapOf, STRING } from '../../../../src/kubernetes/cel/types/index.js';

const variables = new Map<string, CelType>([
  ['count', INT],
  ['names', listOf(STRING)],
  ['labels', mapOf(STRING, INT)],
  ['anything', DYN],
  ['a.b', INT],
]);

function checkedOf(source: string) {
  const parsed = parse(source, { lists: true, backticks: true });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const checked = check(source, parsed.expr, { variables, libraries: 'new' });
  return { checked, expr: parsed.expr, type: formatType(checked.types.get(parsed.expr) ?? DYN) };
}

const problemsOf = (source: string) => checkedOf(source).checked.problems.map(({ message, line, column }) => ({ message, line, column }));

test.each([
  ['names.map(n, size(n))', 'list(int)'],
  ['names.filter(n, n != "")', 'list(string)'],
  ['names.map(n, [n])', 'list(list(string))'],
  ['[] + names', 'list(string)'],
  ['{"a": count}', 'map(string, int)'],
  ['anything.some.field', 'dyn'],
  ['count > 0 ? names[0] : "none"', 'string'],
  ['labels[?"a"].orValue(3)', 'int'],
])('the type of %s is inferred as %s', (source, type) => {
  expect(checkedOf(source)).toMatchObject({ checked: { problems: [] }, type });
});

test('a problem stands at the place of its part, and one part does not hide the next', () => {
  expect(problemsOf('count + "a" > 0\n&& missing')).toEqual([
    { message: "found no matching overload for '_+_' applied to '(int, string)'", line: 1, column: 7 },
    { message: "undeclared reference to 'missing' (in container '')", line: 2, column: 4 },
  ]);
});

test('a variable of a macro hides the global of its name, and ends with the macro', () => {
  expect(checkedOf('names.all(count, count.startsWith("a"))').checked.problems).toEqual([]);
  expect(problemsOf('names.all(n, n != "") && n != ""')).toHaveLength(1);
});

test('a variable of a macro hides a qualified global that starts with it, unless a dot stands in front', () => {
  expect(checkedOf('a.b').type).toBe('int');
  expect(checkedOf('[{"b": "x"}].map(a, a.b)').type).toBe('list(string)');
  expect(checkedOf('[{"b": "x"}].map(a, .a.b)').type).toBe('list(int)');
});

test('what does not repeat cannot be the range of a macro', () => {
  expect(problemsOf('count.all(n, true)')).toMatchObject([
    { message: "expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)" },
  ]);
});

test('a pattern that can never compile is refused before the expression runs', () => {
  const source = 'names.all(n, n.matches("("))';
  const { checked, expr } = checkedOf(source);
  expect(checked.problems).toEqual([]);
  expect(checkLiterals(source, expr, checked)).toHaveLength(1);
});
