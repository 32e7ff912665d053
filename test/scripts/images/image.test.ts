import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildImage, type Image } from '../../../scripts/images/image.js';
import { librariesOf } from '../../../scripts/images/libraries.js';
import { tar } from '../../../scripts/images/tar.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keelson-image-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const isLinux = process.platform === 'linux';
const onLinux = (name: string, body: () => void): void =>
  isLinux ? test(name, body) : test.skip(`${name} [skipped: images are of Linux, this is ${process.platform}]`, body);
const MAX_BYTES = 100_000_000;
const config = { entrypoint: ['/bin/app'], user: '65532:65532' };

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** What the system's own tar reads. */
function listed(archive: Buffer, ...parameters: readonly string[]): string[] {
  return execFileSync('tar', ['-t', ...parameters], { input: archive, encoding: 'utf8' })
    .trimEnd()
    .split('\n');
}

function extracted(archive: Buffer, path: string): Buffer {
  return execFileSync('tar', ['-x', '-O', path], { input: archive, maxBuffer: MAX_BYTES });
}

function manifestOf({ archive }: Image): { Config: string; RepoTags: string[]; Layers: string[] } {
  return JSON.parse(extracted(archive, 'manifest.json').toString())[0];
}

test('the same files give the same bytes, whenever they were written', () => {
  const file = write('app', 'app');
  const build = () =>
    buildImage({ name: 'localhost/app:1', config, layers: [{ copies: { '/bin/app': file }, texts: { '/etc/b': 'b', '/a': 'a' } }] });
  const first = build();
  utimesSync(file, 1, 1);
  expect(build().archive.equals(first.archive)).toBe(true);
  const sorted = () =>
    buildImage({ name: 'localhost/app:1', config, layers: [{ texts: { '/a': 'a', '/etc/b': 'b' }, copies: { '/bin/app': file } }] });
  expect(sorted().id).toBe(first.id);
});

test('the archive is one that docker reads: configuration, layers, name', () => {
  const image = buildImage({
    name: 'localhost/app:1',
    config: { ...config, environment: { A: '1' }, workingDirectory: '/app' },
    layers: [{ texts: { '/app/x': 'x' } }],
  });
  const { Config, RepoTags, Layers } = manifestOf(image);
  expect([Config, RepoTags, Layers.length]).toEqual([`${image.id}.json`, ['localhost/app:1'], 1]);
  const configuration = JSON.parse(extracted(image.archive, Config).toString());
  expect(configuration.config).toEqual({
    Entrypoint: ['/bin/app'],
    User: '65532:65532',
    WorkingDir: '/app',
    Env: ['PATH=/usr/local/bin:/usr/bin:/bin', 'A=1'],
  });
  expect(configuration.rootfs.diff_ids).toEqual(Layers.map((path) => `sha256:${path.split('/')[0]}`));
  expect(listed(extracted(image.archive, Layers[0] ?? ''), '-v', '--numeric-owner').map((line) => line.replace(/\s+/g, ' '))).toEqual([
    'drwxr-xr-x 0/0 0 1970-01-01 00:00 app/',
    '-rw-r--r-- 0/0 1 1970-01-01 00:00 app/x',
  ]);
});

test('a program keeps its right to be run, and a link its target', () => {
  const { archive } = buildImage({ name: 'a:1', config, layers: [{ copies: { '/bin/sh': '/bin/sh' }, links: { '/bin/ash': 'sh' } }] });
  const layer = extracted(archive, manifestOf({ archive } as Image).Layers[0] ?? '');
  const lines = listed(layer, '-v').join('\n');
  expect(lines).toMatch(/^-rwxr-xr-x .* bin\/sh$/m);
  expect(lines).toMatch(/^lrwxrwxrwx .* bin\/ash -> sh$/m);
});

onLinux('the libraries of a program and its loader come along; a script has none', () => {
  expect(librariesOf('/bin/sh')).toEqual(expect.arrayContaining([expect.stringContaining('/libc.'), expect.stringContaining('/ld-')]));
  expect(librariesOf(write('script', '#!/bin/sh\n'))).toEqual([]);
  const { archive } = buildImage({ name: 'a:1', config, layers: [{ copies: { '/bin/sh': '/bin/sh' } }] });
  const layer = extracted(archive, manifestOf({ archive } as Image).Layers[0] ?? '');
  const paths = listed(layer);
  expect(librariesOf('/bin/sh').filter((library) => !paths.includes(library.slice(1)))).toEqual([]);
});

test('a path that is not absolute is refused, and so is one that the format cannot hold', () => {
  expect(() => buildImage({ name: 'a:1', config, layers: [{ texts: { 'etc/a': '' } }] })).toThrow(
    'etc/a: a path in an image must be absolute',
  );
  const long = `/${'a'.repeat(120)}`;
  expect(() => buildImage({ name: 'a:1', config, layers: [{ texts: { [long]: '' } }] })).toThrow('too long for a tar archive');
  const deep = `${'b'.repeat(90)}/${'c'.repeat(90)}`;
  expect(listed(tar([{ kind: 'file', path: deep, mode: 0o644, content: Buffer.from('x') }]))).toEqual([deep]);
});

test('the source says nothing of this machine', () => {
  const { archive } = buildImage({ name: 'a:1', config, layers: [{ texts: { '/a': 'a' } }] });
  expect(archive.includes(process.cwd())).toBe(false);
  expect(archive.includes(readFileSync('/etc/hostname', 'utf8').trim())).toBe(false);
});
