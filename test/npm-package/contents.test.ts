import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { doorsOf } from '../../scripts/build/entry-points.js';
import { workspacePackages } from '../../scripts/build/packages.js';
import { consumer, run, tarballs } from './consumer.js';

/** What is in a tarball, by the name of the package. */
const filesOf = Object.fromEntries(
  Object.entries(tarballs).map(([name, tarball]) => [
    name,
    execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((file) => file.replace(/^package\//, ''))
      .sort(),
  ]),
);
const names = Object.keys(tarballs);
const { keelson: files = [] } = filesOf;

const PROMISED = [
  /^(package\.json|README\.md|LICENSE)$/,
  /^lib\/(esm|cjs)\/.+\.js$/,
  /^lib\/types\/.+\.d\.ts$/,
  /^lib\/(cjs|types)\/package\.json$/,
];
/** The shapes of what commands write with `--output json`. */
const PROMISED_OF_CLI = [...PROMISED, /^schemas\/[a-z-]+\.v\d+\.json$/];
const PROMISED_OF_KEELSON = [
  /^(CHANGELOG|CONTRIBUTING|SECURITY)\.md$/,
  /^docs\/.+\.md$/,
  /^examples\/[^/]+\/((?:[^/]+\/)?[^/]+\.(ts|md)|Dockerfile)$/,
];

test.each(names)('nothing of %s is packed but what a user needs', (name) => {
  const promised = name === 'keelson' ? [...PROMISED, ...PROMISED_OF_KEELSON] : name === '@keelson/cli' ? PROMISED_OF_CLI : PROMISED;
  expect(filesOf[name]?.filter((file) => !file.endsWith('/') && !promised.some((pattern) => pattern.test(file)))).toEqual([]);
});

test.each(names)('what a user of %s needs is packed', (name) => {
  const doors = workspacePackages()
    .filter(({ manifest }) => manifest.name === name)
    .flatMap(doorsOf);
  const wanted = doors.flatMap(({ output, types }) => [`lib/esm/${output}.js`, `lib/cjs/${output}.js`, types.replace(/^src\/[^/]+\//, '')]);
  const commands =
    name === '@keelson/cli' || name === 'create-keelson' ? ['lib/esm/main.js'] : ['lib/cjs/package.json', 'lib/types/package.json'];
  expect(filesOf[name]).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json', ...commands, ...wanted]));
});

/** What `npm install keelson cdk8s constructs zod` brings of keelson. */
test('synthesis needs no more than 6 MB of keelson, and no package of the runtime or of the command', () => {
  const synthesis = ['keelson', '@keelson/kubernetes'].map((name) => join(consumer, 'node_modules', name));
  const bytes = synthesis.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((file) => statSync(join(folder, file)))
      .map((found) => (found.isFile() ? found.size : 0)),
  );
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(6_000_000);
  const needed = new Set<string>();
  const add = (name: string): void => {
    if (needed.has(name)) return;
    needed.add(name);
    const { dependencies = {} } = JSON.parse(readFileSync(join(consumer, 'node_modules', name, 'package.json'), 'utf8')) as {
      readonly dependencies?: Readonly<Record<string, string>>;
    };
    Object.keys(dependencies).forEach(add);
  };
  add('keelson');
  expect([...needed].sort()).toEqual(['@keelson/kubernetes', 'keelson', 're2js', 'yaml']);
});

test('what the pages of the package link to is in the package', () => {
  const pages = files.filter((file) => file.endsWith('.md'));
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/tutorial.md', 'examples/memcached/README.md']));
  const missing = pages.flatMap((page) => linksOf(page).filter((target) => !files.includes(target) && !isFolder(target)));
  expect(missing).toEqual([]);
});

/** Relative targets, from the root of the package; code is not a link. */
function linksOf(page: string): string[] {
  const text = readFileSync(join(consumer, 'node_modules/keelson', page), 'utf8');
  const prose = text.replace(/^(```+)[\s\S]*?^\1\s*$/gm, '').replace(/`[^`\n]*`/g, '');
  const targets = [...prose.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, target = '']) => target);
  return targets.filter((target) => !/^[a-z]+:/.test(target)).map((target) => join(dirname(page), target));
}

const isFolder = (path: string): boolean => files.some((file) => file.startsWith(path.replace(/\/?$/, '/')));

test.each(names)('no file of %s tells where it was built', (name) => {
  const folder = join(consumer, 'node_modules', name);
  const text = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => statSync(join(folder, file)).isFile());
  expect(text.filter((file) => readFileSync(join(folder, file), 'utf8').includes(process.cwd()))).toEqual([]);
});

const typed = names.filter((name) => name !== '@keelson/cli' && name !== 'create-keelson');

/** Both tools object to one tree of declarations for both module systems, and to nothing else: docs/decisions/002-dual-build.md. */
test.each(typed)('publint finds one thing in %s: the declarations that ESM consumers read say CommonJS', (name) => {
  const { output } = run(process.execPath, [join(process.cwd(), 'node_modules/publint/src/cli.js'), '--strict', tarballs[name] ?? '']);
  const findings = output.split('\n').filter((line) => /^\d+\. /.test(line));
  // Of a package without a main entry point it says nothing.
  expect(findings.length > 0).toBe(name !== '@keelson/kubernetes');
  expect(findings.filter((finding) => !finding.includes('types is interpreted as CJS when resolving with the "import" condition'))).toEqual(
    [],
  );
});

interface AttwReport {
  readonly problems?: Readonly<Record<string, readonly unknown[]>>;
}

test.each(typed)('"are the types wrong?" finds the same in %s and nothing else', (name) => {
  const attw = join(process.cwd(), 'node_modules/@arethetypeswrong/cli/dist/index.js');
  const { output } = run(process.execPath, [attw, '--format', 'json', tarballs[name] ?? '']);
  const { problems = {} } = JSON.parse(output) as AttwReport;
  expect(Object.keys(problems)).toEqual(['FalseCJS']);
});
