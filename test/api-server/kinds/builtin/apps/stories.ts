import type { Json } from '../../../../../src/kubernetes/apimachinery/index.js';
import { type Fields, namespaced, type Step, type Story, story } from '../stories/story.js';

const labels = { app: 'a' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'nginx:1' }] } };
const selector = { matchLabels: labels };
interface More {
  readonly metadata?: Json;
  readonly status?: Json;
  readonly steps?: readonly Step[];
}

function maker(kind: string, plural: string, common: Fields): (title: string, spec?: Fields, more?: More) => Story {
  const made = { apiVersion: 'apps/v1', kind, plural, isNamespaced: true };
  return (title, spec = {}, { steps = [], ...rest } = {}) => story(made, title, { ...rest, spec: { ...common, ...spec } }, ...steps);
}

const deployment = maker('Deployment', 'deployments', { selector, template });
const replicaSet = maker('ReplicaSet', 'replicasets', { selector, template });
const daemonSet = maker('DaemonSet', 'daemonsets', { selector, template });
const statefulSet = maker('StatefulSet', 'statefulsets', { selector, template, serviceName: 'svc' });
const claim = (name: string, spec: Fields = {}): Json => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});

const templateWith = (spec: Fields, metadata: Json = { labels }): Json => ({ metadata, spec: { ...template.spec, ...spec } });

const revisions = namespaced('apps/v1', 'ControllerRevision', 'controllerrevisions');

