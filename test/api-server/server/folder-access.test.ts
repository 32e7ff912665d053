import fs, { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiServer } from '../../../src/api-server/server/index.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keelson-data-'));
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

/** Without TLS a folder for data holds no keys. */
const start = (options: object) => ApiServer.start({ ...('dataFolder' in options && { protocol: 'http' as const }), ...options });

const CURES = {
  ENOSPC: 'the disk is full; make room, or choose a folder on another one',
  EACCES: 'this user may not write there; change the rights of the folder, or choose another one',
  EROFS: 'the file system is mounted read-only; choose a folder on another one',
};

const STEPS = [
  ['the folder', 'mkdirSync', 'dataFolder', ''],
  ['the lock', 'openSync', 'dataFolder', ''],
  ['what is in the lock', 'writeSync', 'dataFolder', ''],
  ['the name of the file of objects', 'renameSync', 'dataFolder', ''],
  ['the folder of keys', 'mkdirSync', 'certificateFolder', ''],
  ['a key', 'writeFileSync', 'certificateFolder', '/ca.key'],
  ['the name of a key', 'renameSync', 'certificateFolder', '/ca.key'],
] as const;

test.each(
  Object.entries(CURES).flatMap(([code, cure]) =>
    STEPS.map(([what, call, option, path]) => [code, what, { cure, call, option, path }] as const),
  ),
)('%s at the start is told with the path and what to do, by an error of the server: %s', async (code, _, { cure, call, option, path }) => {
  const refusal = Object.assign(new Error(`${code}: no, ${call}`), { code, syscall: call, errno: -1 });
  jest.spyOn(fs, call).mockImplementation(() => {
    throw refusal;
  });
  const starting = start({ [option]: folder });
  await expect(starting).rejects.toThrow(`${folder}${path}: data of the server cannot be kept or read there: ${code}: ${cure}`);
  await expect(starting).rejects.toMatchObject({ code: 'KEELSON_TESTING_SERVER' });
  jest.restoreAllMocks();
  const server = await start({ [option]: folder });
  await server.close();
});

test('a symbolic link in the place of a file that is written is not followed', async () => {
  const theirs = join(folder, 'theirs');
  writeFileSync(theirs, 'theirs');
  const data = join(folder, 'data');
  fs.mkdirSync(data);
  for (const name of ['objects.jsonl.new', 'ca.key.new', 'sa.key.new']) symlinkSync(theirs, join(data, name));
  const server = await start({ dataFolder: data });
  await server.close();
  expect(readFileSync(theirs, 'utf8')).toBe('theirs');
  expect(readdirSync(data)).toContain('objects.jsonl');
});
