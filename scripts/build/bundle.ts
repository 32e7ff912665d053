import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { type OutputOptions, type RolldownOutput, rolldown } from 'rolldown';
import { commands, entryPoints, readManifest, root } from './entry-points.js';

const OUTPUTS = { esm: { format: 'esm' }, cjs: { format: 'cjs', exports: 'named', esModule: true } } as const satisfies Record<
  string,
  OutputOptions
>;

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
    // What `includeDependenciesRecursively: false` below asks for. That no entry point is extended with a name is tested (test/packaging).
    preserveEntrySignatures: 'allow-extension',
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
    // All built-in kinds in one file: 60 small files cost three times as long to load as the one.
    // They stand alone: what the definitions need too (errors, names) must not bring the kinds along.
    codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: 'kinds', test: /[\\/]imports[\\/]kinds[\\/]/ }] },
    // Documentation belongs to the declarations; here it would only be parsed at each start.
    comments: { legal: true, annotation: true, jsdoc: false },
  });
  await build.close();
  refuseForeignModules(output);
}

const isExternal = (specifier: string): boolean => !specifier.startsWith('.') && !specifier.startsWith('/');

/** What a user's package manager installs with keelson. Anything else would be found here, in the development tree, and missing there. */
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