export const appsStories: readonly Story[] = [
  deployment('smallest', {}, { status: { replicas: 5 }, metadata: { generation: 9 } }),
  deployment('recreate', { strategy: { type: 'Recreate' } }),
  deployment('recreate with rolling update', { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } }),
  deployment('unknown strategy', { strategy: { type: 'BlueGreen' } }),
  deployment('no progress', { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } } }),
  deployment('bad shares', { strategy: { rollingUpdate: { maxSurge: 'x', maxUnavailable: '101%' } } }),
  deployment('negative numbers', { replicas: -1, minReadySeconds: -1, revisionHistoryLimit: -1, progressDeadlineSeconds: -1 }),
  deployment('deadline before ready', { minReadySeconds: 600 }),
  deployment('no selector', { selector: null }),
  deployment('empty selector', { selector: {} }),
  deployment('selector that does not match', { selector: { matchLabels: { app: 'b' } } }),
  deployment('selector that cannot be read', { selector: { matchExpressions: [{ key: 'a', operator: 'Is', values: ['b'] }] } }),
  deployment('expressions', { selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['a', 'b'] }] } }),
  deployment('no labels', { template: templateWith({}, {}) }),
  deployment('no template', { template: null }),
  deployment('bad template', {
    template: templateWith(
      { restartPolicy: 'Never', activeDeadlineSeconds: 5, containers: [{ name: 'main' }] },
      { labels: { app: 'a', 'x y': 'z' }, annotations: { 'a b': 'c' } },
    ),
  }),
  deployment('template metadata', {
    template: templateWith({}, { labels, name: 'ignored', creationTimestamp: null, annotations: { a: 'b' } }),
  }),
  deployment('host network', {
    template: templateWith({ hostNetwork: true, containers: [{ name: 'main', image: 'x', ports: [{ containerPort: 80 }] }] }),
  }),
  deployment('limits make no requests', {
    template: templateWith({ containers: [{ name: 'main', image: 'x', resources: { limits: { cpu: '0.1' } } }] }),
  }),
  deployment(
    'warnings',
    { template: templateWith({ topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'DoNotSchedule' }] }) },
    { metadata: { name: 'dotted.name' } },
  ),
  deployment(
    'changes',
    {},
    {
      steps: [
        { patch: { spec: { replicas: 3 } } },
        { patch: { metadata: { labels: { a: 'b' } } } },
        { patch: { metadata: { annotations: { a: 'b' } } } },
        { patch: { status: { replicas: 4 } } },
        { patch: { spec: { selector: { matchLabels: { app: 'a', b: 'c' } } } } },
        { patch: { spec: { replicas: -1 } } },
        { patch: { spec: { template: { spec: { containers: [] } } } } },
        {
          of: 'status',
          patch: {
            status: { replicas: 3, readyReplicas: 1, collisionCount: 2 },
            spec: { replicas: 9 },
            metadata: { labels: { dropped: 'x' }, annotations: { kept: 'x' } },
          },
        },
        {
          of: 'status',
          patch: { status: { replicas: 1, readyReplicas: 3, availableReplicas: 5, updatedReplicas: -1, collisionCount: 1 } },
        },
        { get: 'scale' },
        { of: 'scale', patch: { spec: { replicas: 7 } } },
        { of: 'scale', patch: { spec: { replicas: -7 } } },
        { get: '' },
        { delete: { propagationPolicy: 'Background' } },
      ],
    },
  ),
  replicaSet('smallest', {}, { status: { replicas: 5 } }),
  replicaSet('empty selector', { selector: {} }),
  replicaSet('bad', {
    replicas: -1,
    minReadySeconds: -1,
    selector: { matchLabels: { app: 'b' } },
    template: templateWith({ restartPolicy: 'OnFailure' }),
  }),
  replicaSet(
    'changes',
    {},
    {
      steps: [
        { patch: { spec: { replicas: 3 } } },
        { patch: { spec: { selector: { matchLabels: { b: 'c' } }, template: { metadata: { labels: { b: 'c' } } } } } },
        { patch: { metadata: { annotations: { a: 'b' } } } },
        { of: 'status', patch: { status: { replicas: 3, fullyLabeledReplicas: 4 } } },
        { of: 'status', patch: { status: { replicas: 3, readyReplicas: 1 }, metadata: { labels: { kept: 'x' } } } },
        { get: 'scale' },
      ],
    },
  ),
  daemonSet('smallest', {}, { status: { numberReady: 5 } }),
  daemonSet('on delete', { updateStrategy: { type: 'OnDelete' } }),
  daemonSet('unknown strategy', { updateStrategy: { type: 'Now' } }),
  daemonSet('both', { updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } }),
  daemonSet('neither', { updateStrategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }),
  daemonSet('no selector', { selector: null }),
  daemonSet('empty selector', { selector: {} }),
  daemonSet('bad', {
    minReadySeconds: -1,
    revisionHistoryLimit: -1,
    selector: { matchLabels: { app: 'b' } },
    template: templateWith({ restartPolicy: 'Never', activeDeadlineSeconds: 3 }),
  }),
  daemonSet(
    'changes',
    {},
    {
      steps: [
        { patch: { spec: { template: { metadata: { annotations: { a: 'b' } } } } } },
        { patch: { spec: { minReadySeconds: 4 } } },
        { patch: { metadata: { annotations: { 'deprecated.daemonset.template.generation': '7' } } } },
        { patch: { spec: { selector: { matchLabels: { app: 'b' } } } } },
        { of: 'status', patch: { status: { numberReady: 1, collisionCount: 1 } } },
        { of: 'status', patch: { status: { numberReady: -1, collisionCount: 0 } } },
      ],
    },
  ),
  statefulSet('smallest', {}, { status: { replicas: 5 } }),
  statefulSet('claims', {
    volumeClaimTemplates: [claim('data')],
    template: templateWith({ containers: [{ name: 'main', image: 'x', volumeMounts: [{ name: 'data', mountPath: '/d' }] }] }),
  }),
  statefulSet('bad claims', {
    volumeClaimTemplates: [
      claim('data', { accessModes: [], resources: {} }),
      claim('b', {
        accessModes: ['ReadWriteOncePod', 'ReadWriteMany', 'X'],
        volumeMode: 'Tape',
        storageClassName: 'Bad Class',
        dataSource: { kind: 'X', name: '' },
      }),
    ],
  }),
  statefulSet('on delete with rolling update', { updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } }),
  statefulSet('unknown strategy', { updateStrategy: { type: 'Now' }, podManagementPolicy: 'Wild' }),
  statefulSet('max unavailable is off', { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2, partition: -1 } } }),
  statefulSet('type without rolling update', { updateStrategy: { type: 'RollingUpdate' } }),
  statefulSet('bad', {
    replicas: -1,
    minReadySeconds: -1,
    serviceName: 'Bad_Name',
    ordinals: { start: -1 },
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Maybe' },
    template: templateWith({ restartPolicy: 'Never', activeDeadlineSeconds: 3, hostname: 'Bad Host' }),
  }),
  statefulSet('empty selector', { selector: {} }),
  statefulSet('no selector', { selector: null }),
  statefulSet('dotted name', {}, { metadata: { name: 'dotted.name' } }),
  statefulSet('negative history', { revisionHistoryLimit: -1 }),
  statefulSet(
    'changes',
    { volumeClaimTemplates: [claim('data')] },
    {
      steps: [
        { patch: { spec: { replicas: 3, ordinals: { start: 1 }, minReadySeconds: 1 } } },
        { patch: { spec: { serviceName: 'other' } } },
        { patch: { spec: { volumeClaimTemplates: [claim('other')] } } },
        { patch: { spec: { selector: { matchLabels: { app: 'b' } }, podManagementPolicy: 'Parallel' } } },
        { of: 'status', patch: { status: { replicas: 1, readyReplicas: 2, availableReplicas: 3, collisionCount: 1 } } },
        { of: 'status', patch: { status: { replicas: 3, readyReplicas: 2, availableReplicas: 1, collisionCount: 1 } } },
        { of: 'status', patch: { status: { collisionCount: null } } },
        { get: 'scale' },
      ],
    },
  ),
  story(revisions, 'numbered', { revision: 1, data: { a: 1 } }, { patch: { revision: 2 } }, { patch: { revision: -2 } }),
  story(revisions, 'without data', { revision: -1 }),
];
