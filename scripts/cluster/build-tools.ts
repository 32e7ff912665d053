/**
 * Builds programs that single suites need (helm, an older etcd, ...) from their Go modules into the cache, unless they are there already.
 *
 *     npx tsx scripts/cluster/build-tools.ts [--if-possible] [NAME ...]
 *
 * Without names: all of them. Exit codes: as build-binaries.ts. `--if-possible` turns 10 to 12 into 0, except where CI is set.
 */
import { BuildFailure } from './build-failure.js';
import { provideTool } from './go-tool.js';
import { TOOLS, type ToolName } from './programs.js';

const report = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

const isTool = (name: string): name is ToolName => Object.hasOwn(TOOLS, name);

async function provideTools(given: readonly string[]): Promise<void> {
  const unknown = given.find((name) => !isTool(name));
  if (unknown !== undefined) {
    report(`no tool is called "${unknown}"; there are: ${Object.keys(TOOLS).join(', ')}`);
    process.exitCode = 2;
    return;
  }
  for (const name of given.length === 0 ? Object.keys(TOOLS) : given) await provideTool(name as ToolName, report);
}

provideTools(process.argv.slice(2).filter((parameter) => parameter !== '--if-possible')).catch((error: unknown) => {
  if (!(error instanceof BuildFailure)) throw error;
  report(error.message);
  const isTolerated = process.argv.includes('--if-possible') && error.isEnvironmental && !process.env['CI'];
  if (isTolerated) report('The suites that need it will be skipped.');
  process.exitCode = isTolerated ? 0 : error.exitCode;
});
