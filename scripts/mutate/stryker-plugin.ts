import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { StrykerOptions } from '@stryker-mutator/api/core';
import { commonTokens, declareFactoryPlugin, type Injector, type PluginContext, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import { type MutantRunOptions, MutantRunStatus, type TestRunner } from '@stryker-mutator/api/test-runner';
import { strykerPlugins as jestPlugins } from '@stryker-mutator/jest-runner';
import { FocusedRunner, type JestRunner } from './focused-runner.js';

/** The part of Stryker's configuration that `main.ts` writes for the runner. */
export interface FocusedOptions {
  readonly focused: { readonly sampleFile?: string; readonly testsFile: string };
}

interface RunSettings {
  readonly testFiles?: readonly string[];
}

/** Fields of Stryker's jest runner that its types do not show. Its version is pinned in package.json. */
interface OpenJestRunner extends TestRunner {
  readonly jestTestAdapter: { run(settings: RunSettings): Promise<unknown> };
}

focusedRunner.inject = tokens(commonTokens.injector, commonTokens.options);

function focusedRunner(injector: Injector<PluginContext>, options: StrykerOptions): TestRunner {
  const { sampleFile, testsFile } = (options as StrykerOptions & FocusedOptions).focused;
  const [jestPlugin] = jestPlugins;
  if (jestPlugin === undefined) throw new Error('@stryker-mutator/jest-runner exports no plugin');
  const jest = injector.injectFunction(jestPlugin.factory) as OpenJestRunner;
  const focused = new FocusedRunner(withChosenFiles(jest), {
    sample: sampleFile === undefined ? undefined : new Set(JSON.parse(readFileSync(sampleFile, 'utf8')) as string[]),
    testsFile,
    status: MutantRunStatus,
    nameOf: (file) => relative(process.cwd(), file),
  });
  return {
    capabilities: () => jest.capabilities(),
    init: () => jest.init?.() ?? Promise.resolve(),
    dryRun: (run) => focused.dryRun(run),
    mutantRun: (run) => focused.mutantRun(run),
    dispose: () => jest.dispose?.() ?? Promise.resolve(),
  };
}

/** Stryker's jest runner has no parameter for the test files of a mutant; the adapter through which it calls jest has. */
function withChosenFiles(jest: OpenJestRunner): JestRunner {
  const adapter = jest.jestTestAdapter;
  if (typeof adapter?.run !== 'function')
    throw new Error(
      '@stryker-mutator/jest-runner has no jestTestAdapter.run any more: mend scripts/mutate/stryker-plugin.ts for this version',
    );
  const run = adapter.run.bind(adapter);
  let chosen: readonly string[] | undefined;
  adapter.run = (settings) => run(chosen === undefined ? settings : { ...settings, testFiles: chosen });
  return {
    dryRun: (options) => jest.dryRun(options),
    mutantRun: (options: MutantRunOptions, only?: readonly string[]) => {
      chosen = only;
      return jest.mutantRun(options);
    },
  };
}

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'focused', focusedRunner)];

export const strykerValidationSchema = {
  properties: {
    focused: {
      type: 'object',
      properties: { sampleFile: { type: 'string' }, testsFile: { type: 'string' } },
      required: ['testsFile'],
      additionalProperties: false,
    },
  },
};
