import { readdir } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '../../kubernetes/index.js';
import { ScaffoldError, UsageError } from '../errors.js';
import { KEELSON_VERSION } from '../keelson-version.js';
import { type ProjectFile, projectFiles, writeNewFiles } from '../scaffold/index.js';
import { shellWord } from '../shell-word.js';
import type { Terminal } from '../terminal.js';
import { type Answers, type Given, projectOf } from './answers.js';

const USAGE = `Usage: keelson init FOLDER --group GROUP --kind KIND [options]

Writes a new project of twelve files into FOLDER: a custom resource with its controller, tests, the
cdk8s app, the entry point, a Dockerfile and a workflow for CI. It installs nothing and overwrites
nothing. In a terminal it asks for what is not given.

Options:
  -g, --group GROUP      the API group: a domain that you own, for example cache.example.com
  -k, --kind KIND        the kind in CamelCase, for example Memcached
      --name NAME        name of the package and the operator (default: that of the folder)
      --version VERSION  version of the kind (default: v1alpha1; with --conversion v1beta1)
      --webhooks         adds a defaulting and a validating webhook
      --conversion       adds an older version, v1alpha1, that is converted
      --vitest           tests run with vitest (default)
      --jest             tests run with jest
      --keelson SPEC     where the project takes keelson from, as npm reads it: a version, or
                         file:/path/to/keelson.tgz (default: ^${KEELSON_VERSION})
  -y, --yes              asks nothing: takes the default for what is not given
  -h, --help             show this text

Example:
  keelson init my-operator --group cache.example.com --kind Memcached
`;

const OPTIONS = {
  group: { type: 'string', short: 'g' },
  kind: { type: 'string', short: 'k' },
  name: { type: 'string' },
  version: { type: 'string' },
  webhooks: { type: 'boolean' },
  conversion: { type: 'boolean' },
  vitest: { type: 'boolean' },
  jest: { type: 'boolean' },
  keelson: { type: 'string', default: `^${KEELSON_VERSION}` },
  yes: { type: 'boolean', short: 'y', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** `keelson init`. Everything is asked and checked before the first file is written. */
export async function runInit(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, allowNegative: true });
  if (values.help) return terminal.out(USAGE);
  if (positionals.length > 1) throw new UsageError(`keelson init: one folder is expected, got ${positionals.join(' ')}`);
  if (values.jest === true && values.vitest === true)
    throw new UsageError('keelson init: --jest and --vitest exclude each other; give one');
  const given: Given = { ...values, folder: positionals[0], runner: runnerOf(values) };
  const { folder, project } = await projectOf(given, {
    ask: values.yes ? undefined : terminal.ask,
    out: terminal.out,
    nameOf: (path) => basename(resolve(terminal.directory, path)),
    refuseFolder: (path) => refuseUsedFolder(resolve(terminal.directory, path), path),
  });
  const files = projectFiles(project);
  await writeNewFiles(resolve(terminal.directory, folder), files, folder);
  terminal.out(report(folder, files, resolve(terminal.directory, folder) === terminal.directory));
}

function runnerOf({
  jest,
  vitest,
}: {
  readonly jest?: boolean | undefined;
  readonly vitest?: boolean | undefined;
}): Answers['runner'] | undefined {
  if (jest === true || vitest === false) return 'jest';
  return vitest === true || jest === false ? 'vitest' : undefined;
}

/** @throws ScaffoldError when something is there: a project is made once */
async function refuseUsedFolder(folder: string, shown: string): Promise<void> {
  const entries = await readdir(folder).catch((error: unknown) => {
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return [];
    if (code === 'ENOTDIR') throw new ScaffoldError(`${shown}: is a file, or below a file; name a new folder`);
    throw new ScaffoldError(`${shown}: cannot be read: ${messageOf(error)}`, { cause: error });
  });
  // A repository that was just made is as good as empty.
  const found = entries.filter((entry) => entry !== '.git').sort();
  if (found.length === 0) return;
  const rest = found.length > 3 ? ` and ${found.length - 3} more` : '';
  throw new ScaffoldError(
    `${shown}: the folder is not empty (it holds ${found.slice(0, 3).join(', ')}${rest}); name a new one. To add to a project that is there, run keelson create in it`,
  );
}

function report(folder: string, files: readonly ProjectFile[], isHere: boolean): string {
  const list = files.map(({ path }) => `  ${path}\n`).join('');
  return `${folder}: ${files.length} files\n${list}\nNext:\n  ${isHere ? '' : `cd ${shellWord(folder)} && `}npm install\n  npm test\n`;
}
