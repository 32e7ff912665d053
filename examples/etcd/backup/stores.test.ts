import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryStores } from './memory-stores.js';
import { type StoreRig, storeCases } from './store-cases.js';
import { createBackupStores } from './stores.js';

describe('a folder', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'keelson-backups-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));
  const rig = (): StoreRig => ({ stores: createBackupStores(), location: { type: 'Directory', directory } });
  storeCases(rig);

  test('a name does not lead out of it', async () => {
    const { stores, location } = rig();
    await expect(stores.read(location, '../passwd')).rejects.toMatchObject({ code: 'Invalid' });
  });
});

describe('memory', () => {
  let stores: MemoryStores;
  beforeEach(() => {
    stores = new MemoryStores();
  });
  storeCases(() => ({ stores, location: { type: 'Directory', directory: '/backups' } }));
});
