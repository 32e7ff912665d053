import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { doorsOf } from '../../scripts/build/entry-points.js';
import { workspacePackages } from '../../scripts/build/packages.js';

interface TypeScriptConfig {
  readonly compilerOptions: { readonly paths: Readonly<Record<string, readonly string[]>> };
}

const { paths } = (JSON.parse(readFileSync('tsconfig.json', 'utf8')) as TypeScriptConfig).compilerOptions;
const packages = workspacePackages();

/** The source that the compiler takes for a name: of the longest pattern that fits, as it does it. */
function sourceOf(specifier: string): string | undefined {
  const fitting = Object.entries(paths).flatMap(([pattern, [target = '']]) => {
    const [before = '', after] = pattern.split('*');
    if (after === undefined) return pattern === specifier ? [{ before: `${pattern}*`, source: target }] : [];
    if (!specifier.startsWith(before) || !specifier.endsWith(after)) return [];
    return [{ before, source: target.replace('*', specifier.slice(before.length, specifier.length - after.length)) }];
  });
  return fitting.sort((a, b) => b.before.length - a.before.length)[0]?.source.replace('./', '');
}

test('the compiler finds each public name at the source behind the entry point', () => {
  const doors = workspacePackages().flatMap(doorsOf);
  expect(doors.length).toBeGreaterThan(80);
  expect(doors.map(({ specifier }) => [specifier, sourceOf(specifier)])).toEqual(doors.map(({ specifier, source }) => [specifier, source]));
});

test.each(packages)(
  'a consumer of $manifest.name whose compiler does not read `exports` (node10) finds the same declarations',
  ({ manifest }) => {
    const doors = Object.entries(manifest.exports ?? {}).flatMap(([subpath, conditions]) =>
      typeof conditions === 'object' && conditions !== null && subpath !== '.' ? [[subpath.slice(2), [conditions.types]]] : [],
    );
    expect(manifest.typesVersions?.['*'] ?? {}).toEqual(Object.fromEntries(doors));
  },
);

test('each group and version of the built-in kinds is an entry point', () => {
  const specifiers = workspacePackages()
    .flatMap(doorsOf)
    .map(({ specifier }) => specifier);
  expect(specifiers).toEqual(expect.arrayContaining(['keelson/kinds/core/v1', '@keelson/kubernetes/kinds/apps/v1']));
});

test.each(packages)('two entry points of $manifest.name never share an output file', (own) => {
  const outputs = doorsOf(own).map(({ output }) => output);
  expect(outputs).toEqual([...new Set(outputs)]);
});

/** A package that is installed next to another version of itself would be loaded twice. */
test('the packages ask for each other at exactly the version that they have', () => {
  const versions = new Map(packages.map(({ manifest }) => [manifest.name, manifest.version]));
  for (const { manifest } of packages)
    for (const [name, wanted] of Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies }))
      expect([manifest.name, name, versions.get(name) ?? wanted]).toEqual([manifest.name, name, wanted]);
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
