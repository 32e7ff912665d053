import { chmodSync, existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { bundle } from './bundle.js';
import { declarations } from './declarations.js';
import { commandsOf, doorsOf } from './entry-points.js';
import { root, type WorkspacePackage, workspacePackages } from './packages.js';
import { writePassedOnDoors } from './passed-on-doors.js';

/**
 * Builds what users get of each package, `lib/runtime` and so on: `esm` and `cjs` (the same modules twice) and one tree of declarations, `types`, for both.
 *
 * The declarations say of themselves that they describe CommonJS: then a CommonJS consumer under `module: node16` may import them, and an ESM consumer
 * may anyway, since keelson has no default export (docs/decisions/002-dual-build.md).
 */
async function build(): Promise<void> {
  const packages = workspacePackages();
  packages.forEach(refuseMissingSources);
  for (const { output } of packages) rmSync(join(root, output), { recursive: true, force: true });
  await Promise.all([declarations(packages), ...packages.map(bundle)]);
  for (const own of packages) finish(own, packages);
}

function refuseMissingSources(own: WorkspacePackage): void {
  const missing = [...doorsOf(own), ...commandsOf(own)].filter(({ source }) => !existsSync(join(root, source)));
  if (missing.length > 0)
    throw new Error(`${own.folder}/package.json lists files that do not exist: ${missing.map(({ source }) => source).join(', ')}`);
}

function finish(own: WorkspacePackage, packages: readonly WorkspacePackage[]): void {
  writePassedOnDoors(own, packages);
  const lib = join(root, own.output);
  linkTo(own);
  const copies = doorsOf(own).length > 0 ? ['cjs', 'types'] : [];
  for (const copy of copies) writeFileSync(join(lib, copy, 'package.json'), '{ "type": "commonjs" }\n');
  for (const { output } of commandsOf(own)) chmodSync(join(lib, 'esm', `${output}.js`), 0o755);
}

/** `src/runtime/lib` leads to `lib/runtime`: where package.json says it is. */
function linkTo({ folder, output }: WorkspacePackage): void {
  const link = join(root, folder, 'lib');
  rmSync(link, { recursive: true, force: true });
  symlinkSync(relative(join(root, folder), join(root, output)), link);
}

const started = performance.now();
try {
  await build();
  console.log(`the packages under src are built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
} catch (error) {
  console.error(`the packages were not built: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
