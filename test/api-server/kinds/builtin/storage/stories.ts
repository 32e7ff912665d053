import { clusterWide, type Fields, namespaced, type Story, story } from '../stories/story.js';

const drivers = clusterWide('storage.k8s.io/v1', 'CSIDriver', 'csidrivers');
const nodes = clusterWide('storage.k8s.io/v1', 'CSINode', 'csinodes');
const capacities = namespaced('storage.k8s.io/v1', 'CSIStorageCapacity', 'csistoragecapacities');
const attributes = clusterWide('storage.k8s.io/v1', 'VolumeAttributesClass', 'volumeattributesclasses');
const driver = (fields: Fields = {}): Fields => ({ spec: fields });
const csiNode = (...list: readonly Fields[]): Fields => ({ spec: { drivers: list } });
const topology = { matchLabels: { 'a b': 'c d' } };
const storage = clusterWide('storage.k8s.io/v1', 'StorageClass', 'storageclasses');

export const storageStories: readonly Story[] = [
  story(
    drivers,
    'plain',
    driver({ nodeAllocatableUpdatePeriodSeconds: 5, tokenRequests: [{ audience: 'a' }, { audience: 'b', expirationSeconds: 600 }] }),
    { patch: { spec: { attachRequired: false, volumeLifecycleModes: ['Ephemeral'] } } },
    { patch: { spec: { podInfoOnMount: true, fsGroupPolicy: 'File' } } },
    { delete: {} },
  ),
  story(drivers, 'empty', {}),
  story(
    drivers,
    'bad',
    driver({
      fsGroupPolicy: 'X',
      volumeLifecycleModes: ['Y', 'Persistent'],
      tokenRequests: [{ audience: 'a', expirationSeconds: 599 }, { audience: 'a' }, { audience: '', expirationSeconds: 2 ** 33 }],
    }),
  ),
  story(
    nodes,
    'plain',
    csiNode({ name: 'a.example.com', nodeID: 'n', topologyKeys: ['zone'], allocatable: { count: 3 } }),
    { patch: { metadata: { labels: { a: 'b' } } } },
    { patch: { spec: { drivers: [{ name: 'a.example.com', nodeID: 'm', topologyKeys: ['zone'] }] } } },
    { patch: { spec: { drivers: [{ name: 'b.example.com', nodeID: 'm' }] } } },
    { delete: {} },
  ),
  story(nodes, 'empty', {}),
  story(
    nodes,
    'bad',
    csiNode(
      { name: '', nodeID: '', topologyKeys: ['', 'a', 'a', 'b c'], allocatable: { count: -1 } },
      { name: 'a_b', nodeID: 'n'.repeat(257) },
      { name: 'A'.repeat(64), nodeID: 'n' },
      { name: 'a_b', nodeID: 'n' },
    ),
  ),
  story(
    capacities,
    'plain',
    { storageClassName: 's', capacity: '1Gi', nodeTopology: { matchLabels: { a: 'b' } } },
    { patch: { capacity: '2Gi' } },
    { patch: { storageClassName: 't', nodeTopology: null } },
    { delete: {} },
  ),
  story(capacities, 'bad', { storageClassName: 'A b', capacity: '-1', nodeTopology: topology }),
  story(capacities, 'empty', {}),
  story(
    attributes,
    'plain',
    { driverName: 'a.example.com', parameters: { a: 'b' } },
    { patch: { parameters: { a: 'c' }, driverName: 'b' } },
    { patch: { metadata: { labels: { a: 'b' } } } },
    { delete: {} },
  ),
  story(attributes, 'empty', {}),
  story(attributes, 'bad', { driverName: 'a b', parameters: { '': 'x' } }),
  story(
    storage,
    'plain',
    { provisioner: 'Example.com/x', parameters: { a: 'b' } },
    { patch: { parameters: { a: 'c' }, provisioner: 'y', reclaimPolicy: 'Retain', volumeBindingMode: 'WaitForFirstConsumer' } },
    { patch: { allowVolumeExpansion: true } },
    { delete: {} },
  ),
  story(storage, 'bad', {
    provisioner: '',
    reclaimPolicy: 'Recycle',
    volumeBindingMode: 'X',
    parameters: { '': 'x' },
    allowedTopologies: [
      {
        matchLabelExpressions: [
          { key: 'a', values: ['b', 'b'] },
          { key: 'a', values: [] },
          { key: 'c d', values: ['e'] },
        ],
      },
    ],
  }),
  story(storage, 'topologies', {
    provisioner: 'x',
    allowedTopologies: [{ matchLabelExpressions: [{ key: 'a', values: ['b'] }] }, { matchLabelExpressions: [{ key: 'a', values: ['b'] }] }],
  }),
  story(storage, 'bad provisioner', { provisioner: 'a b' }),
  story(drivers, 'changed', { spec: {} }, { patch: { spec: { podInfoOnMount: true } } }, { delete: {} }),
];
