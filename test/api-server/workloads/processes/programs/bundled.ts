import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../../../../..');

/** Bundles a program of this folder into one file, which a plain `node` runs without a loader and without the checkout. @returns its path in `directory` */
export function bundled(name: string, directory: string): string {
  const program = join(directory, 'program.cjs');
  const options = [
    join(ROOT, 'node_modules/rolldown/bin/cli.mjs'),
    join(__dirname, name),
    '--file',
    program,
    '--format',
    'cjs',
    '--platform',
    'node',
    '--tsconfig',
    'tsconfig.json',
    '--no-code-splitting',
    '--transform.target',
    'es2022',
  ];
  execFileSync(process.execPath, options, { cwd: ROOT, stdio: 'pipe' });
  return program;
}
