import type { Step } from '../differential/exchange.js';
import { noticed } from '../differential/noticed.js';
import type { Script, StepMaker } from '../differential/script.js';

type Fields = Readonly<Record<string, unknown>>;

const quotaPath = (name: string): string => `/api/v1/namespaces/{ns}/resourcequotas/${name}`;

/** A quota as its controller has taken it up: the API server alone has none. */
const quota = (
  name: string,
  hard: Fields,
  { used = {}, ...spec }: { readonly used?: Fields; readonly [more: string]: unknown } = {},
): readonly Step[] => [
  { method: 'POST', path: '/api/v1/namespaces/{ns}/resourcequotas', body: { metadata: { name }, spec: { hard, ...spec } } },
  {
    method: 'PATCH',
    path: `${quotaPath(name)}/status`,
    body: { status: { hard, used: { ...Object.fromEntries(Object.keys(hard).map((key) => [key, '0'])), ...used } } },
  },
];

/** Of a Pod that is taken; a refusal names the resource, `pods`. */
const TAKEN = '"kind":"Pod"';

/** The API server learns of all quotas by one watch, in the order of their changes: by the time it heeds the last, it heeds those before. */
const last = (): readonly Step[] => [
  ...quota('last', { 'count/replicationcontrollers': '0' }),
  noticed(
    'exceeded quota: last',
    make('replicationcontrollers', 'probe', {
      spec: { selector: { a: 'b' }, template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } } },
    }),
  ),
];

const show = (name: string): Step => ({ method: 'GET', path: quotaPath(name) });

const make = (plural: string, name: string, more: Fields = {}): Step => ({
  method: 'POST',
  path: `/api/v1/namespaces/{ns}/${plural}`,
  body: { metadata: { name }, ...more },
});

const change = (path: string, body: Fields, subresource = ''): Step => ({
  method: 'PATCH',
  path: `/api/v1/namespaces/{ns}/${path}${subresource}`,
  contentType: 'application/merge-patch+json',
  body,
});

const container = (name: string, requests: Fields = {}, limits: Fields = {}, more: Fields = {}): Fields => ({
  name,
  image: 'i',
  resources: { requests, limits },
  ...more,
});

const podWith = (name: string, spec: Fields): Step => make('pods', name, { spec });
const pod = (name: string, requests: Fields = {}, limits: Fields = {}): Step =>
  podWith(name, { containers: [container('c', requests, limits)] });
const service = (name: string, spec: Fields): Step => make('services', name, { spec });
const claim = (name: string, storage: string, spec: Fields = {}): Step =>
  make('persistentvolumeclaims', name, { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, ...spec } });

const story = (name: string, ...steps: readonly (StepMaker | readonly StepMaker[])[]): Script => ({
  name: `resource quota: ${name}`,
  steps: steps.flat() as StepMaker[],
});

const compute = story(
  'compute resources',
  quota('q', { pods: '3', 'requests.cpu': '1', 'limits.memory': '2Gi', memory: '1Gi', 'requests.nvidia.com/gpu': '1' }),
  noticed('failed quota: q', pod('probe')),
  pod('none'),
  podWith('some', {
    containers: [container('b', { cpu: '1' }), container('a', {}, { memory: '1Gi' })],
    initContainers: [container('i', { memory: '1Mi' })],
  }),
  pod('one', { cpu: '250m', memory: '100Mi' }, { memory: '0.5Gi' }),
  show('q'),
  pod('too-much', { cpu: '800m', memory: '1Gi' }, { memory: '1Gi' }),
  show('q'),
  podWith('together', {
    containers: [
      container('a', { cpu: '100m', memory: '10M' }, { memory: '10M' }),
      container('b', { cpu: '0.1', memory: '10M' }, { memory: '10M' }),
    ],
    initContainers: [
      container('s', { cpu: '50m', memory: '1M' }, { memory: '1M' }, { restartPolicy: 'Always' }),
      container('i', { cpu: '400m', memory: '1M' }, { memory: '1M' }),
    ],
  }),
  show('q'),
  pod('gpu', { cpu: '1m', memory: '1', 'nvidia.com/gpu': '2' }, { memory: '1', 'nvidia.com/gpu': '2' }),
  pod('third', { cpu: '1m', memory: '1', 'nvidia.com/gpu': '1' }, { memory: '1', 'nvidia.com/gpu': '1' }),
  pod('fourth', { cpu: '1m', memory: '1' }, { memory: '1' }),
  show('q'),
  { method: 'DELETE', path: '/api/v1/namespaces/{ns}/pods/one?gracePeriodSeconds=0' },
  show('q'),
);

const podLevel = story(
  'resources of the pod itself',
  quota('q', { 'requests.cpu': '2', 'limits.memory': '1Gi' }),
  noticed('failed quota: q', pod('probe')),
  podWith('a', { resources: { requests: { cpu: '1' }, limits: { memory: '1Mi' } }, containers: [container('c')] }),
  podWith('b', { resources: { requests: { cpu: '1500m' } }, containers: [container('c')] }),
  show('q'),
);

