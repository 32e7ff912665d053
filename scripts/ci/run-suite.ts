import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findBinaries } from '../cluster/binaries.js';
import { nodeObstacle, nodeProgram } from '../fetched/index.js';
import { keyedRun } from './keyed-run.js';
import { runSuite, skipSuite } from './suite-run.js';
import { RESULTS, type Suite, selectionOf, suiteNamed, suites } from './suites.js';

/** `tsx scripts/ci/run-suite.ts <suite>… [flags of jest…]`: runs suites, one after the other, and writes their results to `.results`. */
async function main(parameters: readonly string[]): Promise<boolean> {
  const firstFlag = parameters.findIndex((one) => one.startsWith('-'));
  const names = firstFlag === -1 ? parameters : parameters.slice(0, firstFlag);
  if (names.length === 0) throw new Error(`name a suite: ${suites.map(({ name }) => name).join(', ')}`);
  let areGreen = true;
  for (const suite of names.map(suiteNamed)) areGreen = (await run(suite, parameters.slice(names.length))) && areGreen;
  return areGreen;
}

async function run(suite: Suite, flags: readonly string[]): Promise<boolean> {
  // Flags select tests, so that their results do not stand for the whole suite. Turborepo sets TURBO_HASH for the tasks that it runs.
  if (suite.isKeyed && flags.length === 0 && process.env['TURBO_HASH'] === undefined) return keyedRun(suite);
  const file = join(RESULTS, `${suite.name}.json`);
  const node = nodeOf(suite);
  const obstacle = typeof node === 'object' ? node.obstacle : kubernetesObstacle(suite);
  if (typeof node === 'object' || obstacle !== undefined) {
    skipSuite(suite, file, obstacle ?? '');
    return true;
  }
  // All that the suite starts finds the control plane of that minor.
  if (suite.kubernetes !== undefined) process.env['KEELSON_KUBERNETES'] = suite.kubernetes;
  return runSuite(suite, { node, flags: [...selectionOf(suite, await ignoredBy(suite)), ...flags], file });
}

/** Why the control plane of the suite's minor is missing. CI builds the pinned release alone. */
function kubernetesObstacle({ kubernetes }: Suite): string | undefined {
  if (kubernetes === undefined) return undefined;
  const search = findBinaries({ ...process.env, KUBEBUILDER_ASSETS: undefined, KEELSON_KUBERNETES: kubernetes });
  return search.found ? undefined : `not built: ${search.reason}`;
}

/** Finds the program that runs a suite. In CI a download that fails is an error, as for all that suites fetch. */
function nodeOf({ node: line }: Suite): string | { readonly obstacle: string } {
  if (line === undefined) return process.execPath;
  if (process.versions.node.startsWith(`${line}.`))
    return { obstacle: `the machine's Node is ${process.version}, which runs these tests in other suites` };
  const obstacle = nodeObstacle(line);
  if (obstacle !== undefined) return { obstacle };
  try {
    return nodeProgram(line);
  } catch (error) {
    if (process.env['CI'] !== undefined) throw error;
    return { obstacle: error instanceof Error ? error.message : String(error) };
  }
}

/** Patterns of test files that the configuration of a suite ignores. */
async function ignoredBy({ config }: Suite): Promise<readonly string[]> {
  const module = (await import(pathToFileURL(resolve(config)).href)) as { default: { testPathIgnorePatterns?: readonly string[] } };
  return module.default.testPathIgnorePatterns ?? [];
}

process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
