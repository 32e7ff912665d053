import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { type OutputOptions, type RolldownOutput, rolldown } from 'rolldown';
import { commands, entryPoints, readManifest, root } from './entry-points.js';

const OUTPUTS = {
  esm: { format: 'esm' },
  // `require` for what is loaded late too: jest runs CommonJS in a context where `import()` needs a flag of Node.
  cjs: { format: 'cjs', exports: 'named', esModule: true, dynamicImportInCjs: false },
} as const satisfies Record<string, OutputOptions>;

/**
 * Chunks that are not left to the bundler. Each takes along what it imports, unless a chunk above it has that already.
 *
 * The kinds are one file, since 60 small ones cost three times as much to load. Their base is a file of its own, since the definitions stand on
 * it too and must not bring all kinds along.
 */
const CHUNKS = [
  {
    name: 'kind',
    priority: 2,
    test: /[\\/]src[\\/]kubernetes[\\/](apimachinery[\\/](errors|kind|object)|kinds[\\/](define-kind|errors))\.ts$/,
  },
  { name: 'builtin-schemas', priority: 1, test: /[\\/]imports[\\/]schemas[\\/]/ },
  { name: 'kinds', priority: 1, test: /[\\/]imports[\\/]kinds[\\/]/ },
];

/** Writes `lib/esm` and `lib/cjs`: the same modules twice, one file per entry point, and shared chunks so that nothing is loaded or defined twice. */
export async function bundle(): Promise<void> {
  const manifest = readManifest();
  const doors = entryPoints(manifest);
  await write('cjs', doors);
  await write('esm', [...doors, ...commands(manifest)]);
}

async function write(copy: keyof typeof OUTPUTS, entries: readonly { readonly source: string; readonly output: string }[]): Promise<void> {
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries.map(({ source, output }) => [output, join(root, source)])),
    external: isExternal,
    platform: 'node',
    // A warning is a module that would be missing, empty or evaluated in the wrong order at a user's: none may pass.
    onLog: (_level, log) => {
      throw new Error(log.message);
    },
  });
  const output = await build.write({
    ...OUTPUTS[copy],
    dir: join(root, 'lib', copy),
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    codeSplitting: { groups: CHUNKS },
    // Documentation belongs to the declarations; here it would only be parsed at each start.
    comments: { legal: true, annotation: true, jsdoc: false },
  });
  await build.close();
  refuseForeignModules(output);
}

const isExternal = (specifier: string): boolean => !specifier.startsWith('.') && !specifier.startsWith('/');

/** Refuses modules that a user's package manager does not install with keelson. They would be found here, in the development tree, and missing there. */
function refuseForeignModules({ output }: RolldownOutput): void {
  const { dependencies, peerDependencies } = readManifest();
  const installed = new Set([...Object.keys(dependencies), ...Object.keys(peerDependencies), ...builtinModules]);
  const packageOf = (specifier: string): string => specifier.replace(/^node:/, '').match(/^(@[^/]+\/)?[^/]+/)?.[0] ?? specifier;
  for (const chunk of output) {
    if (chunk.type !== 'chunk') continue;
    const own = new Set(output.map(({ fileName }) => fileName));
    const foreign = [...chunk.imports, ...chunk.dynamicImports].filter((name) => !own.has(name) && !installed.has(packageOf(name)));
    if (foreign.length > 0)
      throw new Error(`${chunk.fileName} imports ${foreign.join(', ')}: list it in dependencies or peerDependencies of package.json`);
  }
}
