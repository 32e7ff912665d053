import { readdir } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf, shellWord } from '@keelson/kubernetes/apimachinery';
import { Collected } from '../collected.js';
import { ScaffoldError, UsageError } from '../errors.js';
import { type ProjectFile, type ProjectSettings, projectFiles, writeNewFiles } from '../scaffold/index.js';
import type { Terminal } from '../terminal.js';
import { INIT } from '../usage/index.js';
import { type Given, nameOf, projectOf } from './answers.js';
import { keelsonFrom } from './keelson-source.js';

/** `keelson init`. Everything is asked and checked before the first file is written. */
export async function runInit(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: INIT.options, allowPositionals: true, allowNegative: true });
  if (positionals.length > 1) throw new UsageError(`keelson init: one folder is expected, got ${positionals.join(' ')}`);
  refuseBoth(values, ['jest', 'vitest']);
  refuseBoth(values, ['esm', 'commonjs']);
  if (values.from === undefined && (values.skip !== undefined || values['allow-pruning'] !== undefined))
    throw new UsageError('keelson init: --skip and --allow-pruning belong to --from; give a file or a folder of CRDs with it');
  if (values.from !== undefined) return initFrom({ ...values, from: values.from }, positionals[0], terminal);
  const given: Given = {
    ...values,
    folder: positionals[0],
    runner: oneOf(values, ['vitest', 'jest']),
    format: oneOf(values, ['esm', 'commonjs']),
    keelson: await keelsonFrom(values.keelson, resolve(terminal.directory, positionals[0] ?? '.')),
  };
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

type Switches = Partial<Readonly<Record<'vitest' | 'jest' | 'esm' | 'commonjs', boolean | undefined>>>;

type FromValues = Omit<Given, 'folder' | 'runner' | 'format' | 'keelson'> &
  Switches & {
    readonly keelson: string;
    readonly from: string;
    readonly skip?: readonly string[] | undefined;
    readonly 'allow-pruning'?: boolean | undefined;
  };

/** `keelson init --from`. Nothing is asked: the kinds say everything. */
async function initFrom(values: FromValues, folder: string | undefined, terminal: Terminal): Promise<void> {
  const { directory, progress = () => undefined } = terminal;
  const foreign = (['group', 'kind', 'version', 'webhooks', 'conversion'] as const).filter((option) => values[option] !== undefined);
  if (foreign.length > 0) throw new UsageError(`keelson init: --${foreign.join(', --')}: the CRDs of --from say it; leave it out`);
  if (folder === undefined)
    throw new UsageError('keelson init: FOLDER: not given; for example: keelson init my-operator --from config/crd/bases');
  const name = nameOf({ name: values.name }, folder, (path) => basename(resolve(directory, path)));
  await refuseUsedFolder(resolve(directory, folder), folder);
  progress(`reading ${values.from}`);
  // YAML and the definitions are loaded for CRDs alone.
  const [{ foundCrds }, { crdProject }] = await Promise.all([import('./found-crds.js'), import('./crd-project.js')]);
  const around: ProjectSettings = {
    name,
    runner: oneOf(values, ['vitest', 'jest']) ?? 'vitest',
    format: oneOf(values, ['esm', 'commonjs']) ?? 'esm',
    keelson: await keelsonFrom(values.keelson, resolve(directory, folder)),
  };
  const problems = new Collected();
  const found = await foundCrds(values.from, directory, { problems, skip: values.skip });
  const allowsPruning = values['allow-pruning'] === true;
  const { files, differences } = crdProject(found, { ...around, allowsPruning, problems, progress });
  await writeNewFiles(resolve(directory, folder), files, folder);
  progress('');
  const beside = differences === '' ? '' : `\nBeside the CRDs, as README.md has it too:\n\n${differences}`;
  terminal.out(`${report(folder, files, resolve(directory, folder) === directory)}${beside}`);
}

/** @throws UsageError when both of two switches are on */
function refuseBoth(values: Switches, [one, other]: readonly [keyof Switches, keyof Switches]): void {
  if (values[one] === true && values[other] === true)
    throw new UsageError(`keelson init: --${one} and --${other} exclude each other; give one`);
}

/** The choice of two switches, of which each says the contrary of the other; `undefined` when neither is given. */
function oneOf<One extends keyof Switches, Other extends keyof Switches>(
  values: Switches,
  [one, other]: readonly [One, Other],
): One | Other | undefined {
  if (values[one] === true || values[other] === false) return one;
  return values[other] === true || values[one] === false ? other : undefined;
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
