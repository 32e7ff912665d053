import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { NODE_IMAGE, nodeImage } from '../../../scripts/images/node-image.js';
import { packagesAt, surroundings } from '../../../src/cli/scaffold/index.js';

let npm: string;
beforeEach(() => {
  npm = mkdtempSync(join(tmpdir(), 'keelson-npm-'));
  mkdirSync(join(npm, 'bin'));
  writeFileSync(join(npm, 'bin/npm-cli.js'), '#!/usr/bin/env node\n');
});
afterEach(() => rmSync(npm, { recursive: true }));

const isLinux = process.platform === 'linux';
const onLinux = isLinux ? test : test.skip;
const skipped = isLinux ? '' : ' [skipped: an image holds the programs of Linux]';

/** Members of an archive, with the targets of links. */
const list = (archive: Buffer, ...parameters: readonly string[]): string =>
  spawnSync('tar', [...parameters, '--file=-'], { input: archive, encoding: 'utf8', maxBuffer: 1024 * 1024 }).stdout;

onLinux(
  `a Dockerfile finds Node, npm, a shell and the C library where the official image has them${skipped}`,
  () => {
    const { archive } = nodeImage({ node: process.execPath, npm });
    const [{ RepoTags, Layers }] = JSON.parse(list(archive, '--extract', '--to-stdout', 'manifest.json')) as [
      { readonly RepoTags: readonly string[]; readonly Layers: readonly string[] },
    ];
    expect(RepoTags).toEqual([NODE_IMAGE]);
    const members = Layers.flatMap((layer) => {
      const { stdout } = spawnSync('tar', ['--extract', '--to-stdout', '--file=-', layer], { input: archive, maxBuffer: archive.length });
      return list(stdout, '--list', '--verbose')
        .split('\n')
        .map((line) => line.split(' ').slice(5).join(' '));
    });
    const paths = members.map((member) => member.replace(/^.*:\d\d /, ''));
    expect(paths).toEqual(expect.arrayContaining(['usr/local/bin/node', 'usr/bin/env', 'bin/sh', 'etc/passwd']));
    expect(paths).toContain('usr/local/lib/node_modules/npm/bin/npm-cli.js');
    expect(paths).toContain('usr/local/bin/npm -> ../lib/node_modules/npm/bin/npm-cli.js');
    expect(paths.filter((path) => path.endsWith('/librt.so.1'))).toHaveLength(1);
  },
  60_000,
);

onLinux(`a Node without a C library is refused: packages of npm would not find theirs${skipped}`, () => {
  const node = join(npm, 'bin/npm-cli.js');
  expect(() => nodeImage({ node, npm })).toThrow(`${node}: is not linked to libc.so.6`);
});

const project = { name: 'my-operator', runner: 'vitest', format: 'esm', keelson: packagesAt('^1.0.0') } as const;
const dockerfiles: Readonly<Record<string, string>> = {
  'keelson init': surroundings(project).find(({ path }) => path === 'Dockerfile')?.text ?? '',
  'docs/tutorial.md': readFileSync('docs/tutorial.md', 'utf8'),
  ...Object.fromEntries(
    readdirSync('examples', { recursive: true, encoding: 'utf8' })
      .filter((path) => basename(path) === 'Dockerfile')
      .map((path) => [join('examples', path), readFileSync(join('examples', path), 'utf8')]),
  ),
};

test.each(Object.entries(dockerfiles))('no image stands on another Node than the one that is built and run here: %s', (_name, text) => {
  const images = [...text.matchAll(/^FROM (\S+)/gm)].map(([, image]) => `docker.io/library/${image}`);
  expect(images).toEqual([NODE_IMAGE, NODE_IMAGE]);
});

test('a new project is tested in CI on the Node of its image', () => {
  const workflow = surroundings(project).find(({ path }) => path.endsWith('ci.yaml'))?.text ?? '';
  expect(NODE_IMAGE).toContain(`:${/node-version: (\d+)/.exec(workflow)?.[1]}-`);
});
