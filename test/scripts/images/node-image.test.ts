import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeImage } from '../../../scripts/images/node-image.js';

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
const NAME = 'docker.io/library/node:22-slim';

/** Members of an archive, with the targets of links. */
const list = (archive: Buffer, ...parameters: readonly string[]): string =>
  spawnSync('tar', [...parameters, '--file=-'], { input: archive, encoding: 'utf8', maxBuffer: 1024 * 1024 }).stdout;

onLinux(
  `a Dockerfile finds Node, npm, a shell and the C library where the official image has them${skipped}`,
  () => {
    const { archive } = nodeImage({ name: NAME, node: process.execPath, npm });
    const [{ RepoTags, Layers }] = JSON.parse(list(archive, '--extract', '--to-stdout', 'manifest.json')) as [
      { readonly RepoTags: readonly string[]; readonly Layers: readonly string[] },
    ];
    expect(RepoTags).toEqual([NAME]);
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
  expect(() => nodeImage({ name: NAME, node, npm })).toThrow(`${node}: is not linked to libc.so.6`);
});
