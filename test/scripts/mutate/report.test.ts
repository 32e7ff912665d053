import { keyOf } from '../../../scripts/mutate/mutant-key.js';
import { type MutationReport, outcomeOf } from '../../../scripts/mutate/report.js';

type Mutant = MutationReport['files'][string]['mutants'][number];

const SOURCE = ['export function f(n: number): number {', '  if (n > 1) {', '    return n;', '  }', '  return 0;', '}', ''].join('\n');

function mutant(status: Mutant['status'], [startLine, startColumn, endLine, endColumn]: readonly number[], replacement: string): Mutant {
  return {
    mutatorName: 'ConditionalExpression',
    status,
    replacement,
    location: {
      start: { line: startLine ?? 1, column: startColumn ?? 1 },
      end: { line: endLine ?? 1, column: endColumn ?? 1 },
    },
  };
}

const reportOf = (...mutants: Mutant[]): MutationReport => ({ files: { 'src/a.ts': { source: SOURCE, mutants } } });

test('the outcome counts what could be noticed, and a survivor says where it is and what became what', () => {
  const outcome = outcomeOf(
    reportOf(
      mutant('Killed', [2, 7, 2, 12], 'true'),
      mutant('Timeout', [2, 7, 2, 12], 'false'),
      mutant('Survived', [2, 7, 2, 12], 'n >= 1'),
      mutant('NoCoverage', [2, 14, 4, 4], '{}'),
      mutant('CompileError', [5, 10, 5, 11], '""'),
      mutant('Ignored', [5, 10, 5, 11], '1'),
    ),
  );
  expect(outcome).toEqual({
    tried: 4,
    noticed: 2,
    byTimeLimit: 1,
    survivors: [
      'src/a.ts:2 ConditionalExpression: n > 1 → n >= 1',
      'src/a.ts:2 ConditionalExpression: { return n; } → {} (no test runs it)',
    ],
  });
});

test('a report without a mutant is refused: a score of nothing says nothing', () => {
  expect(() => outcomeOf(reportOf(mutant('CompileError', [1, 1, 1, 2], '')))).toThrow('no mutant was tried');
});

test('a test that ran into its own deadline counts as a time limit too, another failure does not', () => {
  const killed = mutant('Killed', [2, 7, 2, 12], 'true');
  const outcome = outcomeOf(
    reportOf(
      { ...killed, statusReason: 'thrown: "Exceeded timeout of 10000 ms for a test.' },
      { ...killed, statusReason: 'Error: expected the timeout of 10000 ms, got 5' },
    ),
  );
  expect(outcome).toMatchObject({ noticed: 2, byTimeLimit: 1 });
});

test('what the sample left out counts neither as noticed nor as a survivor', () => {
  const [drawn, left] = [mutant('Survived', [2, 7, 2, 12], 'n >= 1'), mutant('NoCoverage', [2, 14, 4, 4], '{}')];
  const outcome = outcomeOf(reportOf(drawn, left, mutant('Killed', [5, 10, 5, 11], '1')), [keyOf('src/a.ts', drawn)]);
  expect(outcome).toMatchObject({ tried: 1, noticed: 0, survivors: ['src/a.ts:2 ConditionalExpression: n > 1 → n >= 1'] });
});
