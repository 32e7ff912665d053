import { FakeClock, type InProcessCluster, mergePatch, type RunningOperator, TestCluster } from '@keelson/testing';
import { defineOperator } from 'keelson';
import { EventsV1Event, Secret } from 'keelson/kinds';
import type { EtcdApi } from '../client/api.js';
import type { FakeEtcd } from '../client/fake-etcd.js';
import { ENDPOINT, etcdBackup, etcdWithOne, TARGET } from './backup-objects.js';
import { etcdBackupController } from './controller.js';
import { EtcdBackup } from './etcd-backup.js';
import { MemoryStores } from './memory-stores.js';
import type { BackupStores } from './store.js';

const operator = defineOperator({ name: 'etcd-operator', controllers: [etcdBackupController] });

let cluster: InProcessCluster<FakeClock, { readonly etcd: EtcdApi; readonly stores: BackupStores }>;
let running: RunningOperator;
let etcd: FakeEtcd;
let stores: MemoryStores;
beforeEach(async () => {
  const clock = new FakeClock('2030-01-01T00:00:00Z');
  cluster = await TestCluster.start({ operator, clock, namespace: 'shop' });
  etcd = etcdWithOne();
  stores = new MemoryStores();
  running = await cluster.startOperator({ externals: { etcd, stores } });
});
afterEach(() => cluster.close());

const status = async () => (await cluster.get(EtcdBackup, 'ring')).status;
const succeeded = { status: { succeeded: true } };
const names = () => stores.names.map((name) => name.slice('file:///var/lib/etcd-backups/'.length));

/** Time passes. A status is seen before the run that wrote it has ended, and only then does the operator know when it is to look again. */
async function pass(span: '1m' | '10m' | '19m' | '40m' | '1h'): Promise<void> {
  await cluster.settled();
  cluster.clock.advance(span);
}

/** The run whose failure the status says has ended: a change that came during it would wait for its next try, at a time that stands still. */
const failed = () => cluster.settled();

