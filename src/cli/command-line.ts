import { didYouMean, OperatorError, stackOf } from '@keelson/kubernetes/apimachinery';
import { KEELSON_VERSION } from './keelson-version.js';
import type { Terminal } from './terminal.js';
import { loadUsage } from './usage/load-usage.js';
import { type CommandName, isCommandName, SUMMARIES } from './usage/summaries.js';

const USAGE = `Usage: keelson <command> [options]

Commands:
${Object.entries(SUMMARIES)
  .map(([name, summary]) => `  ${name.padEnd(15)} ${summary}\n`)
  .join('')}
Options:
  -h, --help     show this text, or with a command the command's
      --version  show the version

Exit status: 0 done, 1 failed, 2 wrong command line, 130 interrupted before it was done. With plan
the status 2 says that something changes, and a wrong command line has the status 1.

Example:
  keelson init my-operator --group cache.example.com --kind Memcached
`;

/** Resolves with an exit status of its own, if it has one besides 0. */
type Command = (args: readonly string[], terminal: Terminal) => Promise<void> | Promise<number>;

/** Each is loaded when it is called: none pays for what the others need. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  apiserver: async () => (await import('./apiserver/index.js')).runApiServer,
  completion: async () => (await import('./completion/index.js')).runCompletion,
  create: async () => (await import('./create/index.js')).runCreate,
  dev: async () => (await import('./dev/index.js')).runDev,
  // The operator's side of `dev`: not for people.
  'dev-child': async () => (await import('./dev/operator-process.js')).runOperatorProcess,
  diff: async () => (await import('./diff/index.js')).runDiff,
  docs: async () => (await import('./docs/index.js')).runDocs,
  graph: async () => (await import('./docs/index.js')).runGraph,
  import: async () => (await import('./import/index.js')).runImport,
  init: async () => (await import('./init/index.js')).runInit,
  'kubectl-plugin': async () => (await import('./kubectl-plugin/index.js')).runKubectlPlugin,
  package: async () => (await import('./package/index.js')).runPackage,
  plan: async () => (await import('./plan/index.js')).runPlan,
  render: async () => (await import('./render/index.js')).runRender,
  validate: async () => (await import('./validate/index.js')).runValidate,
  why: async () => (await import('./why/index.js')).runWhy,
};

/** The shells' own number for a program that SIGINT ended is 128 + 2. */
const EXIT = { ok: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/**
 * Runs one command and returns the process's exit status: 0 done, 1 failed, 2 wrong use, 130 interrupted before it was done; or the command's own.
 *
 * Errors that keelson or the system throws on purpose are one line on standard error; anything else is a bug and keeps its stack.
 */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  const help = await helpIn(args);
  if (help !== undefined) {
    terminal.out(help);
    return EXIT.ok;
  }
  if (name === '--version') {
    terminal.out(`${KEELSON_VERSION}\n`);
    return EXIT.ok;
  }
  const load = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load === undefined) {
    const asked = name === 'help' ? rest[0] : name;
    terminal.error(`keelson: ${asked === undefined ? 'no command given' : unknownText(asked)}\n\n${USAGE}`);
    return EXIT.usage;
  }
  try {
    const command = await load();
    return (await command(rest, terminal)) ?? EXIT.ok;
  } catch (error) {
    return await report(error, name ?? '', terminal);
  } finally {
    terminal.progress?.('');
  }
}

function unknownText(word: string): string {
  if (word.startsWith('-')) return `unknown option ${word}`;
  return `unknown command ${word}${didYouMean(word, Object.keys(SUMMARIES))}`;
}

const isHelp = (word: string | undefined): boolean => word === '--help' || word === '-h';

/** The page that is asked for; a command is not loaded for its own. */
async function helpIn(args: readonly string[]): Promise<string | undefined> {
  const [first, second] = args;
  if (isHelp(first) || (first === 'help' && second === undefined)) return USAGE;
  const [name, words] = first === 'help' ? [second, ['--help']] : [first, args];
  const end = words.indexOf('--');
  const isAsked = (end === -1 ? words : words.slice(0, end)).some(isHelp);
  return isAsked && isCommandName(name) ? (await loadUsage(name)).help : undefined;
}

async function report(error: unknown, command: string, terminal: Terminal): Promise<number> {
  terminal.progress?.('');
  if (OperatorError.isOperatorError(error)) {
    const usage = error.code === 'KEELSON_CLI_USAGE';
    terminal.error(`${error.message}\n${usage ? hint(command) : ''}`);
    if (error.code === 'KEELSON_INTERRUPTED') return EXIT.interrupted;
    return usage ? usageStatus(command) : EXIT.failed;
  }
  if (isParseError(error)) {
    terminal.error(`keelson ${command}: ${await parseErrorText(error, command)}\n${hint(command)}`);
    return usageStatus(command);
  }
  terminal.error(`keelson ${command}: ${stackOf(error)}\n`);
  return EXIT.failed;
}

/** The 2 of `plan` says that something changes: a pipeline that lets it pass must not let a wrong option pass. */
function usageStatus(command: string): number {
  return command === 'plan' ? EXIT.failed : EXIT.usage;
}

/** An error of `parseArgs`, known by its code: `instanceof` is false where a test runner has an `Error` of its own. */
function isParseError(error: unknown): error is { readonly message: string } {
  return typeof error === 'object' && error !== null && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

/** Says a missing value and an unknown option in the command's words: Node's message about the option explains operands with a dash, which no command has. */
async function parseErrorText({ message }: { readonly message: string }, command: string): Promise<string> {
  const [, valued] = /^Option '(?:-\w, )?(--\S+) <value>' argument missing/.exec(message) ?? [];
  if (valued !== undefined) return `${valued}: its value is missing`;
  const [, option] = /^Unknown option '(-[^']*)'/.exec(message) ?? [];
  if (option === undefined) return message;
  const known = isCommandName(command) ? await optionsOf(command) : [];
  return `unknown option ${option}${option.startsWith('--') ? didYouMean(option, known) : ''}`;
}

/** As they are written: `--out`, `--no-install`. */
async function optionsOf(command: CommandName): Promise<readonly string[]> {
  const { options, negatable = [] } = await loadUsage(command);
  return [...Object.keys(options), ...negatable.map((name) => `no-${name}`)].map((name) => `--${name}`);
}

function hint(command: string): string {
  return `See keelson ${command} --help.\n`;
}
