import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { type OutputOptions, type RolldownOutput, rolldown } from 'rolldown';
import { commandsOf, doorsOf, type EntryPoint, isPassedOn } from './entry-points.js';
import { neededBy, root, type WorkspacePackage } from './packages.js';

const OUTPUTS = {
  esm: { format: 'esm' },
  // `require` for what is loaded late too: jest runs CommonJS in a context where `import()` needs a flag of Node.
  cjs: { format: 'cjs', exports: 'named', esModule: true, dynamicImportInCjs: false },
} as const satisfies Record<string, OutputOptions>;

/**
 * Chunks of `@keelson/kubernetes` that are not left to the bundler. The kinds are one chunk, since 60 small ones cost three times as much to load. Their base
 * is a chunk of its own, since the definitions stand on it too and must not bring all kinds along.
 */
const CHUNKS = [
  { name: 'kind', priority: 2, test: /[\\/]src[\\/]kubernetes[\\/](object[\\/]|kinds[\\/](define-kind|errors)\.ts$)/ },
  { name: 'builtin-schemas', priority: 1, test: /[\\/]imports[\\/]schemas[\\/]/ },
  { name: 'kinds', priority: 1, test: /[\\/]imports[\\/]kinds[\\/]/ },
];

/**
 * Writes `esm` and `cjs` of a package: the same modules twice, one file per entry point, and shared chunks so that nothing is loaded or defined
 * twice. Other packages stay outside.
 */
export async function bundle(own: WorkspacePackage): Promise<void> {
  const doors = doorsOf(own).filter((door) => !isPassedOn(own, door));
  if (doors.length > 0) await write(own, 'cjs', doors);
  await write(own, 'esm', [...doors, ...commandsOf(own)]);
}

type Entry = Pick<EntryPoint, 'source' | 'output'>;

async function write(own: WorkspacePackage, copy: keyof typeof OUTPUTS, entries: readonly Entry[]): Promise<void> {
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries.map(({ source, output }) => [output, join(root, source)])),
    external: isExternal,
    platform: 'node',
    tsconfig: false,
    // A warning is a module that would be missing, empty or evaluated in the wrong order at a user's: none may pass.
    onLog: (_level, log) => {
      throw new Error(`${own.manifest.name}: ${log.message}`);
    },
  });
  const output = await build.write({
    ...OUTPUTS[copy],
    dir: join(root, own.output, copy),
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    codeSplitting: { groups: CHUNKS },
    // Documentation belongs to the declarations; here it would only be parsed at each start.
    comments: { legal: true, annotation: true, jsdoc: false },
  });
  await build.close();
  refuseForeignModules(own, output);
}

const isExternal = (specifier: string): boolean => !specifier.startsWith('.') && !specifier.startsWith('/');

/** Refuses modules that a user's package manager does not install with this package. They would be found here, in the development tree, and missing there. */
function refuseForeignModules({ folder, manifest }: WorkspacePackage, { output }: RolldownOutput): void {
  const installed = new Set([...neededBy(manifest), ...builtinModules]);
  const packageOf = (specifier: string): string => specifier.replace(/^node:/, '').match(/^(@[^/]+\/)?[^/]+/)?.[0] ?? specifier;
  const own = new Set(output.map(({ fileName }) => fileName));
  for (const chunk of output) {
    if (chunk.type !== 'chunk') continue;
    const foreign = [...chunk.imports, ...chunk.dynamicImports].filter((name) => !own.has(name) && !installed.has(packageOf(name)));
    if (foreign.length > 0)
      throw new Error(
        `${folder}: ${chunk.fileName} imports ${foreign.join(', ')}: list it in dependencies or peerDependencies of ${folder}/package.json`,
      );
  }
}
