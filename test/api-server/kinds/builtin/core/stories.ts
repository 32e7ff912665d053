import { clusterWide, namespaced, type Story, story } from '../stories/story.js';

const namespace = clusterWide('v1', 'Namespace', 'namespaces');
const configMap = namespaced('v1', 'ConfigMap', 'configmaps');
const secret = namespaced('v1', 'Secret', 'secrets');
const serviceAccount = namespaced('v1', 'ServiceAccount', 'serviceaccounts');
const node = clusterWide('v1', 'Node', 'nodes');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

export const coreStories: readonly Story[] = [
  story(namespace, 'plain', { metadata: { labels: { a: 'b' } } }, { get: '' }, { patch: { metadata: { labels: null } } }),
  story(namespace, 'bad name', { metadata: { name: 'a.b' } }),
  story(namespace, 'bad finalizer', { spec: { finalizers: ['a', 'b c', 'example.com/ok'] } }),
  story(
    namespace,
    'life',
    { spec: { finalizers: ['example.com/mine'] }, status: { phase: 'Terminating' } },
    { patch: { spec: { finalizers: [] }, status: { phase: 'Terminating' } } },
    { patch: { status: { phase: 'Terminating' } }, of: 'status' },
    { patch: { status: { conditions: [{ type: 'A', status: 'True' }] } }, of: 'status' },
    { put: { spec: { finalizers: ['kubernetes', 'x'] } }, of: 'finalize' },
    { delete: { propagationPolicy: 'Foreground' } },
    { delete: {} },
    { patch: { status: { phase: 'Active' } }, of: 'status' },
    { put: { metadata: { finalizers: ['foregroundDeletion'] }, spec: { finalizers: ['kubernetes'] } }, of: 'finalize' },
    { put: { metadata: { finalizers: ['foregroundDeletion'] } }, of: 'finalize' },
    { get: '' },
    { put: {}, of: 'finalize' },
    { get: '' },
  ),
  story(namespace, 'twice deleted', {}, { delete: {} }, { put: { spec: {} }, of: 'finalize' }, { get: '' }),
  story(
    configMap,
    'plain',
    { data: { a: '1' }, binaryData: { b: base64('x') } },
    { patch: { data: { a: '2', 'b/c': '' } } },
    { delete: {} },
  ),
  story(configMap, 'empty', { data: {}, immutable: false }),
  story(configMap, 'bad keys', { data: { '': 'x', '..': 'x', '..a': 'x', 'a b': 'x', both: '' }, binaryData: { both: base64('y') } }),
  story(configMap, 'long key', { data: { ['k'.repeat(254)]: '' } }),
  story(configMap, 'too much', { data: { a: 'x'.repeat(1_048_577) } }),
  story(
    configMap,
    'immutable',
    { data: { a: '1' }, binaryData: { b: base64('x') }, immutable: true },
    { patch: { data: { a: '2' } } },
    { patch: { immutable: null, binaryData: null } },
    { patch: { metadata: { labels: { a: 'b' } } } },
  ),
  story(configMap, 'bad name', { metadata: { name: 'A_b' } }),
  story(secret, 'plain', { data: { a: base64('1'), b: base64('2') }, stringData: { b: 'three', c: 'ü' } }, { patch: { type: 'other' } }),
  story(secret, 'bad keys', { stringData: { 'a/b': '' } }),
  story(secret, 'too much', { stringData: { a: 'x'.repeat(1_048_577) } }),
  story(secret, 'token without account', { type: 'kubernetes.io/service-account-token' }),
  story(secret, 'token', {
    type: 'kubernetes.io/service-account-token',
    metadata: { annotations: { 'kubernetes.io/service-account.name': 'x' } },
  }),
  story(secret, 'dockercfg missing', { type: 'kubernetes.io/dockercfg' }),
  story(secret, 'dockercfg', { type: 'kubernetes.io/dockercfg', stringData: { '.dockercfg': '{}' } }),
  ...['', 'x', '[]', '1', 'null', '{"a":', '"a"', 'true'].map((text, index) =>
    story(secret, `dockerconfigjson ${index}`, { type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': text } }),
  ),
  story(secret, 'basic auth missing', { type: 'kubernetes.io/basic-auth', stringData: { a: '' } }),
  story(secret, 'basic auth', { type: 'kubernetes.io/basic-auth', stringData: { password: '' } }),
  story(secret, 'ssh missing', { type: 'kubernetes.io/ssh-auth', stringData: { 'ssh-privatekey': '' } }),
  story(secret, 'ssh', { type: 'kubernetes.io/ssh-auth', stringData: { 'ssh-privatekey': 'x' } }),
  story(secret, 'tls missing', { type: 'kubernetes.io/tls', stringData: { 'tls.crt': '' } }),
  story(
    secret,
    'tls',
    { type: 'kubernetes.io/tls', stringData: { 'tls.crt': '', 'tls.key': '' } },
    { patch: { metadata: { labels: { a: 'b' } } } },
  ),
  story(secret, 'own type', { type: 'example.com/x' }, { put: { type: '' } }, { put: {} }, { delete: {} }),
  story(
    secret,
    'immutable',
    { stringData: { a: '1' }, immutable: true },
    { patch: { stringData: { a: '2' } } },
    { patch: { immutable: false } },
  ),
  story(
    serviceAccount,
    'plain',
    {
      secrets: [{ name: 'a', namespace: 'x', kind: 'Secret' }],
      imagePullSecrets: [{ name: 'p' }, {}],
      automountServiceAccountToken: false,
      metadata: { annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } },
    },
    { patch: { secrets: [{ name: 'b', uid: '1' }] } },
    { delete: {} },
  ),
  story(serviceAccount, 'bare', {}, { patch: { metadata: { annotations: { 'kubernetes.io/enforce-mountable-secrets': 'false' } } } }),
  story(
    node,
    'plain',
    {
      spec: {
        podCIDR: '10.244.0.0/24',
        taints: [{ key: 'a', effect: 'NoSchedule' }],
        configSource: { configMap: { name: 'x' } },
        providerID: 'p',
      },
      status: { capacity: { cpu: '4', memory: '8Gi' } },
    },
    { patch: { spec: { unschedulable: true }, status: { capacity: { cpu: '5' } } } },
    { patch: { spec: { podCIDRs: ['10.1.0.0/24'], podCIDR: '10.1.0.0/24', providerID: 'q' } } },
    {
      patch: {
        status: {
          addresses: [
            { type: 'InternalIP', address: '1.2.3.4' },
            { type: 'InternalIP', address: '1.2.3.4' },
          ],
        },
      },
      of: 'status',
    },
    { patch: { status: { conditions: [{ type: 'Ready', status: 'True' }], nodeInfo: { kubeletVersion: 'v1' } } }, of: 'status' },
    { delete: {} },
  ),
  story(node, 'bad', {
    spec: {
      podCIDRs: ['10.0.0.0/24', '10.0.1.0/24', 'x'],
      externalID: 'e',
      taints: [
        { key: 'a', effect: '' },
        { key: 'b c', value: '-', effect: 'Other' },
        { key: 'a', effect: 'NoExecute' },
        { key: 'a', effect: 'NoExecute', value: 'v' },
      ],
    },
    status: { capacity: { cpu: '-1', pods: '1.5' } },
  }),
  story(node, 'odd ranges', { spec: { podCIDRs: ['10.0.0.1/24', 'fd00:0::/64'] } }),
  story(node, 'old ranges', { spec: { podCIDRs: ['010.0.0.0/24', 'fd00::1/64'] } }),
];
