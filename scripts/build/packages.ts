import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface ExportConditions {
  readonly types: string;
  readonly import: string;
  readonly require: string;
}

/** The fields of `src/<name>/package.json` that the build reads. */
export interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly exports?: Readonly<Record<string, ExportConditions | string | null>>;
  readonly typesVersions?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** A package of the workspace. */
export interface WorkspacePackage {
  /** Its folder, relative to the root: `src/runtime`. */
  readonly folder: string;
  /** Where it is built, relative to the root: `lib/runtime`. A link in its folder leads there, so that tools which walk `src` see sources alone. */
  readonly output: string;
  readonly manifest: PackageManifest;
}

/** The root of the repository: every script runs from there (npm sees to it). */
export const root: string = process.cwd();

/** The packages under `src`, those that others stand on first. */
export function workspacePackages(): readonly WorkspacePackage[] {
  const packages = readdirSync(join(root, 'src')).map((name) => {
    const folder = `src/${name}`;
    return {
      folder,
      output: `lib/${name}`,
      manifest: JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as PackageManifest,
    };
  });
  return inOrder(packages);
}

/** The names of packages that a user's package manager installs with this one. */
export const neededBy = ({ dependencies = {}, peerDependencies = {} }: PackageManifest): readonly string[] => [
  ...Object.keys(dependencies),
  ...Object.keys(peerDependencies),
];

function inOrder(packages: readonly WorkspacePackage[]): readonly WorkspacePackage[] {
  const ordered: WorkspacePackage[] = [];
  const names = new Set(packages.map(({ manifest }) => manifest.name));
  const isReady = ({ manifest }: WorkspacePackage): boolean =>
    neededBy(manifest).every((name) => !names.has(name) || ordered.some((other) => other.manifest.name === name));
  while (ordered.length < packages.length) {
    const next = packages.find((each) => !ordered.includes(each) && isReady(each));
    if (next === undefined) throw new Error('the packages under src depend on each other in a cycle');
    ordered.push(next);
  }
  return ordered;
}
