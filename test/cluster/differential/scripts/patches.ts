import type { Step } from '../exchange.js';
import type { Script } from '../script.js';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/{ns}/deployments';
const CONFIG_MAPS = '/api/v1/namespaces/{ns}/configmaps';

const JSON_PATCH = 'application/json-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const APPLY = 'application/apply-patch+yaml';

const deployment = (more: object = {}): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'main', image: 'nginx:1', ports: [{ containerPort: 80 }], env: [{ name: 'A', value: '1' }] }] },
    },
    ...more,
  },
});

function patch(path: string, contentType: string, body: unknown): Step {
  return { method: 'PATCH', path, contentType, body };
}

function apply(path: string, manager: string, body: object): Step {
  return patch(`${path}${path.includes('?') ? '&' : '?'}fieldManager=${manager}`, APPLY, body);
}

const applied = (data: object, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ...more },
  data,
});

export const patchScripts: readonly Script[] = [
  {
    name: 'json patch',
    steps: [
      { method: 'POST', path: CONFIG_MAPS, body: applied({ a: '1' }) },
      patch(`${CONFIG_MAPS}/a`, JSON_PATCH, [{ op: 'add', path: '/data/b', value: '2' }]),
      patch(`${CONFIG_MAPS}/a`, JSON_PATCH, [{ op: 'test', path: '/data/b', value: '3' }]),
      patch(`${CONFIG_MAPS}/a`, JSON_PATCH, [{ op: 'remove', path: '/data/z' }]),
      patch(`${CONFIG_MAPS}/a`, JSON_PATCH, [{ op: 'replace', path: '/data', value: null }]),
      patch(`${CONFIG_MAPS}/a`, JSON_PATCH, [{ op: 'move', from: '/data', path: '/binaryData' }]),
      patch(`${CONFIG_MAPS}/a`, JSON_PATCH, [{ op: 'jump', path: '/data' }]),
      patch(`${CONFIG_MAPS}/a`, JSON_PATCH, { op: 'add' }),
      patch(`${CONFIG_MAPS}/a`, JSON_PATCH, '{'),
      patch(`${CONFIG_MAPS}/a`, JSON_PATCH, []),
      patch(`${CONFIG_MAPS}/a`, JSON_PATCH, [{ op: 'replace', path: '/metadata/name', value: 'b' }]),
      patch(`${CONFIG_MAPS}/a`, JSON_PATCH, [{ op: 'replace', path: '/metadata/uid', value: 'b' }]),
      patch(`${CONFIG_MAPS}/a`, JSON_PATCH, [{ op: 'add', path: '/metadata/resourceVersion', value: '1' }]),
      patch(`${CONFIG_MAPS}/a`, JSON_PATCH, [{ op: 'add', path: '/data', value: { x: 1 } }]),
      patch(`${CONFIG_MAPS}/missing`, JSON_PATCH, [{ op: 'add', path: '/data', value: {} }]),
      patch(`${CONFIG_MAPS}/a?fieldValidation=Strict`, JSON_PATCH, [{ op: 'add', path: '/foo', value: 1 }]),
      patch(`${CONFIG_MAPS}/a?fieldValidation=Strict`, JSON_PATCH, [{ op: 'add', path: '/data', value: {}, extra: 1 }]),
    ],
  },
  {
    name: 'merge patch',
    steps: [
      { method: 'POST', path: CONFIG_MAPS, body: applied({ a: '1' }) },
      patch(`${CONFIG_MAPS}/a?fieldManager=other`, 'application/merge-patch+json', { data: { b: '2', a: null } }),
      patch(`${CONFIG_MAPS}/a`, 'application/merge-patch+json', {}),
      patch(`${CONFIG_MAPS}/a`, 'application/merge-patch+json', '[]'),
      patch(`${CONFIG_MAPS}/a`, 'application/merge-patch+json', 'x'),
      patch(`${CONFIG_MAPS}/a`, 'application/merge-patch+json', { metadata: { resourceVersion: '1' } }),
      patch(`${CONFIG_MAPS}/a`, 'application/merge-patch+json', { metadata: { labels: { 'no good': 'x' } } }),
      patch(`${CONFIG_MAPS}/a`, 'application/merge-patch+json', { apiVersion: 'v2' }),
      patch(`${CONFIG_MAPS}/a`, 'application/merge-patch+json', { kind: 'Secret' }),
      patch(`${CONFIG_MAPS}/a?force=true`, 'application/merge-patch+json', { data: { c: '3' } }),
      patch(`${CONFIG_MAPS}/a?fieldValidation=Strict`, 'application/merge-patch+json', { foo: 1 }),
      patch(`${CONFIG_MAPS}/a?fieldValidation=Warn`, 'application/merge-patch+json', { foo: 1 }),
      patch(`${CONFIG_MAPS}/a?dryRun=All`, 'application/merge-patch+json', { data: { d: '4' } }),
      patch(`${CONFIG_MAPS}/a`, 'application/strange-patch+json', {}),
      patch(`${CONFIG_MAPS}/a`, '', {}),
      patch(CONFIG_MAPS, 'application/merge-patch+json', {}),
      patch(`${CONFIG_MAPS}/missing`, 'application/merge-patch+json', { metadata: { uid: 'x' } }),
      patch(`${CONFIG_MAPS}/a?fieldManager=${'x'.repeat(130)}`, 'application/merge-patch+json', {}),
    ],
  },
  {
    name: 'strategic merge patch',
    steps: [
      { method: 'POST', path: DEPLOYMENTS, body: deployment() },
      patch(`${DEPLOYMENTS}/web`, STRATEGIC, { spec: { template: { spec: { containers: [{ name: 'main', image: 'nginx:2' }] } } } }),
      patch(`${DEPLOYMENTS}/web`, STRATEGIC, { spec: { template: { spec: { containers: [{ name: 'side', image: 'busybox' }] } } } }),
      patch(`${DEPLOYMENTS}/web`, STRATEGIC, {
        spec: { template: { spec: { $setElementOrder: 1, '$setElementOrder/containers': [{ name: 'side' }, { name: 'main' }] } } },
      }),
      patch(`${DEPLOYMENTS}/web`, STRATEGIC, {
        spec: {
          template: {
            spec: {
              '$setElementOrder/containers': [{ name: 'side' }, { name: 'main' }],
              containers: [{ name: 'main', env: [{ name: 'B', value: '2' }] }],
            },
          },
        },
      }),
      patch(`${DEPLOYMENTS}/web`, STRATEGIC, { spec: { template: { spec: { containers: [{ name: 'side', $patch: 'delete' }] } } } }),
      patch(`${DEPLOYMENTS}/web`, STRATEGIC, { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } }),
      patch(`${DEPLOYMENTS}/web`, STRATEGIC, { spec: { template: { spec: { containers: [{ image: 'x' }] } } } }),
      patch(`${DEPLOYMENTS}/web`, STRATEGIC, { metadata: { labels: { $patch: 'replace', x: 'y' } } }),
      patch(`${DEPLOYMENTS}/web`, STRATEGIC, { spec: { replicas: 'many' } }),
      patch(`${DEPLOYMENTS}/web`, STRATEGIC, { spec: { $patch: 'explode' } }),
      patch(`${DEPLOYMENTS}/web`, STRATEGIC, '[]'),
      patch(`${DEPLOYMENTS}/web`, STRATEGIC, { spec: { selector: { matchLabels: { app: 'other' } } } }),
      patch(`${DEPLOYMENTS}/web`, STRATEGIC, { spec: { paused: true } }),
      patch(`${DEPLOYMENTS}/web/status`, STRATEGIC, { status: { replicas: 1, conditions: [{ type: 'Available', status: 'True' }] } }),
      patch(`${DEPLOYMENTS}/web/scale`, 'application/merge-patch+json', { spec: { replicas: 3 } }),
      { method: 'GET', path: `${DEPLOYMENTS}/web/scale` },
      ({ body }) => ({ method: 'PUT', path: `${DEPLOYMENTS}/web/scale`, body: { ...body(16), spec: { replicas: 2 } } }),
      ({ body }) => ({ method: 'PUT', path: `${DEPLOYMENTS}/web/scale`, body: { ...body(16), spec: { replicas: 5 } } }),
      patch(`${DEPLOYMENTS}/web/scale`, 'application/merge-patch+json', { spec: { replicas: -1 } }),
      { method: 'GET', path: `${DEPLOYMENTS}/web` },
    ],
  },
  {
    name: 'server-side apply',
    steps: [
      apply(`${CONFIG_MAPS}/a`, 'one', applied({ x: '1', y: '1' }, { labels: { l: '1' } })),
      apply(`${CONFIG_MAPS}/a`, 'one', applied({ x: '1', y: '1' }, { labels: { l: '1' } })),
      apply(`${CONFIG_MAPS}/a`, 'two', applied({ x: '2' })),
      apply(`${CONFIG_MAPS}/a`, 'two', applied({ x: '1' })),
      apply(`${CONFIG_MAPS}/a?force=true`, 'two', applied({ x: '3', z: '1' })),
      apply(`${CONFIG_MAPS}/a`, 'one', applied({ y: '2' })),
      apply(`${CONFIG_MAPS}/a`, 'two', applied({ y: '5', z: '7' })),
      apply(`${CONFIG_MAPS}/a`, 'three', applied({ y: '5', z: '7' })),
      patch(`${CONFIG_MAPS}/a`, APPLY, applied({})),
      apply(`${CONFIG_MAPS}/a`, 'one', { ...applied({}), apiVersion: 'v2' }),
      apply(`${CONFIG_MAPS}/a`, 'one', { ...applied({}), kind: 'Secret' }),
      apply(`${CONFIG_MAPS}/a`, 'one', { ...applied({}), foo: 1 }),
      apply(`${CONFIG_MAPS}/a`, 'one', applied({ x: 1 })),
      apply(`${CONFIG_MAPS}/a`, 'one', applied({}, { name: 'b' })),
      apply(`${CONFIG_MAPS}/a`, 'one', applied({}, { managedFields: [{ manager: 'x' }] })),
      apply(`${CONFIG_MAPS}/a`, 'one', applied({}, { uid: 'x' })),
      apply(`${CONFIG_MAPS}/new`, 'one', applied({}, { name: 'new', uid: 'x' })),
      apply(`${CONFIG_MAPS}/a?dryRun=All`, 'dry', applied({ d: '1' })),
      apply(`${CONFIG_MAPS}/a`, 'one', applied({}, { resourceVersion: '1' })),
      patch(`${CONFIG_MAPS}/a?fieldManager=one`, APPLY, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: "1", x: "2"}\n'),
      patch(
        `${CONFIG_MAPS}/a?fieldManager=one&fieldValidation=Strict`,
        APPLY,
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: "1", x: "2"}\n',
      ),
      patch(`${CONFIG_MAPS}/a?fieldManager=one`, APPLY, 'a: b: c'),
      { method: 'PUT', path: `${CONFIG_MAPS}/a?fieldManager=updater`, body: applied({ q: '1' }) },
      { method: 'GET', path: `${CONFIG_MAPS}/a` },
    ],
  },
  {
    name: 'server-side apply of a Deployment',
    steps: [
      apply(`${DEPLOYMENTS}/web`, 'one', deployment()),
      apply(`${DEPLOYMENTS}/web`, 'autoscaler', {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web' },
        spec: { replicas: 3 },
      }),
      apply(`${DEPLOYMENTS}/web?force=true`, 'autoscaler', {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web' },
        spec: { replicas: 3 },
      }),
      apply(`${DEPLOYMENTS}/web`, 'one', deployment()),
      patch(`${DEPLOYMENTS}/web/scale?fieldManager=scaler`, 'application/merge-patch+json', { spec: { replicas: 5 } }),
      apply(`${DEPLOYMENTS}/web`, 'side', {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web' },
        spec: { template: { spec: { containers: [{ name: 'side', image: 'x' }] } } },
      }),
      apply(`${DEPLOYMENTS}/web`, 'side', { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } }),
      apply(`${DEPLOYMENTS}/web`, 'side', {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web' },
        spec: { template: { spec: { containers: [{ image: 'x' }] } } },
      }),
      apply(`${DEPLOYMENTS}/web/status`, 'status', {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web' },
        status: { replicas: 2, conditions: [{ type: 'Available', status: 'True' }] },
      }),
      apply(`${DEPLOYMENTS}/web`, 'spec', {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web' },
        status: { replicas: 9 },
      }),
      { method: 'GET', path: `${DEPLOYMENTS}/web` },
    ],
  },
];
