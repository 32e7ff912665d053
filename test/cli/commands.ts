import { runCommandLine } from '../../src/cli/index.js';

/** The commands of keelson, as the help lists them. */
export const COMMANDS = ['apiserver', 'completion', 'create', 'dev', 'import', 'init', 'package'];

/** Runs a command line in a folder, without a terminal to ask at. */
export async function runIn(
  directory: string,
  args: readonly string[],
  input = '',
): Promise<{ readonly status: number; readonly out: string; readonly error: string }> {
  const written = { out: '', error: '' };
  const status = await runCommandLine(args, {
    program: '',
    directory,
    out: (text) => {
      written.out += text;
    },
    error: (text) => {
      written.error += text;
    },
    readInput: async () => input,
    interrupted: () => new Promise(() => undefined),
  });
  return { status, ...written };
}
