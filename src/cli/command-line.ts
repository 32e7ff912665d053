import { OperatorError, stackOf } from '../kubernetes/index.js';
import { KEELSON_VERSION } from './keelson-version.js';
import type { Terminal } from './terminal.js';

const USAGE = `Usage: keelson <command> [options]

Commands:
  apiserver  run a Kubernetes API server in memory, for kubectl and operators under development
  create     add a kind, a controller or a webhook to a project
  import     write TypeScript kinds for the CustomResourceDefinitions of others
  init       start a project: a kind, its controller, tests, manifests, an image

keelson <command> --help tells more about a command; keelson --version shows the version.
`;

type Command = (args: readonly string[], terminal: Terminal) => Promise<void>;

/** Each is loaded when it is called: none pays for what the others need. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  apiserver: async () => (await import('./apiserver/index.js')).runApiServer,
  create: async () => (await import('./create/index.js')).runCreate,
  import: async () => (await import('./import/index.js')).runImport,
  init: async () => (await import('./init/index.js')).runInit,
};

const EXIT = { ok: 0, failed: 1, usage: 2 } as const;

/**
 * Runs one command and returns the process's exit status: 0 done, 1 failed, 2 wrong use.
 *
 * Errors that keelson or the system throws on purpose are one line on standard error; anything else is a bug and keeps its stack.
 */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  if (name === '--help' || name === '-h' || name === 'help') {
    terminal.out(USAGE);
    return EXIT.ok;
  }
  if (name === '--version') {
    terminal.out(`${KEELSON_VERSION}\n`);
    return EXIT.ok;
  }
  const load = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load === undefined) {
    const problem = name === undefined ? 'no command given' : `unknown ${name.startsWith('-') ? 'option' : 'command'} ${name}`;
    terminal.error(`keelson: ${problem}\n\n${USAGE}`);
    return EXIT.usage;
  }
  try {
    const command = await load();
    await command(rest, terminal);
    return EXIT.ok;
  } catch (error) {
    return report(error, name ?? '', terminal);
  }
}

function report(error: unknown, command: string, terminal: Terminal): number {
  if (OperatorError.isOperatorError(error)) {
    const usage = error.code === 'KEELSON_CLI_USAGE';
    terminal.error(`${error.message}\n${usage ? hint(command) : ''}`);
    return usage ? EXIT.usage : EXIT.failed;
  }
  if (isParseError(error)) {
    terminal.error(`keelson ${command}: ${error.message}\n${hint(command)}`);
    return EXIT.usage;
  }
  terminal.error(`keelson ${command}: ${stackOf(error)}\n`);
  return EXIT.failed;
}

/** An error of `parseArgs`, known by its code: `instanceof` is false where a test runner has an `Error` of its own. */
function isParseError(error: unknown): error is { readonly message: string } {
  return typeof error === 'object' && error !== null && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

function hint(command: string): string {
  return `See keelson ${command} --help.\n`;
}