describe('2A.37: one backup', () => {
  test('is made once, and its status says what it holds', async () => {
    const revision = await etcd.put(TARGET, 'colour', 'red');
    await cluster.create(etcdBackup());
    await cluster.until(EtcdBackup, 'ring', succeeded);
    expect(await status()).toMatchObject({
      etcdVersion: '3.6.16',
      etcdRevision: revision,
      isQuorate: true,
      lastBackup: { path: 'ring', endpoint: ENDPOINT, sha256: expect.stringMatching(/^[\da-f]{64}$/) },
      conditions: expect.arrayContaining([expect.objectContaining({ type: 'Ready', status: 'True', reason: 'BackedUp' })]),
    });
    await etcd.put(TARGET, 'colour', 'blue');
    cluster.clock.advance('2h');
    await cluster.settled();
    expect((await status())?.etcdRevision).toBe(revision);
    expect(names()).toEqual(['ring']);
  });

  test('that fails says why, and is made as soon as it can be', async () => {
    await cluster.create(etcdBackup({}, ['http://nobody:2379']));
    await cluster.until(EtcdBackup, 'ring', {
      status: { succeeded: false, Reason: 'no endpoint answers: http://nobody:2379: connect ECONNREFUSED' },
    });
    expect((await status())?.conditions).toContainEqual(
      expect.objectContaining({ type: 'Ready', status: 'False', reason: 'BackupFailed' }),
    );
    expect(names()).toEqual([]);
    await failed();
    await cluster.patch(EtcdBackup, 'ring', mergePatch({ spec: { etcdEndpoints: ['http://nobody:2379', ENDPOINT] } }));
    await cluster.until(EtcdBackup, 'ring', succeeded);
    expect((await status())?.Reason).toBeUndefined();
    await cluster.until(async () => {
      const events = await cluster.list(EventsV1Event, { namespace: 'shop' });
      expect(events.map(({ reason }) => reason)).toEqual(expect.arrayContaining(['BackupFailed', 'BackedUp']));
    });
  });

  test('that fails again and again is tried after growing pauses', async () => {
    await cluster.create(etcdBackup({}, ['http://nobody:2379']));
    await cluster.until(EtcdBackup, 'ring', { status: { failures: 1 } });
    for (const [span, failures] of [
      ['1s', 2],
      ['1900ms', 2],
      ['100ms', 3],
      ['3900ms', 3],
      ['100ms', 4],
      ['1h', 5],
    ] as const) {
      await cluster.settled();
      cluster.clock.advance(span);
      await cluster.until(EtcdBackup, 'ring', { status: { failures } });
      await cluster.settled();
      expect((await status())?.failures).toBe(failures);
    }
  });

  describe('that takes long', () => {
    /** Its signal; the member sends three mebibytes and a bit, and then no more. */
    const sending: AbortSignal[] = [];
    beforeEach(async () => {
      await running.stop();
      sending.length = 0;
      const snapshot: EtcdApi['snapshot'] = async (_, { signal } = {}) => {
        if (signal === undefined) throw new Error('nobody can end this');
        sending.push(signal);
        const sent = async function* (): AsyncGenerator<Uint8Array> {
          yield Buffer.alloc(3 * 1_024 * 1_024 + 5);
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
          signal.throwIfAborted();
        };
        return Object.assign(sent(), { endpoint: ENDPOINT });
      };
      const hanging = new Proxy<EtcdApi>(etcd, { get: (of, name: keyof EtcdApi) => (name === 'snapshot' ? snapshot : of[name].bind(of)) });
      running = await cluster.startOperator({ externals: { etcd: hanging, stores } });
      await cluster.create(etcdBackup());
      await cluster.until(() => sending.length === 1);
      await cluster.settled();
      cluster.clock.advance('2s');
      await cluster.until(EtcdBackup, 'ring', { status: { progress: '3145733 bytes sent' } });
    });

    test('says how far it is, and a deletion ends it: nothing is stored', async () => {
      expect(sending.map(({ aborted }) => aborted)).toEqual([false]);
      await cluster.delete(EtcdBackup, 'ring');
      await cluster.until(() => sending[0]?.aborted === true);
      await cluster.until(EtcdBackup, 'ring', 'absent');
      await cluster.settled();
      expect(sending).toHaveLength(1);
      expect(names()).toEqual([]);
    });

    test('is ended by another spec, and begins anew', async () => {
      await cluster.patch(EtcdBackup, 'ring', mergePatch({ spec: { directory: { path: 'elsewhere' } } }));
      await cluster.until(() => sending.length === 2);
      expect(sending.map(({ aborted }) => aborted)).toEqual([true, false]);
      expect(names()).toEqual([]);
    });

    test('is ended by its own time limit, and the status says so', async () => {
      await cluster.patch(EtcdBackup, 'ring', mergePatch({ spec: { backupPolicy: { timeoutInSecond: 1 } } }));
      await cluster.until(EtcdBackup, 'ring', { status: { succeeded: false, Reason: 'the backup was not done within 1 s' } });
      expect(names()).toEqual([]);
    });
  });

  test('without a quorum is made from what one member knows, and says so', async () => {
    await etcd.addMember(TARGET, ['http://m1:2380']);
    await cluster.create(etcdBackup());
    await cluster.until(EtcdBackup, 'ring', succeeded);
    expect(await status()).toMatchObject({ isQuorate: false });
    expect((await status())?.conditions).toContainEqual(
      expect.objectContaining({ type: 'Consistent', status: 'False', reason: 'NoQuorum' }),
    );
  });

  test('waits for its Secrets', async () => {
    const s3 = { path: 'backups/ring', awsSecret: 'aws' };
    const { spec } = etcdBackup();
    const metadata = { name: 'ring' };
    await cluster.create(EtcdBackup({ metadata, spec: { ...spec, storageType: 'S3', s3, directory: undefined, clientTLSSecret: 'tls' } }));
    await cluster.until(EtcdBackup, 'ring', { status: { Reason: 'there is no Secret tls in this namespace (spec.clientTLSSecret)' } });
    const text = (fields: Record<string, string>) => ({ stringData: fields });
    await cluster.create(
      Secret({ metadata: { name: 'tls' }, ...text({ 'etcd-client-ca.crt': 'ca', 'etcd-client.crt': 'crt', 'etcd-client.key': 'key' }) }),
    );
    await pass('10m');
    await cluster.until(EtcdBackup, 'ring', { status: { Reason: 'there is no Secret aws in this namespace (spec.s3.awsSecret)' } });
    const file = '[default]\naws_access_key_id = me\naws_secret_access_key = secret\n';
    await cluster.create(Secret({ metadata: { name: 'aws' }, ...text({ credentials: file }) }));
    await pass('10m');
    await cluster.until(EtcdBackup, 'ring', succeeded);
    expect(stores.names).toEqual(['s3://backups/ring']);
  });

  test('needs the block of its storage type', async () => {
    const { spec } = etcdBackup();
    const metadata = { name: 'ring' };
    await expect(cluster.create(EtcdBackup({ metadata, spec: { ...spec, storageType: 'S3' } }))).rejects.toThrow(
      'spec.s3: Required value: storageType S3 needs this block',
    );
  });
});

