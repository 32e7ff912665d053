import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'keelson-operator-image-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(...parameters: readonly string[]) {
  const command = ['--import', 'tsx', 'scripts/images/main.ts', ...parameters];
  return spawnSync(process.execPath, command, { cwd: ROOT, encoding: 'utf8' });
}

const onLinux = process.platform === 'linux' ? test : test.skip;
const skipped = process.platform === 'linux' ? '' : ' [skipped: an image holds the programs of Linux]';

onLinux(
  `the image of an operator is the same twice, starts its bundle with Node, and has no package manager${skipped}`,
  () => {
    const [first, second] = ['first.tar', 'second.tar'].map((name) => join(folder, name)) as [string, string];
    for (const file of [first, second]) expect(write('memcached', 'localhost/operator:1', file)).toMatchObject({ status: 0, stderr: '' });
    const digests = [first, second].map((file) => createHash('sha256').update(readFileSync(file)).digest('hex'));
    expect(digests[1]).toBe(digests[0]);
    execFileSync('tar', ['-x', '-f', first, '-C', folder]);
    const [{ Layers }] = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as [{ Layers: string[] }];
    const paths = Layers.flatMap((layer) => execFileSync('tar', ['-t', '-f', join(folder, layer)], { encoding: 'utf8' }).split('\n'));
    expect(paths).toEqual(expect.arrayContaining(['usr/local/bin/node', 'app/build/operator.mjs', 'app/package.json']));
    expect(paths.filter((path) => /\/(npm|apt|dpkg|sh|bash)$/.test(path))).toEqual([]);
  },
  120_000,
);

test('without parameters the command says what it wants', () => {
  expect(write()).toMatchObject({ status: 2, stderr: 'usage: scripts/images/main.ts EXAMPLE NAME OUT.tar\n' });
});
