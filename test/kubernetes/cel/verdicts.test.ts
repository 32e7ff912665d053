import type { ValidationRule } from '../../../src/kubernetes/apimachinery/index.js';
import { compileRule } from '../../../src/kubernetes/cel/index.js';
import { judgedExpressions, judgedObject, judgedSchema, knownDifferences, recordedVerdicts, type Verdict } from './judged-expressions.js';

/** The recorded words of a real API server (test/cluster/cel.cluster.test.ts records and rechecks them). */
const recorded = recordedVerdicts();

function verdictOf(expression: string): Verdict {
  const rule: ValidationRule = expression.includes('\n') ? { rule: expression, message: 'rule of several lines' } : { rule: expression };
  const result = compileRule(rule, judgedSchema, { isResourceRoot: true });
  if (!result.ok) return { compile: result.problems.map((problem) => problem.detail).join('\n') };
  const failure = result.compiled.check(judgedObject);
  return failure === undefined ? {} : { evaluate: failure.message };
}

test('the record holds every expression that is not known to differ', () => {
  expect(judgedExpressions.filter((expression) => recorded[expression] === undefined && !knownDifferences.has(expression))).toEqual([]);
});

test.each(Object.keys(recorded))('%s', (expression) => {
  const { compile, evaluate } = verdictOf(expression);
  const { dear, ...verdict } = recorded[expression] as Verdict;
  expect({ ...(compile !== undefined && { compile }), ...(evaluate !== undefined && dear !== true && { evaluate }) }).toEqual(verdict);
});
