import { admit, FakeClock, mergePatch, TestCluster } from '@keelson/testing';
import { PersistentVolume, PersistentVolumeClaim, Pod, Secret, StorageClass } from 'keelson/kinds';
import { operator } from '../etcd-operator.js';
import { etcdCluster } from './cluster-objects.js';
import { EtcdCluster } from './etcd-cluster.js';
import { FakeMembers } from './fake-members.js';
import { clusterCheck } from './webhooks.js';

type Spec = Parameters<typeof EtcdCluster>[0]['spec'];
let cluster: Awaited<ReturnType<typeof started>>;
const members = new FakeMembers();
beforeAll(async () => {
  cluster = await started();
  members.follow(() => cluster.list(Pod));
  await cluster.startOperator({ externals: { etcd: members.etcd } });
});
afterAll(() => cluster.close());

function started() {
  return TestCluster.start({ operator, workloads: true, namespace: 'shop', namespaces: ['plant'], clock: new FakeClock() });
}

const create = (name: string, spec: Spec) => cluster.create(EtcdCluster({ metadata: { name }, spec }));
/** Time passes until all members serve. */
async function becomesReady(name: string): Promise<void> {
  for (let rounds = 0; rounds < 60; rounds += 1) {
    await cluster.settled();
    const { status } = await cluster.get(EtcdCluster, name);
    if (status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true) return;
    cluster.clock.advance('2s');
  }
  throw new Error(`${name} does not become ready: ${JSON.stringify((await cluster.get(EtcdCluster, name)).status)}`);
}

test.each<[string, Spec, string]>([
  ['2A-10 no member', { size: 0 }, 'spec.size'],
  ['2A-10 fewer than none', { size: -1 }, 'spec.size'],
  ['2A-10 more than seven', { size: 8 }, 'spec.size'],
  ['a version without a patch', { version: '3.6' }, 'spec.version'],
  ['a version without the probes', { version: '3.4.35' }, '3.4.35 is older than 3.5.11'],
  ['2A-30 the label app', { pod: { labels: { app: 'mine' } } }, "the operator's own"],
  ['2A-30 a label of the operator', { pod: { labels: { etcd_node: 'a' } } }, "the operator's own"],
  ['2A-30 a client Secret without a server Secret', { TLS: { static: { operatorSecret: 'a' } } }, 'belong together'],
  ['2A-30 TLS of nobody', { TLS: {} }, 'set one of static and managed'],
  ['2A-30 TLS of both', { TLS: { static: {}, managed: {} } }, 'set one of static and managed'],
  ['an authority that ends with what it signs', { TLS: { managed: { authorityLifeInSecond: 7_776_000 } } }, 'at least three times'],
  ['an address that is none', { TLS: { managed: { ipAddresses: ['10.0.0.300'] } } }, 'must be an IP address'],
  ['2A-30 a server Secret without a client Secret', { TLS: { static: { member: { serverSecret: 'a' } } } }, 'belong together'],
])('refused: %s', async (_, spec, message) => {
  await expect(create('bad', spec)).rejects.toThrow(message);
});

test('2A-30 a name that leaves no room for those of Pods is refused', async () => {
  await expect(create('a'.repeat(53), {})).rejects.toThrow('at most 52 characters');
});

test('2A-10 an even size brings a warning', async () => {
  const { warnings } = await admit(clusterCheck, { object: etcdCluster({ size: 4 }) });
  expect(warnings).toEqual(['spec.size: 4 members survive no more failures than 3']);
});

