import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagesAt, surroundings } from '../../src/cli/scaffold/index.js';

const FOLDER = '.github/workflows';
const project = { name: 'my-operator', runner: 'vitest', format: 'esm', keelson: packagesAt('^1.0.0') } as const;

/** The workflows of a repository: text by path. */
export type Workflows = Readonly<Record<string, string>>;

/** The workflows of this repository, and of one that `keelson init` has started. */
export const repositories: Readonly<Record<'keelson' | 'keelson init', Workflows>> = {
  keelson: Object.fromEntries(readdirSync(FOLDER).map((file) => [join(FOLDER, file), readFileSync(join(FOLDER, file), 'utf8')])),
  'keelson init': Object.fromEntries(
    surroundings(project)
      .filter(({ path }) => path.startsWith(FOLDER))
      .map(({ path, text }) => [path, text]),
  ),
};
