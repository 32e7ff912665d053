import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { DryRunOptions, DryRunResult, MutantRunOptions, MutantRunResult, MutantRunStatus } from '@stryker-mutator/api/test-runner';
import { fromZeroToOne, keyOf } from './mutant-key.js';

/** The part of Stryker's jest runner that is used. `only` is ours: the test files that the next run may load. */
export interface JestRunner {
  dryRun(options: DryRunOptions): Promise<DryRunResult>;
  mutantRun(options: MutantRunOptions, only?: readonly string[]): Promise<MutantRunResult>;
}

export interface Focus {
  /** The keys of the mutants to try; all if undefined. */
  readonly sample: ReadonlySet<string> | undefined;
  /** Where the dry run writes which file has which test: a runner that replaces a hung one has seen no dry run. */
  readonly testsFile: string;
  /** Stryker's enumeration: its package is an ES module, which jest cannot load for the test of this file. */
  readonly status: typeof MutantRunStatus;
  /** From a file in the sandbox to its name in the project. */
  nameOf(file: string): string;
}

interface TestFile {
  readonly file: string;
  readonly tests: readonly string[];
  readonly ms: number;
}

/**
 * Stryker's jest runner loads every test file of the folder for every mutant, and then skips the tests that do not reach the mutant. This one loads only files that have
 * such a test, one after the other, the quickest first, and stops at the first that notices.
 */
export class FocusedRunner {
  readonly #jest: JestRunner;
  readonly #focus: Focus;

  constructor(jest: JestRunner, focus: Focus) {
    this.#jest = jest;
    this.#focus = focus;
  }

  async dryRun(options: DryRunOptions): Promise<DryRunResult> {
    const result = await this.#jest.dryRun(options);
    if (!('tests' in result)) return result;
    const files = new Map<string, { tests: string[]; ms: number }>();
    for (const { id, fileName, timeSpentMs } of result.tests) {
      if (fileName === undefined) throw new Error(`jest did not say which file has the test ${JSON.stringify(id)}`);
      const file = files.get(fileName) ?? { tests: [], ms: 0 };
      file.tests.push(id);
      file.ms += timeSpentMs;
      files.set(fileName, file);
    }
    const quickestFirst: TestFile[] = [...files].map(([file, rest]) => ({ file, ...rest })).sort((one, other) => one.ms - other.ms);
    writeFileSync(this.#focus.testsFile, JSON.stringify(quickestFirst));
    return result;
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { activeMutant, sandboxFileName, testFilter } = options;
    const { Survived, Error: Untried } = this.#focus.status;
    if (this.#focus.sample?.has(keyOf(this.#focus.nameOf(sandboxFileName), fromZeroToOne(activeMutant))) === false)
      return { status: Untried, errorMessage: 'not in the sample' };
    let nrOfTests = 0;
    for (const file of this.#filesWith(testFilter)) {
      const result = await this.#jest.mutantRun(options, [file]);
      if (result.status !== Survived) return result;
      nrOfTests += result.nrOfTests;
    }
    return { status: Survived, nrOfTests };
  }

  /** A mutant that acts while modules load has no tests of its own: any file may notice it. */
  #filesWith(tests: readonly string[] | undefined): readonly string[] {
    if (!existsSync(this.#focus.testsFile)) throw new Error(`${this.#focus.testsFile} is missing: the dry run writes it`);
    const files = JSON.parse(readFileSync(this.#focus.testsFile, 'utf8')) as readonly TestFile[];
    const wanted = tests && new Set(tests);
    return files.filter((file) => wanted === undefined || file.tests.some((test) => wanted.has(test))).map(({ file }) => file);
  }
}
