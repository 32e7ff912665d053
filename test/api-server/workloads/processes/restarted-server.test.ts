import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Machine, pod } from './machine.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keelson-restarted-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('Pods of a server with a data folder run again after its restart, and say that they were ended', async () => {
  const first = await Machine.start(undefined, { dataFolder: folder });
  await first.create(pod());
  await first.until(() => first.state() === 'running');
  await first.close();
  const second = await Machine.start(undefined, { dataFolder: folder });
  await second.until(() => second.state() === 'running' && second.pod().status?.containerStatuses?.[0]?.restartCount === 1);
  expect(second.pod().status?.containerStatuses?.[0]?.lastState?.terminated).toMatchObject({ exitCode: 255, reason: 'Unknown' });
  expect(await second.until(() => second.fetched('/').catch(() => undefined))).toMatch(/^\d+$/);
  await second.close();
});
