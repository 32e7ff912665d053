import { type KindOfStory, type PlatformStory, story } from './ask.js';

function core(kind: string, plural: string, isNamespaced = true): KindOfStory {
  return { apiVersion: 'v1', kind, plural, isNamespaced };
}

const namespace = core('Namespace', 'namespaces', false);
const configMap = core('ConfigMap', 'configmaps');
const secret = core('Secret', 'secrets');
const serviceAccount = core('ServiceAccount', 'serviceaccounts');
const quota = core('ResourceQuota', 'resourcequotas');
const limitRange = core('LimitRange', 'limitranges');
const node = core('Node', 'nodes', false);
const endpoints = core('Endpoints', 'endpoints');

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const limits = (...items: object[]): { spec: { limits: never } } => ({ spec: { limits: items as never } });

export const coreStories: readonly PlatformStory[] = [
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
    quota,
    'plain',
    {
      spec: {
        hard: { pods: '10', cpu: '1500m', 'requests.nvidia.com/gpu': 4, 'count/widgets.example.com': '3' },
        scopes: ['NotBestEffort'],
      },
    },
    { patch: { status: { hard: { pods: '10' }, used: { pods: '1.5', x: '1' } } }, of: 'status' },
    { patch: { status: { hard: { pods: '10' }, used: { pods: '1' } } }, of: 'status' },
    { patch: { spec: { scopes: ['BestEffort'] } } },
    { patch: { spec: { hard: { pods: '11', cpu: null } } } },
    { delete: {} },
  ),
  story(quota, 'empty', {}),
  story(quota, 'bad names', { spec: { hard: { foo: '1', 'a b': '1', pods: '-1', 'requests.storage': '1Gi', storage: '1' } } }),
  story(quota, 'bad scopes', { spec: { hard: { cpu: '1' }, scopes: ['BestEffort', 'NotBestEffort', 'Other', 'VolumeAttributesClass'] } }),
  story(quota, 'bad selector', {
    spec: {
      hard: { cpu: '1', pods: '1' },
      scopeSelector: {
        matchExpressions: [
          { scopeName: 'Terminating', operator: 'In', values: ['a'] },
          { scopeName: 'PriorityClass', operator: 'In' },
          { scopeName: 'PriorityClass', operator: 'Exists', values: ['x'] },
          { scopeName: 'What', operator: 'Is' },
          { scopeName: 'NotTerminating', operator: 'Exists' },
        ],
      },
    },
  }),
  story(quota, 'selector of volumes', {
    spec: { hard: { cpu: '1' }, scopeSelector: { matchExpressions: [{ scopeName: 'VolumeAttributesClass', operator: 'Exists' }] } },
  }),
  story(
    limitRange,
    'plain',
    limits({
      type: 'Container',
      max: { cpu: '2', memory: '1Gi' },
      min: { cpu: '100m', 'ephemeral-storage': '1Gi' },
      default: { cpu: '500m' },
    }),
    {
      patch: { metadata: { labels: { a: 'b' } } },
    },
  ),
  story(limitRange, 'nameless', { metadata: { generateName: '' }, ...limits() }),
  story(
    limitRange,
    'types',
    limits(
      { type: 'Pod', default: { cpu: '1' }, defaultRequest: { cpu: '1' } },
      { type: 'Pod' },
      { type: 'Other' },
      { type: '' },
      { type: 'example.com/x', max: { storage: '1' } },
      { type: 'PersistentVolumeClaim', max: { cpu: '1' } },
    ),
  ),
  story(
    limitRange,
    'amounts',
    limits(
      {
        type: 'Container',
        max: { cpu: '1', memory: '1Gi', foo: '1' },
        min: { cpu: '2' },
        default: { cpu: '3', memory: '512Mi' },
        defaultRequest: { cpu: '4', memory: '768Mi' },
      },
      { type: 'Pod', maxLimitRequestRatio: { cpu: '5', memory: '500m' }, max: { cpu: '3' }, min: { cpu: '1' } },
      { type: 'example.com/y', default: { 'example.com/gpu': '2' }, defaultRequest: { 'example.com/gpu': '1' } },
    ),
  ),
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
  story(
    endpoints,
    'plain',
    { subsets: [{ addresses: [{ ip: '1.2.3.4', nodeName: 'n', targetRef: { kind: 'Pod', name: 'p' } }], ports: [{ port: 80 }] }] },
    { put: { subsets: [{ notReadyAddresses: [{ ip: '1.2.3.4' }] }] } },
  ),
  story(endpoints, 'bad', {
    subsets: [
      {},
      {
        addresses: [
          { ip: '127.0.0.1' },
          { ip: '0.0.0.0', hostname: 'A' },
          { ip: '169.254.1.1', nodeName: 'B_' },
          { ip: '224.0.0.5' },
          { ip: 'x' },
          { ip: '::1' },
          { ip: 'fe80::1' },
        ],
        ports: [{ port: 0 }, { name: 'a.b', port: 70000, protocol: 'ICMP', appProtocol: 'x y' }],
      },
    ],
  }),
  story(endpoints, 'odd addresses', { subsets: [{ addresses: [{ ip: '010.1.1.1' }, { ip: '::ffff:1.2.3.4' }, { ip: 'FD00::1' }] }] }),
];
