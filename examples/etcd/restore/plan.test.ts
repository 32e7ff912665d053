import type { Stored } from 'keelson';
import { etcdCluster } from '../cluster/cluster-objects.js';
import type { EtcdCluster } from '../cluster/etcd-cluster.js';
import { seedName } from '../cluster/names.js';
import type { EtcdRestore } from './etcd-restore.js';
import { doneMark, RESTORE_ANNOTATION, stepOf } from './plan.js';
import { seedClaim, seedPod } from './seed.js';

const FROM = { url: 'http://backups:19999/v1/backup/uid-of-restore', sha256: 'abc' };

function restore(status: NonNullable<EtcdRestore['status']> = {}, name = 'ring'): Stored<EtcdRestore> {
  return {
    apiVersion: 'etcd.database.coreos.com/v1beta2',
    kind: 'EtcdRestore',
    metadata: { name: 'ring', namespace: 'shop', uid: 'uid-of-restore', resourceVersion: '1', generation: 1 },
    spec: { etcdCluster: { name }, backupStorageType: 'Directory', directory: { path: 'ring' } },
    status,
  };
}

const backup = { bytes: 1, sha256: 'abc' };
const old = etcdCluster();
const replaced = { uid: old.metadata.uid, spec: { ...old.spec } };

/** The cluster that the restore has made. */
function remade(mark: string | undefined = 'uid-of-restore'): Stored<EtcdCluster> {
  const annotations = mark === undefined ? {} : { [RESTORE_ANNOTATION]: mark };
  return { ...old, metadata: { ...old.metadata, uid: 'new', annotations } };
}

function seed(status: 'True' | 'False'): ReturnType<typeof asStored> {
  return asStored(status);
}

function asStored(ready: 'True' | 'False') {
  const pod = seedPod(remade(), FROM);
  const metadata = { ...pod.metadata, name: seedName(remade()), namespace: 'shop', uid: 'uid-of-seed', resourceVersion: '1' };
  return { ...pod, metadata, status: { conditions: [{ type: 'Ready', status: ready }] } };
}

test('2A.39: a restore of another name is refused, whatever else there is', () => {
  expect(stepOf(restore({}, 'other'), etcdCluster(), [])).toMatchObject({ do: 'refuse' });
});

test('each step follows from the objects alone', () => {
  const steps = [
    stepOf(restore(), old, []),
    stepOf(restore({ backup }), undefined, []),
    stepOf(restore({ backup }), old, []),
    stepOf(restore({ backup, replaced }), old, []),
    stepOf(restore({ backup, replaced }), undefined, []),
    stepOf(restore({ backup, replaced }), remade(), []),
    stepOf(restore({ backup, replaced }), remade(), [seed('False')]),
    stepOf(restore({ backup, replaced }), remade(), [seed('True')]),
    stepOf(restore({ backup, replaced }), remade(doneMark(restore())), []),
  ];
  expect(steps.map((step) => step.do)).toEqual([
    'verify',
    'wait',
    'record',
    'delete-cluster',
    'create-cluster',
    'create-seed',
    'await-seed',
    'release',
    'nothing',
  ]);
});

test('a cluster that somebody else has made meanwhile is left alone', () => {
  expect(stepOf(restore({ backup, replaced }), remade('another restore'), [])).toMatchObject({ do: 'wait' });
  expect(stepOf(restore({ backup, replaced }), { ...remade(), metadata: { ...remade().metadata, annotations: {} } }, [])).toMatchObject({
    do: 'wait',
  });
});

test('a cluster that is being deleted is not written down', () => {
  const going = { ...old, metadata: { ...old.metadata, deletionTimestamp: '2030-01-01T00:00:00Z' } };
  expect(stepOf(restore({ backup }), going, [])).toMatchObject({ do: 'wait' });
});

test('a restore that has succeeded does nothing, whatever becomes of the cluster', () => {
  expect(stepOf(restore({ backup, replaced, succeeded: true }), undefined, [])).toEqual({ do: 'nothing' });
});

test('the seed restores beside the data folder, and into a cluster with an id of its own', () => {
  const { metadata, spec } = seedPod(remade(), FROM);
  expect(metadata.ownerReferences).toMatchObject([{ kind: 'EtcdCluster', uid: 'new', controller: true }]);
  const [dns, fetch, restoring, activate] = spec.initContainers ?? [];
  expect([dns, fetch, restoring, activate].map((one) => one?.name)).toEqual([
    'check-dns',
    'fetch-backup',
    'restore-datadir',
    'activate-datadir',
  ]);
  expect(restoring?.args).toEqual(expect.arrayContaining(['--data-dir=/var/etcd/restored', '--initial-cluster-token=new']));
  expect(spec.containers[0]?.args).toContain('--data-dir=/var/etcd/data');
});

test('a cluster with volumes has its seed on one', () => {
  const persistentVolumeClaimSpec = { accessModes: ['ReadWriteOnce'] as const, resources: { requests: { storage: '1Gi' } } };
  const pod = { ...old.spec.pod, persistentVolumeClaimSpec };
  const cluster = { ...remade(), spec: { ...old.spec, pod } };
  expect(seedClaim(cluster)?.metadata).toMatchObject({ name: seedName(cluster), ownerReferences: [{ uid: 'new' }] });
  expect(seedClaim(remade())).toBeUndefined();
});
