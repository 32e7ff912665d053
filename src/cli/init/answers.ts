import { InterruptedError, UsageError } from '../errors.js';
import {
  groupProblem,
  type KeelsonPackages,
  kindNames,
  kindProblem,
  type ModuleFormat,
  type Project,
  projectNameProblem,
  type TestRunner,
  versionProblem,
} from '../scaffold/index.js';

/** The command line's part of the answers; what is `undefined` is asked for, or has a default. */
export type Given = Partial<{ readonly [Name in keyof Answers]: Answers[Name] | undefined }> & Pick<Answers, 'keelson'>;

export interface Answers {
  readonly folder: string;
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  readonly version: string;
  readonly webhooks: boolean;
  readonly conversion: boolean;
  readonly runner: TestRunner;
  readonly format: ModuleFormat;
  readonly keelson: KeelsonPackages;
}

export interface Surroundings {
  /** `undefined` where nothing may be asked. */
  readonly ask: ((question: string) => Promise<string | undefined>) | undefined;
  readonly out: (text: string) => void;
  /** The last part of a folder's path. */
  readonly nameOf: (folder: string) => string;
  /** Rejects for a folder that cannot be written to: before anything else is asked. */
  readonly refuseFolder: (folder: string) => Promise<void>;
}

/** The version that `--conversion` keeps beside the stored one. */
const OLDER_VERSION = 'v1alpha1';

interface Question<T> {
  readonly flag: string;
  readonly text: string;
  readonly given: T | undefined;
  /** `undefined` where there is no answer but the user's. */
  readonly otherwise?: T;
  readonly parse: (line: string) => T | { readonly problem: string };
}

/**
 * Completes what the command line gives, by questions where a terminal is there, else by defaults.
 *
 * @throws UsageError for a value that is missing or wrong, with its flag
 */
export async function projectOf(given: Given, around: Surroundings): Promise<{ readonly folder: string; readonly project: Project }> {
  refuseMissing(given, around);
  const answer = <T>(question: Question<T>): Promise<T> => answerOf(question, around);
  const folder = await answer({ flag: 'FOLDER', text: 'Folder', given: given.folder, parse: checked(emptyProblem) });
  await around.refuseFolder(folder);
  const name = nameOf(given, folder, around.nameOf);
  const group = await answer({
    flag: '--group',
    text: 'API group, a domain that you own',
    given: given.group,
    parse: checked(groupProblem),
  });
  const kind = await answer({ flag: '--kind', text: 'Kind, in CamelCase', given: given.kind, parse: checked(kindProblem) });
  return { folder, project: { name, group, names: kindNames(kind), ...(await choicesOf(given, around)), keelson: given.keelson } };
}

/** The answers that have a default. */
async function choicesOf(
  given: Given,
  around: Surroundings,
): Promise<Pick<Project, 'version' | 'olderVersion' | 'webhooks' | 'runner' | 'format'>> {
  const choose = (flag: 'webhooks' | 'conversion', text: string): Promise<boolean> =>
    answerOf({ flag: `--${flag}`, text, given: given[flag], otherwise: false, parse: yesOrNo }, around);
  const webhooks = await choose('webhooks', 'Webhooks');
  const conversion = await choose('conversion', `An older version, ${OLDER_VERSION}, that is converted`);
  const olderProblem = (version: string): string | undefined =>
    conversion && version === OLDER_VERSION ? 'is the older version of --conversion; give a newer one, for example v1beta1' : undefined;
  const version = await answerOf(
    {
      flag: '--version',
      text: 'Version',
      given: given.version,
      otherwise: conversion ? 'v1beta1' : OLDER_VERSION,
      parse: checked((line) => versionProblem(line) ?? olderProblem(line)),
    },
    around,
  );
  const runner = await answerOf<TestRunner>(
    { flag: '--vitest or --jest', text: 'Test runner, vitest or jest', given: given.runner, otherwise: 'vitest', parse: runnerOf },
    around,
  );
  const format = await answerOf<ModuleFormat>(
    { flag: '--esm or --commonjs', text: 'Modules, esm or commonjs', given: given.format, otherwise: 'esm', parse: formatOf },
    around,
  );
  return { version, olderVersion: conversion ? OLDER_VERSION : undefined, webhooks, runner, format };
}

/** @throws UsageError for a name that a package or an operator cannot have */
export function nameOf({ name: given }: Pick<Given, 'name'>, folder: string, nameOfFolder: (folder: string) => string): string {
  const name = given ?? nameOfFolder(folder);
  const problem = projectNameProblem(name);
  if (problem === undefined) return name;
  if (given !== undefined) throw new UsageError(`keelson init: --name ${name}: ${problem}; give another`);
  throw new UsageError(`keelson init: the folder's name, ${name}: ${problem}; give another with --name`);
}

const emptyProblem = (line: string): string | undefined => (line === '' ? 'a folder is needed, for example my-operator' : undefined);

/** All that is missing at once, where it cannot be asked for. */
function refuseMissing({ folder, group, kind }: Given, { ask }: Surroundings): void {
  if (ask !== undefined) return;
  const missing = [
    ...(folder === undefined ? ['FOLDER'] : []),
    ...(group === undefined ? ['--group'] : []),
    ...(kind === undefined ? ['--kind'] : []),
  ];
  if (missing.length === 0) return;
  const example = `keelson init ${folder ?? 'my-operator'} --group ${group ?? 'cache.example.com'} --kind ${kind ?? 'Memcached'}`;
  throw new UsageError(
    `keelson init: ${missing.join(', ')}: not given, and nothing is asked without a terminal or with --yes; for example: ${example}`,
  );
}

async function answerOf<T>({ flag, text, given, otherwise, parse }: Question<T>, { ask, out }: Surroundings): Promise<T> {
  if (given !== undefined) {
    const value = typeof given === 'string' ? parse(given) : given;
    if (isProblem(value)) throw new UsageError(`keelson init: ${flag} ${String(given)}: ${value.problem}`);
    return value;
  }
  if (ask === undefined) return otherwise as T;
  const hint = otherwise === undefined ? '' : ` (${shownDefault(otherwise)})`;
  for (;;) {
    const line = await ask(`${text}${hint}: `);
    if (line === undefined) throw new InterruptedError('keelson init: interrupted; nothing was written');
    const typed = line.trim();
    if (typed === '' && otherwise !== undefined) return otherwise;
    const value = typed === '' ? { problem: 'there is no default; give an answer, or Ctrl-C to end' } : parse(typed);
    if (!isProblem(value)) return value;
    out(`  ${typed === '' ? '' : `${typed}: `}${value.problem}\n`);
  }
}

function isProblem(value: unknown): value is { readonly problem: string } {
  return typeof value === 'object' && value !== null && 'problem' in value;
}

function shownDefault(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Y/n' : 'y/N';
  return String(value);
}

function checked(problemOf: (line: string) => string | undefined): Question<string>['parse'] {
  return (line) => {
    const problem = problemOf(line);
    return problem === undefined ? line : { problem };
  };
}

const yesOrNo: Question<boolean>['parse'] = (line) => {
  const word = line.toLowerCase();
  if (['y', 'yes'].includes(word)) return true;
  return ['n', 'no'].includes(word) ? false : { problem: 'answer y or n' };
};

const runnerOf: Question<TestRunner>['parse'] = (line) =>
  line === 'vitest' || line === 'jest' ? line : { problem: 'is not a test runner that is known here; answer vitest or jest' };

const formatOf: Question<ModuleFormat>['parse'] = (line) =>
  line === 'esm' || line === 'commonjs' ? line : { problem: 'is not a module format; answer esm or commonjs' };
