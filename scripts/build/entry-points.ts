import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, type WorkspacePackage } from './packages.js';

/** One door of a package: what users import, and the source file behind it. */
export interface EntryPoint {
  /** As users write it, for example `keelson/kinds/apps/v1`. */
  readonly specifier: string;
  /** Source file, relative to the root: `imports/kinds/apps/v1.ts`. */
  readonly source: string;
  /** Output name without folder and extension: `kinds/apps/v1` becomes `esm/kinds/apps/v1.js` in the output of the package. */
  readonly output: string;
  /** Emitted declarations, relative to the root. */
  readonly types: string;
}

/**
 * The doors of a package. Everything is made from this list (bundles, declarations, API reports, checks). It is `exports` of package.json, and stands nowhere
 * else: the path of the declarations names the source, the path under `import` names the output, and a `*` stands for every file that exists.
 */
export function doorsOf(own: WorkspacePackage): EntryPoint[] {
  const { name, exports: doors = {} } = own.manifest;
  const found = Object.entries(doors).flatMap(([subpath, conditions]) =>
    typeof conditions === 'object' && conditions !== null ? expand(own, subpath, conditions) : [],
  );
  return found.filter(({ specifier }) => doors[specifier.replace(name, '.')] !== null);
}

/** Whether a door is that of another package, under a name of this one: `keelson/kinds` is `@keelson/kubernetes/kinds`. Its source lies with the other. */
export const isPassedOn = (own: WorkspacePackage, { source }: EntryPoint): boolean =>
  !source.startsWith(`${own.folder}/`) && !(source.startsWith('imports/') && own.manifest.name === KINDS_PACKAGE);

/** Programs of a package's command line: never imported, so they have no declarations. */
export function commandsOf({ folder, manifest }: WorkspacePackage): Pick<EntryPoint, 'source' | 'output'>[] {
  return Object.values(manifest.bin ?? {}).map((path) => {
    const output = outputName(path);
    return { output, source: `${folder}/${output}.ts` };
  });
}

function expand(
  { folder, manifest }: WorkspacePackage,
  subpath: string,
  conditions: { readonly types: string; readonly import: string },
): EntryPoint[] {
  const sourcePattern = conditions.types.replace(/^\.\/lib\/types\//, '').replace(/\.d\.ts$/, '.ts');
  const door = (source: string, star: string): EntryPoint => ({
    specifier: manifest.name + subpath.slice(1).replace('*', star),
    source,
    output: outputName(conditions.import).replace('*', star),
    types: `${folder}/${conditions.types.slice(2).replace('*', star)}`,
  });
  if (!sourcePattern.includes('*')) return [door(sourcePattern, '')];
  const [prefix = '', suffix = ''] = sourcePattern.split('*');
  return readdirSync(join(root, prefix), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(suffix))
    .sort()
    .map((file) => door(prefix + file, file.slice(0, -suffix.length)));
}

/** The package that `imports/kinds` is part of. */
const KINDS_PACKAGE = '@keelson/kubernetes';

const outputName = (path: string): string => path.replace(/^\.\/lib\/(esm|cjs)\//, '').replace(/\.js$/, '');
