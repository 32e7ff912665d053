import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { consumer, run, tarball } from './consumer.js';

const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' })
  .trim()
  .split('\n')
  .map((file) => file.replace(/^package\//, ''))
  .sort();

const PROMISED = [
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
  /^lib\/(esm|cjs)\/.+\.js$/,
  /^lib\/types\/.+\.d\.ts$/,
  /^lib\/(cjs|types)\/package\.json$/,
];

test('nothing is packed but what a user needs', () => {
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
      ...['index', 'kinds/index', 'kinds/core/v1', 'constructs/index'].flatMap((name) => [`lib/esm/${name}.js`, `lib/cjs/${name}.js`]),
      ...['src/index', 'src/kinds/index', 'imports/kinds/core/v1', 'src/constructs/index'].map((name) => `lib/types/${name}.d.ts`),
      'lib/esm/cli/main.js',
    ]),
  );
});

test('no file tells where it was built', () => {
  const folder = join(consumer, 'node_modules/keelson');
  const text = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => statSync(join(folder, file)).isFile());
  expect(text.filter((file) => readFileSync(join(folder, file), 'utf8').includes(process.cwd()))).toEqual([]);
});

test('publint finds nothing', () => {
  const { status, output } = run(process.execPath, [join(process.cwd(), 'node_modules/publint/src/cli.js'), '--strict', tarball]);
  expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('All good!') });
});

interface AttwReport {
  readonly problems?: Readonly<Record<string, readonly { readonly entrypoint?: string; readonly resolutionKind?: string }[]>>;
}

test('"are the types wrong?" finds one thing: ESM consumers read declarations that say CommonJS (docs/decisions/002-dual-build.md)', () => {
  const attw = join(process.cwd(), 'node_modules/@arethetypeswrong/cli/dist/index.js');
  const { output } = run(process.execPath, [attw, '--format', 'json', tarball]);
  const { problems = {} } = JSON.parse(output) as AttwReport;
  expect(Object.keys(problems)).toEqual(['FalseCJS']);
  expect(new Set(problems['FalseCJS']?.map(({ resolutionKind }) => resolutionKind))).toEqual(new Set(['node16-esm']));
});
