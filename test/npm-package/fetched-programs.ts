import { dirname } from 'node:path';
import { fetchedProgram } from '../../scripts/fetched/index.js';

/** pnpm, fetched from the registry once and kept outside the tree. */
export function pnpmProgram(): string {
  return fetchedProgram('pnpm-12', { spec: 'pnpm@12', program: '.bin/pnpm' });
}

/** The folder of the package npm that comes with the Node of images, 24, fetched from the registry once and kept outside the tree. */
export function npmFolder(): string {
  return dirname(dirname(fetchedProgram('npm-11', { spec: 'npm@11', program: 'npm/bin/npm-cli.js' })));
}
