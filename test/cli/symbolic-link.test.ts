import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { definePackage, helmChart } from 'keelson/packaging';
import { catalogText } from '../../src/cli/package/olm-output.js';
import { writePackage } from '../../src/cli/package/write-package.js';
import { writeNewFiles } from '../../src/cli/scaffold/index.js';
import { runIn } from './commands.js';

let directory: string;
let elsewhere: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'keelson-links-'));
  elsewhere = mkdtempSync(join(tmpdir(), 'keelson-elsewhere-'));
  writeFileSync(join(elsewhere, 'file'), 'theirs');
});
afterEach(() => {
  for (const folder of [directory, elsewhere]) rmSync(folder, { recursive: true, force: true });
});

const link = (path: string, target: string): void => {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  symlinkSync(target, join(directory, path));
};
const untouched = (): void => {
  expect(readdirSync(elsewhere)).toEqual(['file']);
  expect(readFileSync(join(elsewhere, 'file'), 'utf8')).toBe('theirs');
};

const files = helmChart(definePackage({ name: 'small', version: '1.0.0', namespace: 'a', build: () => {} }));
const pack = () =>
  writePackage(files, {
    folder: join(directory, 'chart'),
    shown: 'chart',
    marked: 'Chart.yaml',
    owned: ['templates/', 'charts/', 'crds/'],
  });

test.each([
  ['a file', 'values.yaml', 'file'],
  ['a file that is not there yet', 'values.yaml', 'new'],
  ['a folder', 'templates', ''],
  ['the marked file', 'Chart.yaml', 'file'],
])('keelson package does not follow a symbolic link: %s', async (_, path, target) => {
  await pack();
  rmSync(join(directory, 'chart', path), { recursive: true, force: true });
  link(`chart/${path}`, join(elsewhere, target));
  await expect(pack()).rejects.toThrow(
    `chart/${path}: is a symbolic link to ${join(elsewhere, target)}, which is not followed; remove it, or choose another folder`,
  );
  untouched();
});

test('keelson package takes a symbolic link that it does not write for a stray file', async () => {
  await pack();
  link('chart/templates/a.yaml', join(elsewhere, 'file'));
  await expect(pack()).rejects.toThrow('the package does not write templates/a.yaml');
});

test('an output folder that is a link itself is what the user has named', async () => {
  rmSync(join(elsewhere, 'file'));
  link('chart', elsewhere);
  await pack();
  expect(readdirSync(elsewhere)).toContain('Chart.yaml');
});

test('keelson package does not write a catalog through a symbolic link', async () => {
  link('catalog.yaml', join(elsewhere, 'file'));
  const target = { file: join(directory, 'catalog.yaml'), shown: 'catalog.yaml', image: 'a' };
  await expect(catalogText([], target)).rejects.toThrow(`catalog.yaml: is a symbolic link to ${join(elsewhere, 'file')}`);
});

test('keelson init and create do not write below a folder that is a symbolic link', async () => {
  link('src', elsewhere);
  const write = writeNewFiles(
    directory,
    [
      { path: 'a.ts', text: '' },
      { path: 'src/kubernetes/kinds/b.ts', text: '' },
    ],
    '.',
  );
  await expect(write).rejects.toThrow(`src: is a symbolic link to ${elsewhere}, which is not followed`);
  expect(readdirSync(directory)).toEqual(['src']);
  untouched();
});

test('keelson import does not write below a folder that is a symbolic link', async () => {
  link('imports/cert-manager.io', elsewhere);
  const crds = join(__dirname, '../../scripts/crds/cert-manager.yaml');
  const { status, error } = await runIn(directory, ['import', crds]);
  expect([status, error]).toEqual([1, expect.stringContaining(`imports/cert-manager.io: is a symbolic link to ${elsewhere}`)]);
  untouched();
});
