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

test('the score counts what could be noticed, and a survivor says where it is and what became what', () => {
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
    score: 50,
    mutants: 4,
    survivors: [
      'src/a.ts:2 ConditionalExpression: n > 1 → n >= 1',
      'src/a.ts:2 ConditionalExpression: { return n; } → {} (no test runs it)',
    ],
  });
});

test('a report without a mutant is refused: a score of nothing says nothing', () => {
  expect(() => outcomeOf(reportOf(mutant('CompileError', [1, 1, 1, 2], '')))).toThrow('no mutant was tried');
});
