import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { definePackage, definePackageSet, helmChart } from 'keelson/packaging';
import { memcachedBundle } from '../../../examples/memcached/bundle.js';
import { runPackage } from '../../../src/cli/package/index.js';
import { checkBundle } from '../../../src/cli/package/olm-output.js';
import { writePackage } from '../../../src/cli/package/write-package.js';
import type { Terminal } from '../../../src/cli/terminal.js';
import { DEADLINE_MS } from '../../deadline.cjs';

const directory = mkdtempSync(join(tmpdir(), 'keelson-package-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const small = definePackage({ name: 'small', version: '1.0.0', namespace: 'a', build: () => {} });
const files = helmChart(small);
const target = (name: string) => ({
  folder: join(directory, name),
  shown: name,
  marked: 'Chart.yaml',
  owned: ['templates/', 'charts/', 'crds/'],
});
const terminal: Terminal = {
  directory,
  out: () => {},
  error: () => {},
  readInput: async () => '',
  program: '',
  interrupted: () => new Promise(() => {}),
};

describe('a chart is written', () => {
  test('into a new folder, and again over itself', async () => {
    await writePackage(files, target('new'));
    await writePackage(files, target('new'));
    expect(readFileSync(join(directory, 'new/Chart.yaml'), 'utf8')).toMatch(
      /^# Written by keelson package\..*\napiVersion: v2\nname: small\n/,
    );
  });

  test('not over a folder of somebody else', async () => {
    mkdirSync(join(directory, 'other'));
    writeFileSync(join(directory, 'other/Chart.yaml'), 'name: theirs\n');
    await expect(writePackage(files, target('other'))).rejects.toThrow(
      'other: exists and was not written by keelson package; name another folder with --output',
    );
    expect(readFileSync(join(directory, 'other/Chart.yaml'), 'utf8')).toBe('name: theirs\n');
  });

  test('not beside a template that is not of the package: Helm would install it', async () => {
    await writePackage(files, target('grown'));
    writeFileSync(join(directory, 'grown/templates/mine.yaml'), 'kind: Secret\n');
    await expect(writePackage(files, target('grown'))).rejects.toThrow('grown: the package does not write templates/mine.yaml');
  });

  test('not over an older version that had a subchart more: Helm would install that too', async () => {
    const packages = { small, gone: definePackage({ name: 'gone', version: '1.0.0', namespace: 'a', build: () => {} }) };
    const whole = { name: 'whole', version: '1.0.0', namespace: 'a' };
    await writePackage(helmChart(definePackageSet({ ...whole, packages })), target('shrunk'));
    const shrunk = helmChart(definePackageSet({ ...whole, packages: { small } }));
    await expect(writePackage(shrunk, target('shrunk'))).rejects.toThrow(
      'shrunk: the package does not write charts/gone/, and it would be taken for a part of it; delete it, or move it out of the folder',
    );
    rmSync(join(directory, 'shrunk/charts/gone'), { recursive: true });
    await writePackage(shrunk, target('shrunk'));
  });
});

describe('the command line', () => {
  test.each([
    [[], 'keelson package: no format given; write one of helm, kustomize'],
    [['jsonnet'], 'keelson package: unknown format jsonnet; write one of helm, kustomize'],
    [['helm', 'a.js', 'b.js'], 'keelson package: one module is expected, got a.js b.js'],
    [['helm', '--catalog', 'a'], '--catalog and --bundle-image belong to the format olm'],
    [['olm', '--catalog', 'a'], '--catalog and --bundle-image are given together'],
    [['helm'], 'src/package.ts: no such file; name the module that exports the package, or write it: keelson package --help shows one'],
  ])('%j is refused', async (args, message) => {
    await expect(runPackage(args, terminal)).rejects.toThrow(message);
  });
});

describe('formats, by the command as a process', () => {
  const ROOT = join(__dirname, '../../..');
  /** What the command says. */
  const written = (...args: readonly string[]): Promise<string> => writtenFrom('examples/memcached/package.ts', ...args);
  const writtenFrom = (module: string, ...args: readonly string[]): Promise<string> =>
    new Promise((resolve) => {
      const command = ['--import', 'tsx', join(ROOT, 'src/cli/main.ts'), 'package', ...args, join(ROOT, module)];
      // tsx is found from the root; the folder to write into is given.
      execFile(process.execPath, command, { cwd: ROOT, timeout: DEADLINE_MS }, (_error, stdout, stderr) => resolve(`${stdout}${stderr}`));
    });

  test('kustomize', async () => {
    const output = join(directory, 'kustomize');
    expect(await written('kustomize', '--output', output)).toMatch(/kustomize: \d+ files\n$/);
    expect(readFileSync(join(output, 'kustomization.yaml'), 'utf8')).toMatch(/^# Written by keelson package\..*\napiVersion: kustomize/);
  });

  test('schemas, where a file of somebody else is refused', async () => {
    const output = join(directory, 'schemas');
    expect(await written('schemas', '--output', output)).toMatch(/schemas: 2 files\n$/);
    writeFileSync(join(output, 'mine.json'), '{}');
    expect(await written('schemas', '--output', output)).toContain('schemas: the package does not write mine.json');
  });

  test('olm, and the catalog with the bundle', async () => {
    const [output, catalog] = [join(directory, 'olm'), join(directory, 'catalog.yaml')];
    const args = ['olm', '--output', output, '--catalog', catalog, '--bundle-image', 'registry.example.com/bundle:0.1.0'];
    expect(await writtenFrom('examples/memcached/bundle.ts', ...args)).toMatch(/olm: \d+ files\n.*catalog\.yaml: with the bundle\n$/);
    expect(readFileSync(join(output, 'bundle.Dockerfile'), 'utf8')).toMatch(/^# Written by keelson package\..*\nFROM scratch\n/);
    expect(readFileSync(catalog, 'utf8')).toContain('image: registry.example.com/bundle:0.1.0\n');
    expect(await written('olm', '--output', output)).toContain('exports no bundle; write export const bundle = olmBundle(');
  });

  test('problems of a bundle are printed, and one with errors is not written', async () => {
    const messages: string[] = [];
    const recording = { ...terminal, error: (text: string) => messages.push(text) };
    const files = memcachedBundle.files();
    const near = files.map(({ path, text }) => ({ path, text: text.replace(/^ *minKubeVersion: .*\n/m, '') }));
    await checkBundle(near, recording);
    expect(messages).toEqual([
      expect.stringMatching(/^warning min-kube-version-missing: manifests\/.*: spec\.minKubeVersion: is missing, .*\n$/),
    ]);
    await expect(checkBundle([], recording)).rejects.toThrow(
      'error one-csv: manifests: manifests/ has 0 ClusterServiceVersions; a bundle has one',
    );
  });
});
