import { runCommandLine, type Terminal } from '../../src/cli/index.js';

/** The commands of keelson, as the help lists them. */
export const COMMANDS = [
  'apiserver',
  'completion',
  'create',
  'dev',
  'diff',
  'docs',
  'graph',
  'import',
  'init',
  'kubectl-plugin',
  'package',
  'plan',
  'render',
  'validate',
  'why',
];

export interface Ran {
  readonly status: number;
  readonly out: string;
  readonly error: string;
}

/** Runs a command line in a folder, without a terminal to ask at, and with nothing to read unless `terminal` has it. */
export async function runIn(directory: string, args: readonly string[], terminal: Partial<Terminal> = {}): Promise<Ran> {
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
    readInput: async () => '',
    interrupted: () => new Promise(() => undefined),
    ...terminal,
  });
  return { status, ...written };
}
