import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Packs this package, as it would be published, and builds it first if a source is newer than `lib/`.
 *
 * @returns the path of the tarball
 */
export function packPackage(folder: string): string {
  if (isStale()) execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  const parameters = ['--silent', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [{ filename }] = JSON.parse(execFileSync('npm', parameters, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })) as [
    { readonly filename: string },
  ];
  return join(folder, filename);
}

/** Versions of packages that this tree is tested with. */
export function testedVersions(): Readonly<Record<string, string>> {
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, Record<string, string>>;
  return { ...dependencies, ...devDependencies };
}

/** Whether a source is newer than `lib/`, of which the last file written is this one. */
function isStale(): boolean {
  const built = modified('lib/types/package.json');
  const sources = ['src', 'imports', 'scripts/build'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  return ['package.json', 'tsconfig.build.json', ...sources].some((file) => modified(file) > built);
}

function modified(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
