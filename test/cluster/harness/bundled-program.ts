import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = process.cwd();
const BUNDLER = join(ROOT, 'node_modules/rolldown/bin/cli.mjs');
/** The folder that all workers of a run share. Made and removed with the clusters. */
const SHARED = 'KEELSON_BUNDLED_PROGRAMS';
const OPTIONS = ['--format', 'esm', '--platform', 'node', '--tsconfig', 'tsconfig.json', '--no-code-splitting', '--log-level', 'silent'];

/**
 * The path of one file that holds an entry point and all that it imports, as the image of an operator does. It starts with a seventh of the CPU that the sources take. Made when it is first asked for.
 *
 * @param entry from the root of the project: `examples/memcached/operator.ts`
 * @throws Error with what the bundler said
 */
export function bundledProgram(entry: string): string {
  const path = join(process.env[SHARED] ?? ownFolder(), `${entry.replaceAll('/', '-')}.mjs`);
  if (existsSync(path)) return path;
  // Another worker may be making the same file: each writes its own, and the last one stays.
  const own = `${path}.${process.pid}`;
  execFileSync(process.execPath, [BUNDLER, entry, '--file', own, ...OPTIONS], { cwd: ROOT, stdio: 'pipe' });
  renameSync(own, path);
  return path;
}

/** Outside of the suites, in a benchmark: goes with the process. */
function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-programs-'));
  process.env[SHARED] = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