describe('a cluster that runs', () => {
  beforeAll(async () => {
    await create('ring', { size: 1, version: '3.5.35' });
    await becomesReady('ring');
  });
  const change = (spec: object) => cluster.patch(EtcdCluster, 'ring', mergePatch({ spec }));

  test.each([
    ['a downgrade', '3.4.35'],
    ['a version after the next', '3.7.0'],
    ['another major version', '4.0.0'],
  ])('2A-28 %s is refused', async (_, version) => {
    await expect(change({ version })).rejects.toThrow(version);
  });

  test('TLS cannot be switched on', async () => {
    const TLS = { static: { member: { serverSecret: 'a' }, operatorSecret: 'b' } };
    await expect(change({ TLS })).rejects.toThrow('cannot be changed');
  });

  test('2A-29 what the spec says about Pods is for new ones, and the status says which have it not', async () => {
    const [pod] = await cluster.list(Pod);
    await change({ pod: { labels: { team: 'a' } } });
    await cluster.settled();
    const { status } = await cluster.get(EtcdCluster, 'ring');
    const condition = status?.conditions?.find(({ type }) => type === 'PodPolicyApplied');
    expect(condition).toMatchObject({ status: 'False', reason: 'NewPodsOnly' });
    expect(condition?.message).toContain(pod?.metadata.name);
    expect((await cluster.list(Pod))[0]?.metadata.uid).toBe(pod?.metadata.uid);
    await change({ size: 3 });
    await becomesReady('ring');
    const pods = await cluster.list(Pod, { labels: { etcd_cluster: 'ring' } });
    expect(pods.filter(({ metadata }) => metadata.labels?.['team'] === 'a')).toHaveLength(2);
  });

  test('the operator needs no right that it has not', () => cluster.requests.expectNoneDenied());
});

test('of certificates that the operator makes the names and lives can be changed, and not who makes them', async () => {
  await create('own', { size: 1, TLS: { managed: {} } });
  const change = (TLS: object) => cluster.patch(EtcdCluster, 'own', mergePatch({ spec: { TLS } }));
  await change({ managed: { certificateLifeInSecond: 3_600, dnsNames: ['etcd.example.com'] } });
  await expect(change({ managed: null, static: {} })).rejects.toThrow('cannot be changed');
  await expect(cluster.patch(EtcdCluster, 'own', mergePatch({ spec: { TLS: null } }))).rejects.toThrow('cannot be changed');
});

test('a Secret of somebody else is neither used nor changed', async () => {
  await cluster.create(Secret({ metadata: { name: 'guest-ca' }, data: {} }));
  await create('guest', { size: 1, TLS: { managed: {} } });
  await cluster.settled();
  const { status } = await cluster.get(EtcdCluster, 'guest');
  const condition = status?.conditions?.find(({ type }) => type === 'CertificatesValid');
  expect(condition).toMatchObject({ status: 'False', reason: 'SecretTaken', message: expect.stringContaining('guest-ca') as string });
  expect(await cluster.list(Pod, { labels: { etcd_cluster: 'guest' } })).toEqual([]);
  expect((await cluster.get(Secret, 'guest-ca')).metadata.ownerReferences).toBeUndefined();
  await cluster.delete(Secret, 'guest-ca');
  await becomesReady('guest');
});

