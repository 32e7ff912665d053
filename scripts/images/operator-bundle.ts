import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { type RolldownOutput, rolldown } from 'rolldown';

/**
 * The entry point of an operator with all that it imports, as one ES module without comments: a container reads one file instead of hundreds.
 *
 * @throws Error if the entry point imports a package that is not there
 */
export async function bundleOperator(root: string, entry: string): Promise<string> {
  const build = await rolldown({
    cwd: root,
    input: join(root, entry),
    platform: 'node',
    tsconfig: join(root, 'tsconfig.json'),
    external: [...builtinModules, /^node:/],
    onLog: (_level, log) => {
      throw new Error(log.message);
    },
  });
  try {
    return onlyFile(await build.generate({ format: 'esm', codeSplitting: false, comments: false }));
  } finally {
    await build.close();
  }
}

function onlyFile({ output }: RolldownOutput): string {
  const [chunk, ...others] = output;
  if (others.length > 0) throw new Error(`the bundle has more than one file: ${others.map(({ fileName }) => fileName).join(', ')}`);
  return chunk.code;
}
