import { type CelProgram, compile } from '../../../../src/kubernetes/cel/program/index.js';
import { BOOL, DYN, INT, listOf } from '../../../../src/kubernetes/cel/types/index.js';
import { CelEvaluationError, type CelValue, celError, listValue } from '../../../../src/kubernetes/cel/values/index.js';

function programOf(source: string): CelProgram {
  const result = compile(source, { variables: { n: INT, yes: BOOL, items: listOf(INT), any: DYN } });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.program;
}

const errorOf = (act: () => CelValue): CelEvaluationError => {
  try {
    act();
  } catch (error) {
    if (error instanceof CelEvaluationError) return error;
    throw error;
  }
  throw new Error('the evaluation succeeded');
};

test.each(['n / 0 == 1 || yes', 'yes || n / 0 == 1', '!(n / 0 == 1 && !yes)', 'items.exists(i, 10 / i == 10)'])(
  'an error does not win over an operand that decides: %s',
  (source) => {
    expect(programOf(source).evaluate({ n: 1n, yes: true, items: listValue([0n, 1n]) })).toBe(true);
  },
);

test('the branch that is not taken is not evaluated', () => {
  expect(programOf('yes ? n : n / 0').evaluate({ n: 3n, yes: true })).toBe(3n);
});

test('a program keeps nothing between evaluations, also after one that failed', () => {
  const program = programOf('items.map(i, 10 / i)[0]');
  expect(errorOf(() => program.evaluate({ items: listValue([0n]) })).message).toBe('division by zero');
  expect(program.evaluate({ items: listValue([5n]) })).toBe(2n);
});

test('a value that fails when it is read fails only an expression that reads it', () => {
  const bindings = { any: celError('invalid data'), n: 1n };
  expect(programOf('n == 1 || any == 2').evaluate(bindings)).toBe(true);
  expect(errorOf(() => programOf('any == 2').evaluate(bindings)).message).toBe('invalid data');
});

test('an evaluation that costs more than its limit is ended, and its cost is still reported', () => {
  const costs: number[] = [];
  const program = programOf('items.all(i, i >= 0)');
  const items = listValue(Array.from({ length: 1000 }, (_, index) => BigInt(index)));
  const onCost = (cost: number) => costs.push(cost);
  expect(errorOf(() => program.evaluate({ items }, { costLimit: 100, onCost })).budgetExceeded).toBe(true);
  expect(program.evaluate({ items }, { onCost })).toBe(true);
  expect(costs[0]).toBeLessThan(costs[1] ?? 0);
});

test('the variables of an expression are known before it runs', () => {
  const { references } = programOf('items.all(i, i > n)');
  expect(['items', 'n', 'any', 'yes'].filter((name) => references.has(name))).toEqual(['items', 'n']);
});