describe('2A.38: periodic backups', () => {
  const hourly = { backupIntervalInSecond: 3_600 };

  /** An hour passes, and a backup is made. */
  async function nextBackup(): Promise<void> {
    const before = (await status())?.lastSuccessDate;
    await pass('1h');
    await cluster.until(EtcdBackup, 'ring', ({ status: now }) => now?.succeeded === true && now.lastSuccessDate !== before);
  }

  test('the newest are kept, also from revision 9 to 10', async () => {
    for (let index = 0; index < 6; index += 1) await etcd.put(TARGET, 'key', `${index}`);
    await cluster.create(etcdBackup({ ...hourly, maxBackups: 2 }));
    await cluster.until(EtcdBackup, 'ring', succeeded);
    expect(names()).toEqual(['ring_v7_2030-01-01-00:00:00']);
    for (let index = 0; index < 4; index += 1) {
      await etcd.put(TARGET, 'key', `later ${index}`);
      await nextBackup();
    }
    expect(names()).toEqual(['ring_v10_2030-01-01-03:00:00', 'ring_v11_2030-01-01-04:00:00']);
    expect(await status()).toMatchObject({ kept: 2, etcdRevision: 11 });
  });

  test('the interval goes on over a restart of the operator, and nothing is made anew', async () => {
    await cluster.create(etcdBackup(hourly));
    await cluster.until(EtcdBackup, 'ring', succeeded);
    await pass('40m');
    await running.stop();
    running = await cluster.startOperator({ externals: { etcd, stores } });
    await cluster.settled();
    expect(names()).toHaveLength(1);
    await pass('19m');
    await cluster.settled();
    expect(names()).toHaveLength(1);
    await pass('1m');
    await cluster.until(async () => names().length === 2);
  });

  test('a failure is tried again soon, and leaves the series', async () => {
    await cluster.create(etcdBackup(hourly));
    await cluster.until(EtcdBackup, 'ring', succeeded);
    await cluster.patch(EtcdBackup, 'ring', mergePatch({ spec: { etcdEndpoints: ['http://nobody:2379'] } }));
    await pass('1h');
    await cluster.until(EtcdBackup, 'ring', { status: { succeeded: false, lastBackup: { path: 'ring_v1_2030-01-01-00:00:00' } } });
    await failed();
    await cluster.patch(EtcdBackup, 'ring', mergePatch({ spec: { etcdEndpoints: [ENDPOINT] } }));
    await cluster.until(EtcdBackup, 'ring', succeeded);
    expect(names()).toHaveLength(2);
  });

  test('one that is made in the very moment in which another attempt failed is not taken for that of the next hour', async () => {
    await cluster.create(etcdBackup(hourly, ['http://nobody:2379']));
    await cluster.until(EtcdBackup, 'ring', { status: { failures: 1 } });
    await failed();
    await cluster.patch(EtcdBackup, 'ring', mergePatch({ spec: { etcdEndpoints: [ENDPOINT] } }));
    await cluster.until(EtcdBackup, 'ring', succeeded);
    await nextBackup();
    expect(names()).toEqual(['ring_v1_2030-01-01-00:00:00', 'ring_v1_2030-01-01-01:00:00']);
  });

  test('nothing is made after it was deleted', async () => {
    await cluster.create(etcdBackup(hourly));
    await cluster.until(EtcdBackup, 'ring', succeeded);
    expect((await cluster.get(EtcdBackup, 'ring')).metadata.finalizers).toBeUndefined();
    await cluster.delete(EtcdBackup, 'ring');
    await cluster.settled();
    cluster.clock.advance('5h');
    await cluster.settled();
    expect(names()).toHaveLength(1);
  });
});
