import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findEtcd } from '../../../scripts/demo/index.js';

let work: string;
beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'keelson-etcd-program-'));
});
afterAll(() => rmSync(work, { recursive: true }));

/** A folder with a program that answers so to each call. */
function folderWith(name: string, answer: string): string {
  const folder = join(work, name);
  mkdirSync(folder);
  const program = join(folder, 'etcd');
  writeFileSync(program, `#!/bin/sh\necho '${answer}'\n`);
  chmodSync(program, 0o755);
  return folder;
}

/** With nothing that this project has built. */
const found = (...folders: readonly string[]) => findEtcd({ KEELSON_CACHE_DIR: join(work, 'none'), PATH: folders.join(delimiter) });

test('without an etcd there is nothing to say', () => {
  expect(found(work, '')).toEqual({ found: false, refused: [] });
});

test('the first one on the PATH that the example can run is taken, and others are refused with a reason', () => {
  const old = folderWith('old', 'etcd Version: 3.4.30');
  const silent = folderWith('silent', 'etcd of somebody');
  expect(found(old, silent)).toEqual({
    found: false,
    refused: [`${join(old, 'etcd')}: 3.4.30 is older than 3.5.11`, `${join(silent, 'etcd')}: does not print its version`],
  });
  const good = folderWith('good', 'etcd Version: 3.6.16');
  expect(found(old, good)).toEqual({ found: true, path: join(good, 'etcd'), version: '3.6.16' });
});
