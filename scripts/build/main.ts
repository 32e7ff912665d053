import { spawn } from 'node:child_process';
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.js';
import { commands, entryPoints, root } from './entry-points.js';

/**
 * Builds `lib/`, what users get: `lib/esm` and `lib/cjs` (the same modules twice) and one tree of declarations, `lib/types`, for both.
 *
 * The declarations say of themselves that they describe CommonJS: then a CommonJS consumer under `module: node16` may import them, and an ESM consumer
 * may anyway, since keelson has no default export (docs/decisions/002-dual-build.md).
 */
async function build(): Promise<void> {
  const missing = [...entryPoints(), ...commands()].filter(({ source }) => !existsSync(join(root, source)));
  if (missing.length > 0) throw new Error(`package.json promises what is not there: ${missing.map(({ source }) => source).join(', ')}`);
  rmSync(join(root, 'lib'), { recursive: true, force: true });
  await Promise.all([bundle(), declarations()]);
  for (const copy of ['cjs', 'types']) writeFileSync(join(root, 'lib', copy, 'package.json'), '{ "type": "commonjs" }\n');
  for (const { output } of commands()) chmodSync(join(root, 'lib/esm', `${output}.js`), 0o755);
}

function declarations(): Promise<void> {
  const compiler = spawn(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    compiler.on('error', reject);
    compiler.on('exit', (code) => (code === 0 ? resolve() : reject(new Error('no declarations: see the errors above'))));
  });
}

const started = performance.now();
try {
  await build();
  console.log(`lib/ built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
} catch (error) {
  console.error(`lib/ was not built: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
