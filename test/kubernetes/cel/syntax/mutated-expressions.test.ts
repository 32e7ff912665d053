import fc from 'fast-check';
import type { Json } from '../../../../src/kubernetes/apimachinery/index.js';
import { compilePolicy, compileRule } from '../../../../src/kubernetes/cel/index.js';
import { workOf } from '../../../work/work-of.js';
import { judgedExpressions, judgedObject, judgedSchema } from '../judged-expressions.js';
import { judgedUpdate, policyExpressions, policyVariables } from '../judged-policies.js';

const real = [...judgedExpressions, ...policyExpressions];
/** Tokens as a reader sees them: words, numbers, quoted texts, and each sign alone. */
const tokensOf = (source: string): string[] => source.match(/\s+|\w+|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[\s\S]/gu) ?? [];
const pieces = [...new Set(real.flatMap(tokensOf))];
const extremes = [
  '9223372036854775807',
  '-9223372036854775808',
  '18446744073709551615u',
  '1e308',
  '5e-324',
  '0',
  '-1',
  "'\\U0010FFFF'",
  "''",
  "'%.99f'",
  '"""',
  '[[[[',
  '.map(x, x',
  '.all(x, ',
  '++',
  '&&',
  'null',
];

type Mutation = (tokens: readonly string[]) => readonly string[];
const place = fc.nat(1000);
const at = (tokens: readonly string[], index: number): number => (tokens.length === 0 ? 0 : index % tokens.length);
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  place.map(
    (index): Mutation =>
      (tokens) =>
        tokens.toSpliced(at(tokens, index), 1),
  ),
  fc.tuple(place, fc.constantFrom(...pieces, ...extremes)).map(
    ([index, piece]): Mutation =>
      (tokens) =>
        tokens.toSpliced(at(tokens, index), 1, piece),
  ),
  fc.tuple(place, fc.constantFrom(...pieces, ...extremes)).map(
    ([index, piece]): Mutation =>
      (tokens) =>
        tokens.toSpliced(at(tokens, index), 0, piece),
  ),
  fc.tuple(place, place).map(
    ([from, to]): Mutation =>
      (tokens) =>
        tokens.toSpliced(at(tokens, to), 0, tokens[at(tokens, from)] ?? ''),
  ),
  fc.tuple(place, place, fc.integer({ min: 2, max: 60 })).map(
    ([from, length, times]): Mutation =>
      (tokens) => {
        const start = at(tokens, from);
        const piece = tokens.slice(start, start + 1 + (length % 12));
        return tokens.toSpliced(start, 0, ...Array.from({ length: times }, () => piece).flat());
      },
  ),
  fc.tuple(place, place, fc.constantFrom(...real)).map(
    ([from, to, other]): Mutation =>
      (tokens) => {
        const others = tokensOf(other);
        return [...tokens.slice(0, at(tokens, from)), ...others.slice(at(others, to))];
      },
  ),
);

const mutated = fc
  .tuple(fc.constantFrom(...real), fc.array(mutation, { minLength: 1, maxLength: 5 }))
  .map(([source, mutations]) => mutations.reduce((tokens, mutate) => mutate(tokens), tokensOf(source) as readonly string[]).join(''));

const LIMITS = { costLimit: 100_000 };

/** Compiles and evaluates as a rule and in policies: whatever goes wrong is told, nothing is thrown. */
function run(expression: string): void {
  const rule = compileRule({ rule: expression, message: 'm', messageExpression: expression }, judgedSchema, {
    isResourceRoot: true,
    libraries: 'stored',
  });
  const plain = compileRule({ rule: expression, message: 'm' }, judgedSchema, { isResourceRoot: true, libraries: 'stored' });
  for (const result of [rule, plain]) if (result.ok) result.compiled.check(judgedObject as Json, judgedObject as Json, LIMITS);
  const validations = [
    { expression, messageExpression: expression },
    { expression: 'false', messageExpression: expression },
    { expression },
  ];
  for (const validation of validations) {
    const policy = compilePolicy({ params: true, variables: policyVariables, validations: [validation] }, { libraries: 'stored' });
    if (policy.ok) policy.compiled.check(judgedUpdate, LIMITS);
  }
}

test('expressions with their parts lost, repeated and exchanged end in time, in an answer or in a failed evaluation', () => {
  let slowest = { work: 0, expression: '' };
  fc.assert(
    fc.property(mutated, (expression) => {
      const work = workOf(() => run(expression));
      if (work > slowest.work) slowest = { work, expression };
    }),
    { numRuns: 1000, seed: 7 },
  );
  // A hang would cost millions, each costs a few.
  if (slowest.work > 2000) throw new Error(`${slowest.work} units of work: ${slowest.expression}`);
});
