import { spawnSync } from 'node:child_process';
import { Pod, Secret, Service } from 'keelson/kinds';
import { EtcdBackup } from '../../examples/etcd/backup/etcd-backup.js';
import { FILES, textOf } from '../../examples/etcd/certificates/files.js';
import type { EtcdTarget } from '../../examples/etcd/client/api.js';
import { EtcdCluster } from '../../examples/etcd/cluster/etcd-cluster.js';
import { EtcdRestore } from '../../examples/etcd/restore/etcd-restore.js';
import { findTool } from '../../scripts/cluster/go-tool.js';
import { DEADLINE_MS } from '../deadline.cjs';
import { BackupWorld } from './examples-etcd/backup-world.js';
import { Load } from './examples-etcd/load.js';
import { podAddresses } from './examples-etcd/pod-addresses.js';
import { programsBeside } from './examples-etcd/real-world.js';
import { describeCluster } from './harness/index.js';

const etcdutl = findTool('etcdutl');
if (!etcdutl.found && process.env['CI'] !== undefined) throw new Error(etcdutl.reason);
const reason = etcdutl.found ? '' : ` [skipped: ${etcdutl.reason}]`;

(etcdutl.found ? describe : describe.skip)(`etcd backups and restores of real members${reason}`, () => {
  describeCluster('three members', (real) => {
    let world: BackupWorld;
    let load: Load;
    beforeAll(async () => {
      const { etcd36 } = programsBeside(real.connection.kubectl, '');
      world = await BackupWorld.open({ etcd: etcd36, etcdutl: etcdutl.found ? etcdutl.path : '' });
      await world.cluster.create(EtcdCluster({ metadata: { name: 'ring' }, spec: { size: 3, version: '3.6.16' } }));
      await world.ready('ring');
    });
    afterAll(async () => {
      await load?.stop();
      await world?.close();
    });

    const endpointsOf = async (name: string) => [...(await world.targetOf(name)).endpoints];
    const directory = { path: 'ring/first' };
    const backupOf = async (name: string) => {
      const etcdEndpoints = await endpointsOf('ring');
      await world.cluster.create(EtcdBackup({ metadata: { name }, spec: { etcdEndpoints, storageType: 'Directory', directory } }));
      return world.cluster.until(EtcdBackup, name, { status: { succeeded: true } });
    };
    /** Keys that the load has been acknowledged, with their values. */
    let before: ReadonlyMap<string, string>;

    test('2A-37 one backup under load: its file is whole, and its revision is that of the status', async () => {
      load = new Load(world.etcd, () => world.targetOf('ring'));
      await world.cluster.until(async () => load.acknowledged >= 50);
      before = load.all();
      const { status } = await backupOf('first');
      const { stdout } = spawnSync(etcdutl.found ? etcdutl.path : '', ['snapshot', 'status', '-w', 'json', world.pathOf('ring/first')], {
        encoding: 'utf8',
        timeout: DEADLINE_MS,
      });
      const file = JSON.parse(stdout) as { readonly revision: number; readonly totalKey: number; readonly totalSize: number };
      // Writes go on: the snapshot is taken after the revision was read.
      expect(file.revision).toBeGreaterThanOrEqual(status?.etcdRevision ?? Number.NaN);
      expect(status?.lastBackup?.bytes).toBe(world.fileOf('ring/first').length);
      expect(status).toMatchObject({ etcdVersion: '3.6.16', isQuorate: true });
      expect(file.totalKey).toBeGreaterThanOrEqual(before.size);
    });

    test('2A-39 a restore of another name is refused, and touches nothing', async () => {
      const { metadata } = await world.cluster.get(EtcdCluster, 'ring');
      await world.cluster.create(
        EtcdRestore({ metadata: { name: 'other' }, spec: { etcdCluster: { name: 'ring' }, backupStorageType: 'Directory', directory } }),
      );
      const { status } = await world.cluster.until(EtcdRestore, 'other', { status: { succeeded: false } });
      expect(status?.reason).toBe("spec.etcdCluster.name must be the name of the EtcdRestore, 'other', got 'ring'");
      expect((await world.cluster.get(EtcdCluster, 'ring')).metadata).toMatchObject({ uid: metadata.uid, generation: metadata.generation });
    });

    test('2A-23 2A-39 after the quorum is lost: the backup is restored under the same names, with all that was acknowledged before it', async () => {
      const old = await world.cluster.get(EtcdCluster, 'ring');
      const pods = await world.podsOf('ring');
      await load.stop();
      for (const { metadata } of pods.slice(1)) await world.cluster.pods.fail(metadata.name);
      await world.cluster.until(EtcdCluster, 'ring', {
        status: { conditions: [{ type: 'Available', status: 'False', reason: 'LostQuorum' }] },
      });

      await world.cluster.create(
        EtcdRestore({ metadata: { name: 'ring' }, spec: { etcdCluster: { name: 'ring' }, backupStorageType: 'Directory', directory } }),
      );
      // The operators are away in between: the next process goes on.
      await world.cluster.until(EtcdRestore, 'ring', { status: { phase: 'Deleting' } });
      await world.stopOperator();
      await world.startOperator();
      const { status } = await world.cluster.until(EtcdRestore, 'ring', { status: { succeeded: true } });
      expect(status?.reason).toBeUndefined();
      const [seed] = await world.podsOf('ring');
      expect(seed?.status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));

      const restored = await world.ready('ring');
      expect(restored.metadata.uid).not.toBe(old.metadata.uid);
      expect(restored.spec).toEqual(old.spec);
      expect(restored.status?.clusterID).not.toBe(old.status?.clusterID);
      expect(restored.status?.size).toBe(3);
      for (const service of ['ring', 'ring-client'])
        expect((await world.cluster.get(Service, service)).metadata.ownerReferences?.[0]?.uid).toBe(restored.metadata.uid);
      for (const { metadata } of pods) expect(await world.cluster.find(Pod, metadata.name)).toBeUndefined();

      const { keyValues } = await world.etcd.range(await world.targetOf('ring'), 'load-', { isPrefix: true });
      const there = new Map(keyValues.map(({ key, value }) => [key, value]));
      expect([...before].filter(([key, value]) => there.get(key) !== value)).toEqual([]);
      await world.etcd.put(await world.targetOf('ring'), 'after', 'restore');
    });

    test('a damaged backup costs nothing: the cluster stays', async () => {
      const { metadata } = await world.cluster.get(EtcdCluster, 'ring');
      await world.cluster.delete(EtcdRestore, 'ring');
      await world.cluster.until(EtcdRestore, 'ring', 'absent');
      await backupOf('second');
      world.damage('ring/first');
      await world.cluster.create(
        EtcdRestore({ metadata: { name: 'ring' }, spec: { etcdCluster: { name: 'ring' }, backupStorageType: 'Directory', directory } }),
      );
      const { status } = await world.cluster.until(EtcdRestore, 'ring', { status: { succeeded: false } });
      expect(status?.reason).toContain('is damaged');
      expect((await world.cluster.get(EtcdCluster, 'ring')).metadata.uid).toBe(metadata.uid);
    });
  });

  describeCluster('members with TLS', (real) => {
    let world: BackupWorld;
    const SECRET = 'ring-client-tls';
    beforeAll(async () => {
      const { etcd36 } = programsBeside(real.connection.kubectl, '');
      world = await BackupWorld.open({ etcd: etcd36, etcdutl: etcdutl.found ? etcdutl.path : '' });
      const managed = { ipAddresses: await podAddresses(world.cluster) };
      await world.cluster.create(EtcdCluster({ metadata: { name: 'ring' }, spec: { size: 1, version: '3.6.16', TLS: { managed } } }));
      await world.ready('ring');
    });
    afterAll(() => world?.close());

    /** The client's certificate, as any other client of the cluster has it. */
    const target = async (): Promise<EtcdTarget> => {
      const { endpoints } = await world.targetOf('ring');
      const secret = await world.cluster.get(Secret, SECRET);
      const { certificate, key, authority } = FILES.client;
      const tls = { ca: textOf(secret, authority), cert: textOf(secret, certificate), key: textOf(secret, key) };
      return { endpoints: endpoints.map((url) => url.replace('http:', 'https:')), tls };
    };
    const directory = { path: 'ring/tls' };
    const backup = async (name: string, clientTLSSecret?: string) => {
      const { endpoints } = await target();
      const given = clientTLSSecret === undefined ? {} : { clientTLSSecret };
      const spec = { etcdEndpoints: [...endpoints], storageType: 'Directory' as const, directory, ...given };
      await world.cluster.create(EtcdBackup({ metadata: { name }, spec }));
    };

    test('2A-37 without the client certificate a backup fails and says why', async () => {
      await backup('bare');
      const { status } = await world.cluster.until(EtcdBackup, 'bare', { status: { succeeded: false } });
      expect(status?.Reason).toMatch(/certificate/);
      await backup('lost', 'nobody');
      const { status: lost } = await world.cluster.until(EtcdBackup, 'lost', { status: { succeeded: false } });
      expect(lost?.Reason).toBe('there is no Secret nobody in this namespace (spec.clientTLSSecret)');
      for (const name of ['bare', 'lost']) await world.cluster.delete(EtcdBackup, name);
    });

    test('2A-37 with that of the cluster it is whole, also after the certificate was replaced', async () => {
      await world.etcd.put(await target(), 'colour', 'blue');
      await backup('first', SECRET);
      const { status } = await world.cluster.until(EtcdBackup, 'first', { status: { succeeded: true } });
      expect(status).toMatchObject({ isQuorate: true, etcdVersion: '3.6.16' });
      const { resourceVersion } = (await world.cluster.get(Secret, SECRET)).metadata;
      await world.cluster.delete(Secret, SECRET);
      await world.cluster.until(async () => {
        const now = await world.cluster.find(Secret, SECRET);
        return now !== undefined && now.metadata.resourceVersion !== resourceVersion;
      });
      await backup('second', SECRET);
      await world.cluster.until(EtcdBackup, 'second', { status: { succeeded: true } });
    });

    test('2A-23 a restore makes a cluster with TLS again, with certificates of its own', async () => {
      const old = await target();
      await world.cluster.create(
        EtcdRestore({ metadata: { name: 'ring' }, spec: { etcdCluster: { name: 'ring' }, backupStorageType: 'Directory', directory } }),
      );
      await world.cluster.until(EtcdRestore, 'ring', { status: { succeeded: true } });
      await world.ready('ring');
      const now = await target();
      expect(now.tls?.ca).not.toBe(old.tls?.ca);
      expect((await world.etcd.range(now, 'colour')).keyValues).toMatchObject([{ value: 'blue' }]);
      world.cluster.requests.expectNoneDenied();
    });
  });
});
