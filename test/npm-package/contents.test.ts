import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { consumer, run, tarball } from './consumer.js';

const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' })
  .trim()
  .split('\n')
  .map((file) => file.replace(/^package\//, ''))
  .sort();

const PROMISED = [
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|CONTRIBUTING\.md|SECURITY\.md)$/,
  /^docs\/.+\.md$/,
  /^examples\/[^/]+\/((?:[^/]+\/)?[^/]+\.(ts|md)|Dockerfile)$/,
  /^lib\/(esm|cjs)\/.+\.js$/,
  /^lib\/types\/.+\.d\.ts$/,
  /^lib\/(cjs|types)\/package\.json$/,
];

test('nothing is packed but what a user needs', () => {
  expect(files.length).toBeGreaterThan(500); // a list that could not be read would pass
  expect(files.filter((file) => !PROMISED.some((pattern) => pattern.test(file)))).toEqual([]);
});

test('what a user needs is packed', () => {
  expect(files).toEqual(
    expect.arrayContaining([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'package.json',
      'lib/cjs/package.json',
      'lib/types/package.json',
      ...[
        'index',
        'kinds/index',
        'kinds/core/v1',
        'certificates/index',
        'constructs/index',
        'packaging/index',
        'runtime/index',
        'api-server/index',
        'testing/index',
      ].flatMap((name) => [`lib/esm/${name}.js`, `lib/cjs/${name}.js`]),
      ...[
        'src/keelson/index',
        'src/kubernetes/kinds/index',
        'imports/kinds/core/v1',
        'src/kubernetes/certificates/index',
        'src/keelson/constructs/index',
        'src/keelson/packaging/index',
        'src/api-server/index',
        'src/testing/index',
      ].map((name) => `lib/types/${name}.d.ts`),
      'lib/esm/cli/main.js',
    ]),
  );
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

const isFolder = (path: string): boolean => files.some((file) => file.startsWith(`${path}/`));

test('no file tells where it was built', () => {
  const folder = join(consumer, 'node_modules/keelson');
  const text = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => statSync(join(folder, file)).isFile());
  expect(text.filter((file) => readFileSync(join(folder, file), 'utf8').includes(process.cwd()))).toEqual([]);
});

/** Both tools object to one tree of declarations for both module systems, and to nothing else: docs/decisions/002-dual-build.md. */
test('publint finds one thing: the declarations that ESM consumers read say CommonJS', () => {
  const { output } = run(process.execPath, [join(process.cwd(), 'node_modules/publint/src/cli.js'), '--strict', tarball]);
  const findings = output.split('\n').filter((line) => /^\d+\. /.test(line));
  expect(findings.length).toBeGreaterThan(0);
  expect(findings.filter((finding) => !finding.includes('types is interpreted as CJS when resolving with the "import" condition'))).toEqual(
    [],
  );
});

interface AttwReport {
  readonly problems?: Readonly<Record<string, readonly unknown[]>>;
}

test('"are the types wrong?" finds the same and nothing else', () => {
  const attw = join(process.cwd(), 'node_modules/@arethetypeswrong/cli/dist/index.js');
  const { output } = run(process.execPath, [attw, '--format', 'json', tarball]);
  const { problems = {} } = JSON.parse(output) as AttwReport;
  expect(Object.keys(problems)).toEqual(['FalseCJS']);
});
