import type { PersistentVolume, PersistentVolumeClaim } from '../../../../src/kubernetes/kinds/index.js';
import { container, Stage } from '../stage.js';

let stage: Stage;
beforeEach(async () => {
  stage = await Stage.start();
});
afterEach(() => stage.close());
const claim = (): PersistentVolumeClaim => stage.world.must<PersistentVolumeClaim>('persistentvolumeclaims', 'default/data');
const volume = (name: string): PersistentVolume | undefined =>
  stage.world.get('persistentvolumes', `/${name}`) as unknown as PersistentVolume | undefined;
const createClaim = (spec: object = {}): Promise<void> =>
  stage.create({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', namespace: 'default' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
  });
const createVolume = (spec: object = {}): Promise<void> =>
  stage.create({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'disk' },
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '5Gi' }, hostPath: { path: '/disk' }, ...spec },
  });
const createPod = (): Promise<void> =>
  stage.create({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a', namespace: 'default' },
    spec: { containers: [container('a:1')], volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] },
  });

test('a claim and its volume are bound to each other, with the annotations of Kubernetes', async () => {
  await createVolume();
  expect(volume('disk')?.status).toMatchObject({ phase: 'Available' });
  await createClaim({ storageClassName: '' });
  expect(claim()).toMatchObject({
    metadata: { annotations: { 'pv.kubernetes.io/bind-completed': 'yes', 'pv.kubernetes.io/bound-by-controller': 'yes' } },
    spec: { volumeName: 'disk' },
    status: { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '5Gi' } },
  });
  expect(volume('disk')).toMatchObject({
    metadata: { annotations: { 'pv.kubernetes.io/bound-by-controller': 'yes' } },
    spec: { claimRef: { name: 'data', namespace: 'default', uid: claim().metadata.uid } },
    status: { phase: 'Bound' },
  });
});

test('a claim that waits is bound by the volume that comes', async () => {
  await createClaim({ storageClassName: '' });
  expect(claim().status).toMatchObject({ phase: 'Pending' });
  await createVolume();
  expect(claim().status).toMatchObject({ phase: 'Bound' });
});

test('when its claim goes a volume is deleted, or released and kept, by its policy', async () => {
  await createClaim();
  const { volumeName: made = '' } = claim().spec ?? {};
  expect(volume(made)?.status).toMatchObject({ phase: 'Bound' });
  await stage.world.delete('persistentvolumeclaims', 'default/data');
  await stage.world.settled();
  expect(volume(made)).toBeUndefined();
  await createVolume({ persistentVolumeReclaimPolicy: 'Retain' });
  await createClaim({ storageClassName: '' });
  await stage.world.delete('persistentvolumeclaims', 'default/data');
  await stage.world.settled();
  expect(volume('disk')?.status).toMatchObject({ phase: 'Released' });
});

test('a claim stays while a Pod uses it, and a volume while a claim has it', async () => {
  await createClaim();
  const { volumeName = '' } = claim().spec ?? {};
  await createPod();
  await stage.world.delete('persistentvolumeclaims', 'default/data');
  await stage.world.delete('persistentvolumes', `/${volumeName}`);
  await stage.world.settled();
  expect([claim().metadata.deletionTimestamp, volume(volumeName)?.metadata.deletionTimestamp]).toEqual([
    expect.any(String),
    expect.any(String),
  ]);
  await stage.world.delete('pods', 'default/a');
  await stage.world.settled();
  expect(stage.world.names('persistentvolumeclaims')).toEqual([]);
  expect(volume(volumeName)).toBeUndefined();
});

test('a claim that grows gets its room where its class allows it', async () => {
  await createClaim();
  await stage.patch('persistentvolumeclaims', 'data', { spec: { resources: { requests: { storage: '3Gi' } } } });
  expect(claim().status).toMatchObject({ capacity: { storage: '3Gi' } });
  expect(volume(claim().spec?.volumeName ?? '')?.spec).toMatchObject({ capacity: { storage: '3Gi' } });
});

test('a class that waits for the first Pod binds when there is one', async () => {
  await stage.create({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'late' },
    provisioner: 'example.com/p',
    volumeBindingMode: 'WaitForFirstConsumer',
  });
  await createClaim({ storageClassName: 'late' });
  expect(claim().status).toMatchObject({ phase: 'Pending' });
  await createPod();
  expect(claim().status).toMatchObject({ phase: 'Bound' });
  expect(stage.pod('a').status?.phase).toBe('Running');
});
