import { type BindingState, bindingOf } from '../../../../src/api-server/workloads/volumes/plan-binding.js';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../../../../src/kubernetes/kinds/index.js';

const claim = (spec: object = {}): PersistentVolumeClaim =>
  ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', namespace: 'default', uid: 'claim-uid' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } }, ...spec },
  }) as PersistentVolumeClaim;
const volume = (name: string, storage: string, spec: object = {}, metadata: object = {}): PersistentVolume =>
  ({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, ...metadata },
    spec: { accessModes: ['ReadWriteOnce', 'ReadOnlyMany'], capacity: { storage }, ...spec },
  }) as PersistentVolume;
const storageClass = (more: object = {}): StorageClass =>
  ({ metadata: { name: 'fast' }, provisioner: 'example.com/p', ...more }) as unknown as StorageClass;

function chosen(state: Partial<BindingState> = {}): string {
  const binding = bindingOf({ claim: claim(), volumes: [], storageClass: undefined, isUsed: false, ...state });
  return 'volume' in binding ? `${binding.do} ${binding.volume.metadata.name}` : binding.do;
}

test('of the volumes that fit the smallest is bound', () => {
  expect(chosen({ volumes: [volume('large', '10Gi'), volume('just', '2048Mi'), volume('small', '1Gi')] })).toBe('bind just');
});

test.each<[string, object, object]>([
  ['of another class', { storageClassName: 'fast' }, {}],
  ['in another mode', { volumeMode: 'Block' }, {}],
  ['with too few ways to use it', { accessModes: ['ReadOnlyMany'] }, {}],
  ['of another claim', { claimRef: { name: 'other', namespace: 'default' } }, {}],
  ['of the claim that had this name before', { claimRef: { name: 'data', namespace: 'default', uid: 'old' } }, {}],
  ['that is being deleted', {}, { deletionTimestamp: '2030-01-01T00:00:00Z' }],
])('a volume %s is left', (_case, spec, metadata) => {
  expect(chosen({ volumes: [volume('v', '2Gi', spec, metadata)] })).toBe('wait');
});

test('labels that the claim selects have to be there', () => {
  const selecting = claim({ selector: { matchLabels: { disk: 'ssd' } } });
  expect(chosen({ claim: selecting, volumes: [volume('v', '2Gi')] })).toBe('wait');
  expect(chosen({ claim: selecting, volumes: [volume('v', '2Gi', {}, { labels: { disk: 'ssd' } })] })).toBe('bind v');
});

test('a volume that is kept for the claim is bound, and so is the one that the claim names, whatever its size', () => {
  const kept = volume('kept', '2Gi', { claimRef: { name: 'data', namespace: 'default' } });
  expect(chosen({ volumes: [kept] })).toBe('bind kept');
  const named = { claim: claim({ volumeName: 'small' }), storageClass: storageClass() };
  expect(chosen({ ...named, volumes: [volume('just', '2Gi'), volume('small', '1Gi')] })).toBe('bind small');
  expect(chosen({ ...named, volumes: [volume('just', '2Gi')] })).toBe('wait');
});

test('without a volume that fits the class makes one, if it has a provisioner', () => {
  expect(chosen({ storageClass: storageClass() })).toBe('provision pvc-claim-uid');
  expect(chosen({ storageClass: storageClass({ provisioner: 'kubernetes.io/no-provisioner' }) })).toBe('wait');
  const binding = bindingOf({ claim: claim(), volumes: [], storageClass: storageClass({ reclaimPolicy: 'Retain' }), isUsed: false });
  expect(binding).toMatchObject({
    volume: {
      spec: {
        capacity: { storage: '2Gi' },
        claimRef: { name: 'data', uid: 'claim-uid' },
        persistentVolumeReclaimPolicy: 'Retain',
        storageClassName: 'fast',
      },
    },
  });
});

test('a class that waits for the first Pod does so though a volume fits', () => {
  const waiting = { storageClass: storageClass({ volumeBindingMode: 'WaitForFirstConsumer' }), volumes: [volume('v', '2Gi')] };
  expect([chosen(waiting), chosen({ ...waiting, isUsed: true })]).toEqual(['wait', 'bind v']);
});
