import type { Step } from '../differential/exchange.js';
import { noticed } from '../differential/noticed.js';
import type { Script } from '../differential/script.js';

type Fields = Readonly<Record<string, unknown>>;

const range = (name: string, ...limits: readonly Fields[]): Step => ({
  method: 'POST',
  path: '/api/v1/namespaces/{ns}/limitranges',
  body: { metadata: { name }, spec: { limits } },
});

const container = (name: string, requests: Fields, limits: Fields = {}, more: Fields = {}): Fields => ({
  name,
  image: 'i',
  resources: { requests, limits },
  ...more,
});

const podWith = (name: string, spec: Fields, metadata: Fields = { name }): Step => ({
  method: 'POST',
  path: '/api/v1/namespaces/{ns}/pods',
  body: { metadata, spec },
});

const pod = (name: string, requests: Fields, limits: Fields = {}): Step =>
  podWith(name, { containers: [container('c', requests, limits)] });

const claim = (name: string, requests: Fields): Step => ({
  method: 'POST',
  path: '/api/v1/namespaces/{ns}/persistentvolumeclaims',
  body: { metadata: { name }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests } } },
});

const defaults: Script = {
  name: 'limit ranger: defaults',
  steps: [
    range('a', {
      type: 'Container',
      default: { cpu: '500m', memory: '64Mi' },
      defaultRequest: { cpu: '100m', 'ephemeral-storage': '1Gi' },
    }),
    // It stays. The API server asks the store where it knows no range of the namespace, and believes the answer for half a minute: that would be the range that goes.
    range('kept', { type: 'PersistentVolumeClaim', max: { storage: '1Ti' } }),
    pod('none', {}),
    pod('some', { memory: '32Mi' }, { cpu: '1', 'nvidia.com/gpu': '1' }),
    pod('all', { cpu: '1', memory: '1Gi', 'ephemeral-storage': '2Gi' }, { cpu: '1', memory: '1Gi' }),
    podWith('several', {
      containers: [container('c', {}), container('d', { cpu: '1m' }, { cpu: '2' })],
      initContainers: [container('i', {}), container('s', {}, {}, { restartPolicy: 'Always' })],
    }),
    podWith('annotated', { containers: [{ name: 'c', image: 'i' }] }, { name: 'annotated', annotations: { a: 'b', z: 'y' } }),
    { method: 'PATCH', path: '/api/v1/namespaces/{ns}/pods/none', body: { metadata: { labels: { a: 'b' } } } },
    range('b', { type: 'Container', default: { cpu: '400m' } }, { type: 'Container', default: { memory: '10Mi' } }),
    { method: 'DELETE', path: '/api/v1/namespaces/{ns}/limitranges/a' },
    noticed('"resources":{}', pod('later', {})),
    pod('later', {}),
  ],
};

const containers: Script = {
  name: 'limit ranger: bounds of containers',
  steps: [
    range('a', { type: 'Container', min: { cpu: '100m' }, max: { memory: '1Gi' }, maxLimitRequestRatio: { 'ephemeral-storage': '2' } }),
    pod('none', {}),
    pod('too-small', { cpu: '50m' }),
    pod('small-limit', { cpu: '1m' }, { cpu: '99m' }),
    pod('large', { memory: '1025Mi' }, { memory: '2Gi' }),
    pod('large-request', { memory: '1000000k' }, { memory: '1Gi' }),
    pod('ratio', { 'ephemeral-storage': '1k' }, { 'ephemeral-storage': '2500' }),
    pod('ratio-without', { 'ephemeral-storage': '1k' }),
    pod('well', { 'ephemeral-storage': '1k' }, { 'ephemeral-storage': '2k' }),
    podWith('two', { containers: [container('c', { cpu: '1' }), container('d', { cpu: '1m' })], initContainers: [container('i', {})] }),
    podWith('odd', { containers: [container('c', { cpu: 'x' })] }),
  ],
};

const one = (rules: Fields, ...steps: readonly Step[]): readonly Step[] => [range('a', rules), ...steps];

const pods: Script = {
  name: 'limit ranger: bounds of pods',
  steps: one(
    { type: 'Pod', max: { cpu: '2' } },
    pod('none', {}),
    podWith('sum', { containers: [container('c', {}, { cpu: '1500m' }), container('d', {}, { cpu: '501m' })] }),
    podWith('init', { containers: [container('c', {}, { cpu: '1' })], initContainers: [container('i', {}, { cpu: '3' })] }),
    podWith('sidecar', {
      containers: [container('c', {}, { cpu: '1' })],
      initContainers: [container('s', {}, { cpu: '1100m' }, { restartPolicy: 'Always' }), container('i', {}, { cpu: '1m' })],
    }),
    podWith('sidecar-and-init', {
      containers: [container('c', {}, { cpu: '100m' })],
      initContainers: [container('s', {}, { cpu: '1' }, { restartPolicy: 'Always' }), container('i', {}, { cpu: '1001m' })],
    }),
    podWith('pod-level', { resources: { limits: { cpu: '3' } }, containers: [container('c', { cpu: '1' })] }),
    podWith('well', { containers: [container('c', {}, { cpu: '2' })] }),
  ),
};

const podMinimum: Script = {
  name: 'limit ranger: least of pods',
  steps: one(
    { type: 'Pod', min: { memory: '1Gi' }, maxLimitRequestRatio: { memory: '1500m' } },
    pod('small', { memory: '1Mi' }, { memory: '3Gi' }),
    pod('well', { memory: '1Gi' }, { memory: '1.5Gi' }),
    pod('ratio', { memory: '1Gi' }, { memory: '1537Mi' }),
  ),
};

const claims: Script = {
  name: 'limit ranger: claims',
  steps: [
    ...one(
      { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '2Gi' } },
      claim('a', { storage: '1Mi' }),
      claim('b', { storage: '3Gi' }),
      claim('c', { storage: '1500Mi' }),
    ),
    { method: 'PATCH', path: '/api/v1/namespaces/{ns}/persistentvolumeclaims/c', body: { metadata: { labels: { a: 'b' } } } },
    range('b', { type: 'PersistentVolumeClaim', max: { storage: '1Gi' } }),
    noticed('maximum storage usage per PersistentVolumeClaim is 1Gi', claim('probe', { storage: '1500Mi' })),
    { method: 'PATCH', path: '/api/v1/namespaces/{ns}/persistentvolumeclaims/c', body: { metadata: { labels: { a: 'c' } } } },
    { method: 'DELETE', path: '/api/v1/namespaces/{ns}/persistentvolumeclaims/c' },
    { method: 'PATCH', path: '/api/v1/namespaces/{ns}/persistentvolumeclaims/c', body: { metadata: { labels: { a: 'd' } } } },
  ],
};

const resize: Script = {
  name: 'limit ranger: resize',
  steps: [
    pod('p', { cpu: '1' }, { cpu: '1' }),
    range('a', { type: 'Container', max: { cpu: '2' } }),
    noticed('maximum cpu usage per Container is 2', pod('probe', { cpu: '3' }, { cpu: '3' })),
    ...['3', '2'].map((cpu) => ({
      method: 'PATCH',
      path: '/api/v1/namespaces/{ns}/pods/p/resize',
      contentType: 'application/strategic-merge-patch+json',
      body: { spec: { containers: [container('c', { cpu }, { cpu })] } },
    })),
  ],
};

export const limitRangerScripts: readonly Script[] = [defaults, containers, pods, podMinimum, claims, resize];