const deployment: Step = {
  method: 'POST',
  path: '/apis/apps/v1/namespaces/{ns}/deployments',
  body: {
    metadata: { name: 'd' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  },
};

const counts = story(
  'objects',
  quota('q', {
    'count/configmaps': '1',
    configmaps: '2',
    secrets: '1',
    'count/deployments.apps': '0',
    'count/pods': '1',
    resourcequotas: '2',
    'count/leases.coordination.k8s.io': '1',
  }),
  noticed('exceeded quota: q', deployment),
  make('configmaps', 'a'),
  make('configmaps', 'b'),
  make('secrets', 'a'),
  make('secrets', 'b'),
  make('resourcequotas', 'r', { spec: { hard: { pods: '1' } } }),
  make('resourcequotas', 's', { spec: { hard: { pods: '1' } } }),
  { ...make('configmaps', 'dry'), path: '/api/v1/namespaces/{ns}/secrets?dryRun=All' },
  deployment,
  {
    method: 'POST',
    path: '/apis/coordination.k8s.io/v1/namespaces/{ns}/leases?dryRun=All',
    body: { metadata: { name: 'l' } },
  },
  {
    method: 'PATCH',
    path: '/apis/coordination.k8s.io/v1/namespaces/{ns}/leases/l?fieldManager=m',
    contentType: 'application/apply-patch+yaml',
    body: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'l' } },
  },
  { method: 'POST', path: '/api/v1/namespaces/{ns}/events', body: { metadata: { name: 'e' }, involvedObject: { namespace: '{ns}' } } },
  pod('one'),
  pod('two'),
  show('q'),
);

const servicesScript = story(
  'services',
  quota('q', { services: '3', 'services.nodeports': '2', 'services.loadbalancers': '1', 'count/services': '4' }),
  noticed('exceeded quota: q', service('probe', { type: 'NodePort', ports: [80, 81, 82].map((port) => ({ name: `p${port}`, port })) })),
  service('a', { ports: [{ port: 80 }] }),
  service('b', {
    type: 'NodePort',
    ports: [
      { port: 80, nodePort: 30001 },
      { port: 81, name: 'x', nodePort: 30002 },
    ].map((port, at) => ({ name: `p${at}`, ...port })),
  }),
  service('c', { type: 'NodePort', ports: [{ port: 80, nodePort: 30003 }] }),
  show('q'),
  change('services/a', { spec: { type: 'NodePort' } }),
  change('services/b', { spec: { type: 'ClusterIP', ports: [{ port: 80, name: 'p' }] } }),
  show('q'),
  service('d', { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports: [{ port: 80 }] }),
  service('e', { type: 'LoadBalancer', ports: [{ port: 80 }] }),
  show('q'),
);

const claims = story(
  'claims',
  quota('q', {
    persistentvolumeclaims: '3',
    'requests.storage': '10Gi',
    'gold.storageclass.storage.k8s.io/requests.storage': '2Gi',
    'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '1',
    'count/persistentvolumeclaims': '9',
  }),
  noticed('exceeded quota: q', claim('probe', '11Gi')),
  claim('a', '1Gi', { storageClassName: 'gold' }),
  claim('b', '1Gi', { storageClassName: 'gold' }),
  claim('c', '10Gi', { storageClassName: 'silver' }),
  claim('d', '1500m'),
  show('q'),
  change('persistentvolumeclaims/a', { status: { phase: 'Bound' } }, '/status'),
  change('persistentvolumeclaims/a', { spec: { resources: { requests: { storage: '2Gi' } } } }),
  {
    method: 'POST',
    path: '/apis/storage.k8s.io/v1/storageclasses',
    body: { metadata: { name: 'gold' }, provisioner: 'p', allowVolumeExpansion: true },
  },
  noticed('exceeded quota: q', change('persistentvolumeclaims/a', { spec: { resources: { requests: { storage: '3Gi' } } } })),
  change('persistentvolumeclaims/a', { spec: { resources: { requests: { storage: '3Gi' } } } }),
  change('persistentvolumeclaims/a', { spec: { resources: { requests: { storage: '2Gi' } } } }),
  change('persistentvolumeclaims/d', { spec: { resources: { requests: { storage: '2Gi' } } } }),
  change('persistentvolumeclaims/a', { status: { allocatedResources: { storage: '4Gi' } } }, '/status'),
  show('q'),
  { method: 'DELETE', path: '/apis/storage.k8s.io/v1/storageclasses/gold' },
);

