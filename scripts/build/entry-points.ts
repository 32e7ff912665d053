import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One door of the package: what users import, and the source file behind it. */
export interface EntryPoint {
  /** As users write it, for example `keelson/kinds/apps/v1`. */
  readonly specifier: string;
  /** Source file, relative to the root: `imports/kinds/apps/v1.ts`. */
  readonly source: string;
  /** Output name without folder and extension: `kinds/apps/v1` becomes `lib/esm/kinds/apps/v1.js`. */
  readonly output: string;
  /** Emitted declarations, relative to the root. */
  readonly types: string;
}

interface ExportConditions {
  readonly types: string;
  readonly import: string;
  readonly require: string;
}

interface PackageManifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, ExportConditions | string | null>>;
  readonly typesVersions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** The root of the repository: every script runs from there (npm sees to it). */
export const root: string = process.cwd();

export function readManifest(): PackageManifest {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as PackageManifest;
}

/**
 * The list that everything is made from (bundles, declarations, API reports, checks). It is `exports` of package.json, and stands nowhere else:
 * the path of the declarations names the source, the path under `import` names the output, and a `*` stands for every file that is there.
 */
export function entryPoints(manifest: PackageManifest = readManifest()): EntryPoint[] {
  const hidden = (subpath: string): boolean => manifest.exports[subpath] === null;
  return Object.entries(manifest.exports)
    .filter((entry): entry is [string, ExportConditions] => typeof entry[1] === 'object' && entry[1] !== null)
    .flatMap(([subpath, conditions]) => expand(manifest.name, subpath, conditions))
    .filter(({ specifier }) => !hidden(specifier.replace(manifest.name, '.')));
}

/** Entry points of the command line: never imported, so they have no declarations. */
export function commands(manifest: PackageManifest = readManifest()): Pick<EntryPoint, 'source' | 'output'>[] {
  return Object.values(manifest.bin).map((path) => {
    const output = outputName(path);
    return { output, source: `src/${output}.ts` };
  });
}

function expand(packageName: string, subpath: string, conditions: ExportConditions): EntryPoint[] {
  const sourcePattern = conditions.types.replace(/^\.\/lib\/types\//, '').replace(/\.d\.ts$/, '.ts');
  const door = (source: string, star: string): EntryPoint => ({
    specifier: packageName + subpath.slice(1).replace('*', star),
    source,
    output: outputName(conditions.import).replace('*', star),
    types: conditions.types.slice(2).replace('*', star),
  });
  if (!sourcePattern.includes('*')) return [door(sourcePattern, '')];
  const [prefix = '', suffix = ''] = sourcePattern.split('*');
  return readdirSync(join(root, prefix), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(suffix))
    .sort()
    .map((file) => door(prefix + file, file.slice(0, -suffix.length)));
}

const outputName = (path: string): string => path.replace(/^\.\/lib\/(esm|cjs)\//, '').replace(/\.js$/, '');
