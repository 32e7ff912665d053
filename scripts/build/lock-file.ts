/** A package as package-lock.json has it. */
interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly inBundle?: boolean;
  /** For a package of this workspace: npm fetches nothing. */
  readonly link?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

const MEND = 'take a version of the tool for which the registry shows the packages of all platforms, and run npm run lock';

/**
 * Problems of a lock file.
 *
 * Tools with native code list one package per platform. npm leaves out those that the registry at hand does not show, and `npm ci` then refuses the lock
 * file as incomplete, on every platform. Written in by hand they have no integrity, and `npm ci` installs whatever the registry of that day sends.
 */
export function lockProblems({ packages }: LockFile): readonly string[] {
  const fetched = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && link !== true);
  return fetched.flatMap(([path, locked]) => [
    ...withoutIntegrity(path, locked),
    ...withAddress(path, locked),
    ...leftOut(path, locked, new Set(Object.keys(packages))),
  ]);
}

/** The workspace and its packages come from no archive. Packages inside of another's archive are covered by its integrity. */
function withoutIntegrity(path: string, { version = '', integrity, inBundle }: LockedPackage): readonly string[] {
  if (inBundle === true || integrity !== undefined) return [];
  return [`${path} ${version} has no integrity; ${MEND}`];
}

function withAddress(path: string, { resolved }: LockedPackage): readonly string[] {
  return resolved === undefined ? [] : [`${path} names the address ${resolved}, and the lock file serves every mirror; remove "resolved"`];
}

function leftOut(path: string, { version = '', optionalDependencies = {} }: LockedPackage, locked: ReadonlySet<string>): readonly string[] {
  return Object.entries(optionalDependencies)
    .filter(([name]) => !placesOf(name, path).some((place) => locked.has(place)))
    .map(([name, wanted]) => `${name} ${wanted} is missing, an optional dependency of ${path} ${version}; ${MEND}`);
}

/** Where Node looks for a package that is named at a path, from the innermost folder outwards. */
function placesOf(name: string, path: string): readonly string[] {
  const place = `${path === '' ? '' : `${path}/`}node_modules/${name}`;
  const outer = path.lastIndexOf('node_modules/');
  return outer === -1 ? [place] : [place, ...placesOf(name, path.slice(0, outer).replace(/\/$/, ''))];
}
