import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { entryPoints, readManifest } from '../../scripts/build/entry-points.js';

interface TypeScriptConfig {
  readonly compilerOptions: { readonly paths: Readonly<Record<string, readonly string[]>> };
}

const manifest = readManifest();
const { paths } = (JSON.parse(readFileSync('tsconfig.json', 'utf8')) as TypeScriptConfig).compilerOptions;

/** Where a public name leads in the sources: `exports` says it for users, and two other places have to agree with it. */
const doors = Object.entries(manifest.exports).flatMap(([subpath, conditions]) =>
  typeof conditions !== 'object' || conditions === null
    ? []
    : [{ name: `keelson${subpath.slice(1)}`, types: conditions.types, source: sourceOf(conditions.types) }],
);

function sourceOf(types: string): string {
  return types.replace('./lib/types/', '').replace('.d.ts', '.ts');
}

test('the compiler finds each public name at the source behind the entry point', () => {
  expect(paths).toEqual(Object.fromEntries(doors.map(({ name, source }) => [name, [`./${source}`]])));
});

test('a consumer whose compiler does not read `exports` (node10) finds the same declarations', () => {
  const expected = doors.filter(({ name }) => name !== 'keelson').map(({ name, types }) => [name.slice('keelson/'.length), [types]]);
  expect(manifest.typesVersions).toEqual({ '*': Object.fromEntries(expected) });
});

test('each group and version of the built-in kinds is an entry point', () => {
  const specifiers = entryPoints().map(({ specifier }) => specifier);
  expect(specifiers).toEqual(expect.arrayContaining(['keelson/kinds/core/v1', 'keelson/kinds/apps/v1']));
});

test('two entry points never share an output file', () => {
  const outputs = entryPoints().map(({ output }) => output);
  expect(outputs).toEqual([...new Set(outputs)]);
});

test.each(['src', 'scripts', 'test'])('a file in %s/ is named by what it holds', (folder) => {
  const homeless = /^(utils?|helpers?|common|misc|shared|types)\.ts$/;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(files.filter((file) => homeless.test(basename(file)))).toEqual([]);
});

test('each door opens with a sentence that says what the folder is', () => {
  const doorFiles = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => basename(file) === 'index.ts');
  expect(doorFiles.filter((file) => !/^\/\*\*\s[^/]*[a-z]/.test(readFileSync(join('src', file), 'utf8')))).toEqual([]);
});
