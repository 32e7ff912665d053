import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript-5.9';
import { doorsOf } from '../../scripts/build/entry-points.js';
import { workspacePackages } from '../../scripts/build/packages.js';
import { suites } from '../../scripts/ci/suites.js';

/**
 * A keyed suite runs only when one of the inputs of its task in turbo.json changed. So what its tests load must be among them: a file that is not would
 * change what a suite says, and the results of an older commit would stand for it.
 */

interface Turbo {
  readonly tasks: Readonly<Record<string, { readonly inputs: readonly string[]; readonly outputs: readonly string[] }>>;
}

const { tasks } = JSON.parse(readFileSync('turbo.json', 'utf8')) as Turbo;
const doors = new Map(
  workspacePackages()
    .flatMap(doorsOf)
    .map(({ specifier, source }) => [specifier, source]),
);

/** `src/kubernetes/cel/**` covers what the folder holds, any other input is one file. */
function covers(input: string, file: string): boolean {
  return input.endsWith('/**') ? file.startsWith(input.slice(0, -2)) : input === file;
}

/** Files of the tree that a file loads. Imports of types alone load nothing. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8').replaceAll(/^(import|export) type [^;]*;$/gm, '');
  return ts.preProcessFile(text).importedFiles.flatMap(({ fileName }) => {
    if (!fileName.startsWith('.')) return doors.get(fileName) ?? [];
    const path = join(dirname(file), fileName);
    return [path.replace(/\.js$/, '.ts'), path].find((candidate) => existsSync(resolve(candidate))) ?? [];
  });
}

/** All files that these files load, with themselves. */
function loadedBy(files: readonly string[]): ReadonlySet<string> {
  const loaded = new Set(files);
  // A set that grows is walked to its end.
  for (const file of loaded) for (const imported of importsOf(file)) loaded.add(imported);
  return loaded;
}

const testFiles = ts.sys.readDirectory('test', ['.test.ts']).map((file) => file.replace(`${process.cwd()}/`, ''));
const keyed = suites.filter(({ isKeyed }) => isKeyed);

test.each(keyed)('$name depends on nothing that its task does not name', ({ name, tests = [], config }) => {
  const inputs = tasks[`//#suite:${name}`]?.inputs ?? [];
  const files = testFiles.filter((file) => tests.some((pattern) => new RegExp(pattern).test(`/${file}`)));
  expect(files.length).toBeGreaterThan(20);
  const loaded = loadedBy([config, ...files]);
  expect([...loaded].filter((file) => !inputs.some((input) => covers(input, file)))).toEqual([]);
});

test.each(keyed)('the task of $name names nothing that does not exist, and its results', ({ name }) => {
  const task = tasks[`//#suite:${name}`];
  const named = task?.inputs.filter((input) => !input.startsWith('!'));
  expect(named?.filter((input) => !existsSync(input.replace('/**', '')))).toEqual([]);
  expect(task?.outputs).toEqual([`.results/${name}.json`]);
});
