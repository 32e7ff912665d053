import { ScaffoldError } from '../errors.js';

/** Where a project takes the packages of keelson from. */
export interface KeelsonPackages {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** The packages that a project imports: in its image the definitions and the runtime, during development the others too. */
const IMPORTED = { dependencies: ['keelson', '@keelson/runtime'], devDependencies: ['@keelson/cli', '@keelson/testing'] } as const;
/** The packages that those need. npm finds them in a registry; tarballs must be listed. */
const BELOW = { dependencies: ['@keelson/kubernetes'], devDependencies: ['@keelson/api-server'] } as const;

/** All packages at one version, as npm reads it: `^0.1.0`. */
export function packagesAt(version: string): KeelsonPackages {
  const at = (names: readonly string[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, version]));
  return { dependencies: at(IMPORTED.dependencies), devDependencies: at(IMPORTED.devDependencies) };
}

/**
 * The packages as tarballs of one folder, which `npm run pack` in keelson's repository has filled.
 *
 * @param folder - as the project names it
 * @param files - the names of its files
 * @throws ScaffoldError for packages that have no tarball there
 */
export function packagesIn(folder: string, files: readonly string[]): KeelsonPackages {
  const missing: string[] = [];
  const at = (names: readonly string[]): Record<string, string> => {
    const found = names.map((name) => [name, tarballOf(name, files)] as const);
    missing.push(...found.flatMap(([name, file]) => (file === undefined ? [name] : [])));
    return Object.fromEntries(found.map(([name, file]) => [name, `file:${folder}/${file}`]));
  };
  const packages = {
    dependencies: at([...IMPORTED.dependencies, ...BELOW.dependencies]),
    devDependencies: at([...IMPORTED.devDependencies, ...BELOW.devDependencies]),
  };
  if (missing.length > 0)
    throw new ScaffoldError(`${folder}: has no tarball of ${missing.join(', ')}; run npm run pack -- FOLDER in the repository of keelson`);
  return packages;
}

/** npm packs `@keelson/runtime` as `keelson-runtime-0.1.0.tgz`. */
function tarballOf(name: string, files: readonly string[]): string | undefined {
  const pattern = new RegExp(`^${name.replace('@', '').replace('/', '-')}-\\d[^/]*\\.tgz$`);
  return files
    .filter((file) => pattern.test(file))
    .sort()
    .at(-1);
}
