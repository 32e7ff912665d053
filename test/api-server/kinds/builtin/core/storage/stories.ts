import type { Json } from '../../../../../../src/kubernetes/apimachinery/index.js';
import { clusterWide, type Fields, namespaced, type Step, type Story, story } from '../../stories/story.js';

const claim = namespaced('v1', 'PersistentVolumeClaim', 'persistentvolumeclaims');
const volume = clusterWide('v1', 'PersistentVolume', 'persistentvolumes');
const size = (amount: string): Fields => ({ resources: { requests: { storage: amount } } });
const spec = (fields: Fields = {}): Fields => ({ accessModes: ['ReadWriteOnce'], ...size('1Gi'), ...fields });
const patch = (fields: Fields): Step => ({ patch: { spec: fields } });
const status = (fields: Fields): Step => ({ patch: { status: fields }, of: 'status' });
const volumeSpec = (fields: Fields): Fields => ({ spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, ...fields } });
const csi = { driver: 'example.com', volumeHandle: 'h' };
const affinity = (value: string): Json => ({
  required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'k', operator: 'In', values: [value] }] }] },
});

export const volumeStories: readonly Story[] = [
  story(
    claim,
    'plain',
    { spec: spec() },
    patch({ volumeName: 'v' }),
    patch({ volumeName: 'w' }),
    patch({ storageClassName: 'late' }),
    patch(size('2Gi')),
    status({ phase: 'Bound', capacity: { storage: '1Gi' } }),
    patch(size('3Gi')),
    patch(size('512Mi')),
    patch(size('2Gi')),
    patch({ accessModes: ['ReadOnlyMany'], volumeMode: 'Block' }),
    patch({ volumeAttributesClassName: 'gold' }),
    status({ currentVolumeAttributesClassName: 'gold' }),
    patch({ volumeAttributesClassName: null }),
    patch({ volumeAttributesClassName: '' }),
    status({
      capacity: { storage: '-1' },
      allocatedResources: { cpu: '1', storage: '2Gi', 'a b': '1' },
      allocatedResourceStatuses: { cpu: 'X', storage: 'NodeResizePending' },
    }),
    { delete: {} },
  ),
  story(claim, 'empty', { spec: {} }),
  story(claim, 'bad', {
    metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'x' } },
    spec: {
      accessModes: ['ReadWriteOncePod', 'ReadWriteOnce', 'X'],
      ...size('-1'),
      storageClassName: 'A',
      volumeMode: 'Y',
      selector: { matchLabels: { 'a b': '' } },
      volumeAttributesClassName: 'B',
    },
  }),
  story(claim, 'fractions', { spec: spec({ resources: { requests: { storage: '1500m' }, limits: { storage: '0.1' } } }) }),
  story(
    claim,
    'of a claim',
    { spec: spec({ dataSource: { kind: 'PersistentVolumeClaim', name: 'x' } }) },
    patch({ dataSource: null, dataSourceRef: null }),
  ),
  story(claim, 'of a snapshot', {
    spec: spec({ dataSourceRef: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'x' } }),
  }),
  story(claim, 'of something', { spec: spec({ dataSource: { apiGroup: 'example.com', kind: 'X', name: 'x' } }) }),
  story(claim, 'of something else', {
    spec: spec({ dataSourceRef: { apiGroup: 'example.com', kind: 'X', name: 'x', namespace: 'other' } }),
  }),
  story(claim, 'of two', {
    spec: spec({ dataSource: { kind: 'PersistentVolumeClaim', name: 'x' }, dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'y' } }),
  }),
  story(claim, 'of nothing', { spec: spec({ dataSourceRef: { apiGroup: 'A', kind: '', name: '' } }) }),
  story(
    claim,
    'annotated',
    { metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'x' } }, spec: spec() },
    { patch: { metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'y' } } } },
    patch({ storageClassName: 'x' }),
  ),
  story(
    volume,
    'plain',
    volumeSpec({ hostPath: { path: '/x' } }),
    status({ phase: 'Available' }),
    status({ phase: 'Available', message: 'm' }),
    patch({ hostPath: { path: '/y' } }),
    patch({ volumeMode: 'Block' }),
    patch({ claimRef: { name: 'c', namespace: 'd' } }),
    patch({ nodeAffinity: affinity('a') }),
    patch({ nodeAffinity: affinity('b') }),
    patch({ persistentVolumeReclaimPolicy: 'Recycle' }),
    { delete: {} },
  ),
  story(volume, 'empty', { spec: {} }),
  story(volume, 'bad', {
    metadata: { annotations: { 'volume.beta.kubernetes.io/mount-options': 'x', 'volume.beta.kubernetes.io/storage-class': 'y' } },
    spec: {
      accessModes: ['X'],
      capacity: { storage: '-1', cpu: '0' },
      persistentVolumeReclaimPolicy: 'X',
      storageClassName: 'A',
      volumeMode: 'Z',
      volumeAttributesClassName: '',
      nodeAffinity: {},
      local: { path: '../x' },
      csi,
      hostPath: { path: '' },
    },
  }),
  story(volume, 'root', volumeSpec({ hostPath: { path: '/' }, persistentVolumeReclaimPolicy: 'Recycle' })),
  story(volume, 'local', volumeSpec({ local: { path: '/a/../b' } })),
  story(
    volume,
    'of a driver',
    volumeSpec({ csi: { ...csi, nodePublishSecretRef: { name: 'a', namespace: 'b' } }, volumeAttributesClassName: 'gold' }),
    patch({ csi: { controllerExpandSecretRef: { name: 'a', namespace: 'b' } } }),
    patch({ csi: { volumeHandle: 'i' } }),
    patch({ volumeAttributesClassName: null }),
  ),
  story(
    volume,
    'of a bad driver',
    volumeSpec({
      csi: { driver: 'A_', volumeHandle: '', nodePublishSecretRef: {}, controllerExpandSecretRef: { name: 'A', namespace: 'B.c' } },
    }),
  ),
  story(volume, 'nfs', {
    metadata: { annotations: { 'volume.beta.kubernetes.io/mount-options': 'x' } },
    ...volumeSpec({ nfs: { server: 's', path: 'p' } }),
  }),
  story(volume, 'old', volumeSpec({ rbd: { image: 'i', monitors: ['m'] }, iscsi: { targetPortal: 't', iqn: 'iqn.2020-01.a:b', lun: 0 } })),
];
