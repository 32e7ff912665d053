import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HostsFile } from '../../../../../src/api-server/workloads/processes/names/hosts-file.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keelson-hosts-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a hosts file stays the same file while its text grows and shrinks: programs have it mounted', () => {
  const path = join(folder, 'hosts');
  const file = new HostsFile(path, '');
  const { ino } = statSync(path);
  for (const text of ['127.16.0.4\tweb\n', '127.16.0.4\tweb\n127.16.0.5\tä\n', '127.16.0.4\tw\n', '']) {
    file.write(text);
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(statSync(path).ino).toBe(ino);
  }
});

test('programs that go on as another user may read it, whatever the mask of the server', () => {
  const before = process.umask(0o077);
  try {
    const { path } = new HostsFile(join(folder, 'hosts'), 'text\n');
    expect(statSync(path).mode & 0o777).toBe(0o644);
  } finally {
    process.umask(before);
  }
});
