import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DryRunOptions, DryRunResult, MutantRunOptions, MutantRunResult, MutantRunStatus } from '@stryker-mutator/api/test-runner';
import { FocusedRunner, type JestRunner } from '../../../scripts/mutate/focused-runner.js';
import { keyOf } from '../../../scripts/mutate/mutant-key.js';

const folder = mkdtempSync(join(tmpdir(), 'focused-runner-'));
afterAll(() => rmSync(folder, { recursive: true }));

const STATUS = { Killed: 'killed', Survived: 'survived', Timeout: 'timeout', Error: 'error' } as unknown as typeof MutantRunStatus;
const survived: MutantRunResult = { status: STATUS.Survived, nrOfTests: 1 };
const killed: MutantRunResult = { status: STATUS.Killed, killedBy: ['both'], failureMessage: 'no', nrOfTests: 1 };

const DRY_RUN = {
  status: 'complete',
  tests: [
    { id: 'slow', name: 'slow', status: 0, timeSpentMs: 900, fileName: 'a.test.ts' },
    { id: 'both', name: 'both', status: 0, timeSpentMs: 1, fileName: 'a.test.ts' },
    { id: 'both', name: 'both', status: 0, timeSpentMs: 20, fileName: 'b.test.ts' },
    { id: 'other', name: 'other', status: 0, timeSpentMs: 1, fileName: 'c.test.ts' },
  ],
} as unknown as DryRunResult;

/** A jest that answers by file; what it loaded is in `loaded`. */
function fakeJest(answers: Readonly<Record<string, MutantRunResult>> = {}): { readonly jest: JestRunner; readonly loaded: string[] } {
  const loaded: string[] = [];
  const jest: JestRunner = {
    dryRun: async () => DRY_RUN,
    mutantRun: async (_, only) => {
      const file = only?.join() ?? 'all';
      loaded.push(file);
      return answers[file] ?? survived;
    },
  };
  return { jest, loaded };
}

const runOf = (testFilter: string[] | undefined): MutantRunOptions =>
  ({
    testFilter,
    sandboxFileName: '/sandbox/src/a.ts',
    activeMutant: {
      id: '1',
      fileName: '/project/src/a.ts',
      mutatorName: 'M',
      replacement: 'x',
      location: { start: { line: 0, column: 4 }, end: { line: 0, column: 5 } },
    },
  }) as unknown as MutantRunOptions;

let number = 0;
const focusOf = (sample?: ReadonlySet<string>): ConstructorParameters<typeof FocusedRunner>[1] => {
  number += 1;
  return { sample, status: STATUS, testsFile: join(folder, `${number}.json`), nameOf: (file) => file.replace('/sandbox/', '') };
};

test('no file is loaded that has no test of the mutant, and the quickest comes first', async () => {
  const { jest, loaded } = fakeJest();
  const runner = new FocusedRunner(jest, focusOf());
  await runner.dryRun({} as DryRunOptions);
  expect(await runner.mutantRun(runOf(['both']))).toEqual({ status: 'survived', nrOfTests: 2 });
  expect(loaded).toEqual(['b.test.ts', 'a.test.ts']);
});

test('no file is loaded behind the one that notices', async () => {
  const { jest, loaded } = fakeJest({ 'b.test.ts': killed });
  const runner = new FocusedRunner(jest, focusOf());
  await runner.dryRun({} as DryRunOptions);
  expect(await runner.mutantRun(runOf(['both']))).toBe(killed);
  expect(loaded).toEqual(['b.test.ts']);
});

test('a mutant that acts while modules load is not spared any file', async () => {
  const { jest, loaded } = fakeJest();
  const runner = new FocusedRunner(jest, focusOf());
  await runner.dryRun({} as DryRunOptions);
  await runner.mutantRun(runOf(undefined));
  expect(loaded).toEqual(['c.test.ts', 'b.test.ts', 'a.test.ts']);
});

test('the runner that replaces a hung one knows the files without a dry run of its own', async () => {
  const focus = focusOf();
  await new FocusedRunner(fakeJest().jest, focus).dryRun({} as DryRunOptions);
  const { jest, loaded } = fakeJest();
  await new FocusedRunner(jest, focus).mutantRun(runOf(['other']));
  expect(loaded).toEqual(['c.test.ts']);
});

test('a mutant that was not drawn costs no run, the one that was is found by its key', async () => {
  const key = keyOf('src/a.ts', {
    mutatorName: 'M',
    replacement: 'x',
    location: { start: { line: 1, column: 5 }, end: { line: 1, column: 6 } },
  });
  for (const [sample, files] of [
    [new Set([key]), ['c.test.ts']],
    [new Set([`${key}y`]), []],
  ] as const) {
    const { jest, loaded } = fakeJest();
    const runner = new FocusedRunner(jest, focusOf(sample));
    await runner.dryRun({} as DryRunOptions);
    const { status } = await runner.mutantRun(runOf(['other']));
    expect([status, loaded]).toEqual([files.length === 0 ? 'error' : 'survived', files]);
  }
});

test('without a dry run nothing is tried: a mutant must not survive for want of files', async () => {
  await expect(new FocusedRunner(fakeJest().jest, focusOf()).mutantRun(runOf(['both']))).rejects.toThrow('the dry run writes it');
});
