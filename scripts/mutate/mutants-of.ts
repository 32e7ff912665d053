import { readFileSync } from 'node:fs';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { fromZeroToOne, keyOf } from './mutant-key.js';

const silent = (): void => undefined;

/** Keys of all mutants that Stryker makes of the files, without a run. */
export async function mutantsOf(files: readonly string[]): Promise<readonly string[]> {
  const instrumenter = new Instrumenter({
    isTraceEnabled: () => false,
    isDebugEnabled: () => false,
    isInfoEnabled: () => false,
    isWarnEnabled: () => false,
    isErrorEnabled: () => false,
    isFatalEnabled: () => false,
    trace: silent,
    debug: silent,
    info: silent,
    warn: silent,
    error: silent,
    fatal: silent,
  });
  const { mutants } = await instrumenter.instrument(
    files.map((name) => ({ name, content: readFileSync(name, 'utf8'), mutate: true })),
    { plugins: null, excludedMutations: [], ignorers: [] },
  );
  return mutants.map((mutant) => keyOf(mutant.fileName, fromZeroToOne(mutant)));
}
