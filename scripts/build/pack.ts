import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type WorkspacePackage, workspacePackages } from './packages.js';

/** Tarballs by the name of their package. */
export type Tarballs = Readonly<Record<string, string>>;

/** Files of the root that are packed: each package has the licence, and `keelson` the pages and examples. */
const OF_EACH = ['LICENSE'];
const OF_KEELSON = ['docs', 'examples', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];

/** Packs all packages as they are published, and builds them first if a source is newer than `lib/`. */
export function packPackages(folder: string): Tarballs {
  const packages = workspacePackages();
  // The build prints to standard error, since standard output is the list of tarballs.
  if (isStale(packages)) execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 2, 2] });
  mkdirSync(folder, { recursive: true });
  return Object.fromEntries(packages.map((own) => [own.manifest.name, pack(own, folder)]));
}

/** A package is put together elsewhere: what of it lies at the root is not copied into `src`. */
function pack(own: WorkspacePackage, folder: string): string {
  const place = mkdtempSync(join(tmpdir(), 'keelson-pack-'));
  try {
    cpSync(join(own.folder, 'package.json'), join(place, 'package.json'));
    // In the package the pages lie next to README.md.
    writeFileSync(join(place, 'README.md'), readFileSync(join(own.folder, 'README.md'), 'utf8').replaceAll('](../../', ']('));
    cpSync(own.output, join(place, 'lib'), { recursive: true });
    const schemas = join(own.folder, 'schemas');
    if (existsSync(schemas)) cpSync(schemas, join(place, 'schemas'), { recursive: true });
    const fromRoot = own.manifest.name === 'keelson' ? [...OF_EACH, ...OF_KEELSON] : OF_EACH;
    for (const name of fromRoot) cpSync(name, join(place, name), { recursive: true });
    const parameters = ['--silent', 'pack', place, '--json', '--ignore-scripts', '--pack-destination', folder];
    const [{ filename }] = JSON.parse(execFileSync('npm', parameters, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })) as [
      { readonly filename: string },
    ];
    return join(folder, filename);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Whether a source is newer than what was built of it: of that, the files of the last package were written last. */
function isStale(packages: readonly WorkspacePackage[]): boolean {
  const built = Math.min(...packages.map(({ output }) => modified(join(output, 'esm'))));
  // The links src/*/lib are not files, and their targets may not exist.
  const sources = ['src', 'imports', 'scripts/build'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
  );
  return ['tsconfig.build.json', ...sources.map(({ parentPath, name }) => join(parentPath, name))].some((file) => modified(file) > built);
}

function modified(file: string): number {
  return existsSync(file) ? statSync(file).mtimeMs : 0;
}

/** Versions of packages that this tree is tested with. */
export function testedVersions(): Readonly<Record<string, string>> {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly devDependencies: Record<string, string> };
  const dependencies = workspacePackages().flatMap(({ manifest }) => Object.entries(manifest.dependencies ?? {}));
  return { ...Object.fromEntries(dependencies), ...devDependencies };
}
