/** A package as package-lock.json has it. */
export interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/** Versions by path. */
export type Gaps = Readonly<Record<string, string>>;

/** Packages of which `npm ci` could not say whether they are what was locked. Those inside of another's archive are covered by its integrity. */
export function gapsOf({ packages }: LockFile): Gaps {
  const gaps = Object.entries(packages).filter(
    ([path, { integrity, link, inBundle }]) => path !== '' && integrity === undefined && link !== true && inBundle !== true,
  );
  return Object.fromEntries(gaps.map(([path, { version = '' }]) => [path, version]));
}

/**
 * What is wrong with the integrities of a lock file.
 *
 * @param known gaps that no registry at hand could fill: native packages of other platforms for tools of the development. None of them is ever installed by users.
 */
export function lockProblems(lock: LockFile, known: Gaps): readonly string[] {
  const gaps = gapsOf(lock);
  const missing = Object.entries(gaps).flatMap(([path, version]) => {
    const { dev, optional, os, cpu } = lock.packages[path] ?? {};
    if (dev !== true || optional !== true || (os ?? cpu) === undefined)
      return [`${path} ${version} has no integrity, and is installed; run npm run lock`];
    return known[path] === version ? [] : [`${path} ${version} has no integrity; run npm run lock where the registry has the package`];
  });
  const filled = Object.keys(known).filter((path) => !(path in gaps));
  return [...missing, ...filled.map((path) => `${path} is listed as without integrity, and is not; run npm run lock`)];
}