const scoped = story(
  'scopes',
  quota('best', { pods: '1' }, { scopes: ['BestEffort'] }),
  quota('other', { pods: '1', 'requests.cpu': '1' }, { scopes: ['NotBestEffort', 'NotTerminating'] }),
  quota('ending', { pods: '1' }, { scopes: ['Terminating'] }),
  quota(
    'high',
    { pods: '1' },
    {
      scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['system-cluster-critical', 'x'] }] },
    },
  ),
  quota('low', { pods: '5' }, { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'DoesNotExist' }] } }),
  quota('wide', { pods: '1' }, { scopes: ['CrossNamespacePodAffinity'] }),
  last(),
  pod('a'),
  pod('b'),
  pod('c', { cpu: '1' }),
  pod('d', { cpu: '1m' }),
  podWith('e', { activeDeadlineSeconds: 5, containers: [container('c')] }),
  podWith('f', { activeDeadlineSeconds: 5, containers: [container('c', { cpu: '1' })] }),
  podWith('g', { activeDeadlineSeconds: 5, containers: [container('c', { cpu: '1' })] }),
  change('pods/c', { spec: { activeDeadlineSeconds: 7 } }),
  podWith('h', { priorityClassName: 'system-cluster-critical', containers: [container('c', { cpu: '1m' })] }),
  { method: 'DELETE', path: quotaPath('other') },
  noticed(TAKEN, podWith('h', { priorityClassName: 'system-cluster-critical', containers: [container('c', { cpu: '1m' })] })),
  podWith('h', { priorityClassName: 'system-cluster-critical', containers: [container('c', { cpu: '1m' })] }),
  podWith('h2', { priorityClassName: 'system-cluster-critical', containers: [container('c', { cpu: '1m' })] }),
  ...['best', 'ending', 'high', 'low', 'wide'].map(show),
  podWith('i', {
    affinity: {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'k', labelSelector: {}, namespaces: ['other'] }],
      },
    },
    containers: [container('c', { cpu: '1' })],
  }),
  show('wide'),
);

const several = story(
  'several quotas',
  quota('a', { 'limits.cpu': '1', pods: '5' }),
  quota('b', { 'limits.cpu': '2' }),
  last(),
  pod('one', {}, { cpu: '700m' }),
  show('a'),
  show('b'),
  pod('two', {}, { cpu: '700m' }),
  show('a'),
  show('b'),
  { ...pod('dry', {}, { cpu: '100m' }), path: '/api/v1/namespaces/{ns}/pods?dryRun=All' },
  { ...pod('dry', {}, { cpu: '700m' }), path: '/api/v1/namespaces/{ns}/pods?dryRun=All' },
  show('a'),
);

const unknown = story(
  'what nobody has counted yet',
  make('resourcequotas', 'q', { spec: { hard: { pods: '0' } } }),
  last(),
  pod('free'),
  change('resourcequotas/q', { status: { hard: { pods: '5', 'requests.cpu': '1' }, used: { pods: '1' } } }, '/status'),
  noticed('status unknown for quota: q', pod('refused', { cpu: '1' })),
  pod('refused', { cpu: '1' }),
  change('resourcequotas/q', { status: { used: { 'requests.cpu': '0' } } }, '/status'),
  noticed(TAKEN, pod('counted', { cpu: '1' })),
  pod('counted', { cpu: '1' }),
  show('q'),
);

const resize = story(
  'resize',
  quota('q', { 'requests.cpu': '2' }),
  noticed('failed quota: q', pod('probe')),
  pod('p', { cpu: '1' }),
  ...['3', '2', '500m'].map((cpu) => ({
    method: 'PATCH',
    path: '/api/v1/namespaces/{ns}/pods/p/resize',
    contentType: 'application/strategic-merge-patch+json',
    body: { spec: { containers: [{ name: 'c', resources: { requests: { cpu } } }] } },
  })),
  show('q'),
);

const withLimitRange = story(
  'with defaults of a limit range',
  quota('q', { 'limits.cpu': '1', 'requests.cpu': '1' }),
  noticed('failed quota: q', pod('probe')),
  pod('before'),
  make('limitranges', 'l', { spec: { limits: [{ type: 'Container', default: { cpu: '600m' }, defaultRequest: { cpu: '100m' } }] } }),
  noticed(TAKEN, pod('probe')),
  pod('one'),
  show('q'),
  pod('two'),
  pod('own', {}, { cpu: '100m' }),
  show('q'),
);

/** The store refuses after the charge: a controller gives it back. */
const failing = story(
  'what is charged and fails',
  quota('q', { secrets: '5', 'count/pods': '3' }),
  last(),
  make('secrets', 'a'),
  make('secrets', 'a'),
  pod('p'),
  pod('p'),
  podWith('invalid', { containers: [] }),
  show('q'),
);

export const resourceQuotaScripts: readonly Script[] = [
  compute,
  podLevel,
  counts,
  servicesScript,
  claims,
  scoped,
  several,
  unknown,
  resize,
  withLimitRange,
  failing,
];
