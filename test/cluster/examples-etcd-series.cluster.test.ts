import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mergePatch } from '@keelson/testing';
import { Secret } from 'keelson/kinds';
import { EtcdBackup } from '../../examples/etcd/backup/etcd-backup.js';
import type { S3Location } from '../../examples/etcd/backup/store.js';
import { createBackupStores } from '../../examples/etcd/backup/stores.js';
import { EtcdCluster } from '../../examples/etcd/cluster/etcd-cluster.js';
import { findTool } from '../../scripts/cluster/go-tool.js';
import { DEADLINE_MS } from '../deadline.cjs';
import { BackupWorld } from './examples-etcd/backup-world.js';
import { Load } from './examples-etcd/load.js';
import { programsBeside } from './examples-etcd/real-world.js';
import { S3Process, s3Server } from './examples-etcd/s3-process.js';
import { describeCluster } from './harness/index.js';

const etcdutl = findTool('etcdutl');
const missing = [etcdutl, s3Server].find(({ found }) => !found);
const reason = missing === undefined || missing.found ? '' : missing.reason;
if (reason !== '' && process.env['CI'] !== undefined) throw new Error(reason);

(reason === '' ? describe : describe.skip)(`series of backups of a real member${reason && ` [skipped: ${reason}]`}`, () => {
  describeCluster('in a bucket', (real) => {
    let world: BackupWorld;
    let load: Load;
    let server: S3Process;
    const directory = mkdtempSync(join(tmpdir(), 'keelson-series-'));
    const stores = createBackupStores();
    /** Names that were in the bucket at any look, in the order of their times. */
    const seen = new Set<string>();
    beforeAll(async () => {
      server = await S3Process.start('backups');
      const { etcd36 } = programsBeside(real.connection.kubectl, '');
      world = await BackupWorld.open({ etcd: etcd36, etcdutl: etcdutl.found ? etcdutl.path : '' });
      await world.cluster.create(EtcdCluster({ metadata: { name: 'ring' }, spec: { size: 1, version: '3.6.16' } }));
      await world.ready('ring');
      load = new Load(world.etcd, () => world.targetOf('ring'));
      await world.cluster.create(Secret({ metadata: { name: 'keys' }, stringData: { accessKeyId: 'key', secretAccessKey: 'secret' } }));
    });
    afterAll(async () => {
      await load?.stop();
      await world?.close();
      await server?.stop();
      rmSync(directory, { recursive: true });
    });
    const location = (): S3Location => ({
      type: 'S3',
      bucket: 'backups',
      endpoint: server.endpoint,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    });
    const timeOf = (name: string): string => name.slice(-'2030-01-31-23:59:59'.length);
    const stored = async (): Promise<string[]> => {
      const names = (await stores.list(location(), 'ring_v')).map(({ name }) => name);
      for (const name of names) seen.add(name);
      return names.sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1));
    };
    const policy = (backupPolicy: object) => world.cluster.patch(EtcdBackup, 'ring', mergePatch({ spec: { backupPolicy } }));
    /** One that is made stands beside those that are kept, until one of them is removed. */
    const seenAfter = (count: number, limit: number) =>
      world.cluster.until(async () => {
        expect((await stored()).length).toBeLessThanOrEqual(limit);
        return seen.size >= count;
      });

    test('2A-38 one is made each second, and the two newest are kept', async () => {
      const [etcdEndpoint = ''] = (await world.targetOf('ring')).endpoints;
      const s3 = { path: 'backups/ring', awsSecret: 'keys', endpoint: server.endpoint, forcePathStyle: true };
      const backupPolicy = { backupIntervalInSecond: 1, maxBackups: 2 };
      await world.cluster.create(
        EtcdBackup({ metadata: { name: 'ring' }, spec: { etcdEndpoints: [etcdEndpoint], storageType: 'S3', s3, backupPolicy } }),
      );
      await seenAfter(5, 3);
      await world.stopOperator();
      const left = await stored();
      const newest = [...seen].sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1));
      // The operator may have ended between a backup and what it removes after it.
      expect(left.slice(-2)).toEqual(newest.slice(-2));
      expect(left.length).toBeLessThanOrEqual(3);
    });

    test('2A-38 the next process goes on where the last one ended', async () => {
      const before = seen.size;
      await world.startOperator();
      await seenAfter(before + 2, 3);
      const { status } = await world.cluster.until(EtcdBackup, 'ring', ({ status: now }) => now?.kept === 2);
      expect(status).toMatchObject({ succeeded: true, isQuorate: true });
    });

    test('2A-38 what is stored is whole, and can be read by the tools of etcd', async () => {
      await policy({ backupIntervalInSecond: 3_600 });
      await world.cluster.until(EtcdBackup, 'ring', ({ metadata, status }) =>
        Boolean(status?.conditions?.some(({ type, observedGeneration }) => type === 'Ready' && observedGeneration === metadata.generation)),
      );
      for (const name of await stored()) {
        const chunks: Uint8Array[] = [];
        for await (const chunk of await stores.read(location(), name)) chunks.push(chunk);
        const file = join(directory, 'snapshot.db');
        writeFileSync(file, Buffer.concat(chunks));
        const args = ['snapshot', 'status', '-w', 'json', file];
        const { stdout } = spawnSync(etcdutl.found ? etcdutl.path : '', args, { encoding: 'utf8', timeout: DEADLINE_MS });
        const revision = Number(/_v(\d+)_/.exec(name)?.[1]);
        // Writes go on: the snapshot is taken after the revision was read.
        expect((JSON.parse(stdout) as { readonly revision: number }).revision).toBeGreaterThanOrEqual(revision);
      }
    });

    test('2A-38 by age: those that are too old go, and the newest stays', async () => {
      const old = await stored();
      expect(old.length).toBeGreaterThan(0);
      await policy({ backupIntervalInSecond: 1, maxBackups: 0, maxAgeInSecond: 3 });
      await world.cluster.until(async () => {
        const now = await stored();
        return now.length > 0 && !now.some((name) => old.includes(name));
      });
      const { status } = await world.cluster.until(EtcdBackup, 'ring', ({ status: now }) => (now?.kept ?? 0) >= 2);
      expect(status?.succeeded).toBe(true);
      await policy({ backupIntervalInSecond: 3_600, maxAgeInSecond: 1 });
      expect((await stored()).length).toBeGreaterThan(0);
    });
  });
});