describe('volumes', () => {
  const claimSpec = (storage: string, storageClassName?: string) => ({
    pod: {
      persistentVolumeClaimSpec: {
        accessModes: ['ReadWriteOnce' as const],
        resources: { requests: { storage } },
        ...(storageClassName === undefined ? {} : { storageClassName }),
      },
    },
  });
  const grow = (name: string, storage: string) => cluster.patch(EtcdCluster, name, mergePatch({ spec: claimSpec(storage) }));
  const conditionOf = async (name: string) =>
    (await cluster.get(EtcdCluster, name)).status?.conditions?.find(({ type }) => type === 'ClaimsExpanded');
  const claimsOf = (name: string) => cluster.list(PersistentVolumeClaim, { labels: { etcd_cluster: name } });

  test('all claims grow with the spec, in place, and a smaller size is refused', async () => {
    await create('vault', { size: 3, ...claimSpec('1Gi') });
    await becomesReady('vault');
    const uids = (await claimsOf('vault')).map(({ metadata }) => metadata.uid).sort();
    expect(uids).toHaveLength(3);
    await grow('vault', '2Gi');
    await cluster.until(async () => (await claimsOf('vault')).every(({ status }) => status?.capacity?.['storage'] === '2Gi'));
    await cluster.until(async () => (await conditionOf('vault'))?.status === 'True');
    expect((await claimsOf('vault')).map(({ metadata }) => metadata.uid).sort()).toEqual(uids);
    const { status } = await cluster.get(EtcdCluster, 'vault');
    expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'PodPolicyApplied', status: 'True' }));
    await expect(grow('vault', '1500Mi')).rejects.toThrow('1500Mi is less than 2Gi: volumes do not shrink');
    // Written another way it is as much.
    await grow('vault', '2048Mi');
  });

  test('a claim that somebody has let grow further stays as it is', async () => {
    const [first] = await claimsOf('vault');
    await cluster.patch(
      PersistentVolumeClaim,
      first?.metadata.name ?? '',
      mergePatch({ spec: { resources: { requests: { storage: '9Gi' } } } }),
    );
    await cluster.settled();
    expect((await cluster.get(PersistentVolumeClaim, first?.metadata.name ?? '')).spec?.resources?.requests?.['storage']).toBe('9Gi');
    expect(await conditionOf('vault')).toMatchObject({ status: 'True' });
  });

  test('where the storage class does not allow it, the status says so and nothing is asked for', async () => {
    await cluster.create(StorageClass, { metadata: { name: 'fixed' }, provisioner: 'keelson.dev/volumes' });
    await cluster.create(PersistentVolume, {
      metadata: { name: 'fixed' },
      spec: { storageClassName: 'fixed', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/tmp/fixed' } },
    });
    await create('stone', { size: 1, ...claimSpec('1Gi', 'fixed') });
    await becomesReady('stone');
    await grow('stone', '2Gi');
    await cluster.until(async () => (await conditionOf('stone'))?.status === 'False');
    const condition = await conditionOf('stone');
    expect(condition).toMatchObject({ reason: 'NotExpandable' });
    expect(condition?.message).toContain('StorageClass fixed does not allow expansion');
    const [claim] = await claimsOf('stone');
    expect(claim?.spec?.resources?.requests?.['storage']).toBe('1Gi');
    cluster.requests.expectNoneDenied();
  });
});

test('2A-35 clusters of one name in two namespaces are two clusters, and one goes without the other', async () => {
  const keys = ['shop/twin', 'plant/twin'] as const;
  for (const namespace of ['shop', 'plant'])
    await cluster.create(EtcdCluster({ metadata: { name: 'twin', namespace }, spec: { size: 1 } }));
  for (const key of keys) await becomesReady(key);
  const ids = await Promise.all(keys.map(async (key) => (await cluster.get(EtcdCluster, key)).status?.clusterID));
  expect(new Set(ids).size).toBe(2);
  const podsIn = async (namespace: string) =>
    (await cluster.list(Pod, { namespace, labels: { etcd_cluster: 'twin' } })).map(({ metadata }) => metadata.uid);
  const kept = await podsIn('plant');
  expect(kept).toHaveLength(1);
  await cluster.delete(EtcdCluster, 'shop/twin');
  await cluster.settled();
  expect(await podsIn('shop')).toEqual([]);
  expect(await podsIn('plant')).toEqual(kept);
  expect((await cluster.get(EtcdCluster, 'plant/twin')).status?.members?.ready).toHaveLength(1);
});

test('2A-40 a dry run makes nothing', async () => {
  await cluster.create(EtcdCluster({ metadata: { name: 'dry' }, spec: {} }), { dryRun: true });
  await cluster.settled();
  expect(await cluster.find(EtcdCluster, 'dry')).toBeUndefined();
  expect(await cluster.list(Pod, { labels: { etcd_cluster: 'dry' } })).toEqual([]);
});
