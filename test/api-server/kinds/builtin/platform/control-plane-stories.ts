import { type Fields, type KindOfStory, type PlatformStory, type Step, story } from './ask.js';
import { CERTIFICATE, EC_REQUEST, ED25519_REQUEST, pemField, RSA_REQUEST, tampered } from './certificates.js';

const kindOf = (apiVersion: string, kind: string, plural: string): KindOfStory => ({ apiVersion, kind, plural, isNamespaced: false });
const requests = kindOf('certificates.k8s.io/v1', 'CertificateSigningRequest', 'certificatesigningrequests');
const services = kindOf('apiregistration.k8s.io/v1', 'APIService', 'apiservices');
const schemas = kindOf('flowcontrol.apiserver.k8s.io/v1', 'FlowSchema', 'flowschemas');
const levels = kindOf('flowcontrol.apiserver.k8s.io/v1', 'PriorityLevelConfiguration', 'prioritylevelconfigurations');
const drivers = kindOf('storage.k8s.io/v1', 'CSIDriver', 'csidrivers');
const nodes = kindOf('storage.k8s.io/v1', 'CSINode', 'csinodes');
const capacities: KindOfStory = { ...kindOf('storage.k8s.io/v1', 'CSIStorageCapacity', 'csistoragecapacities'), isNamespaced: true };
const attributes = kindOf('storage.k8s.io/v1', 'VolumeAttributesClass', 'volumeattributesclasses');
const priorities = kindOf('scheduling.k8s.io/v1', 'PriorityClass', 'priorityclasses');
const runtimes = kindOf('node.k8s.io/v1', 'RuntimeClass', 'runtimeclasses');

const CSR = 'CERTIFICATE REQUEST';
const request = (fields: Fields = {}): Fields => ({
  spec: { request: pemField(CSR, EC_REQUEST), signerName: 'example.com/signer', usages: ['client auth'], ...fields },
});
const conditions = (of: string, ...list: readonly Fields[]): Step => ({ of, patch: { status: { conditions: list } } });
const approved = { type: 'Approved', status: 'True', reason: 'R', message: 'm' };
const denied = { type: 'Denied', status: 'True' };
const ready = { type: 'Ready', status: 'False' };
const certificate = (text: string): Step => ({ of: 'status', patch: { status: { certificate: text } } });
const encoded = (text: string): string => Buffer.from(text).toString('base64');

const requestStories: readonly PlatformStory[] = [
  story(
    requests,
    'plain',
    request({ username: 'somebody', groups: ['else'], uid: 'u', extra: { a: ['b'] }, expirationSeconds: 600 }),
    { patch: { spec: { signerName: 'example.com/other' }, metadata: { labels: { a: 'b' } } } },
    conditions('status', approved),
    conditions('approval', { ...approved, status: 'False' }),
    conditions('approval', approved),
    conditions('approval', approved, approved),
    conditions('approval', approved, denied),
    conditions('approval', ready),
    conditions('approval', { ...approved, message: 'other', lastUpdateTime: '2026-01-01T00:00:00Z' }, ready),
    conditions('status', approved, { ...ready, status: 'Perhaps' }),
    conditions('status', { ...approved, message: 'changed' }, { ...ready, status: 'True' }, { type: '', status: '' }),
    conditions('status', { ...approved, message: 'changed' }, { ...ready, status: 'True' }),
    { of: 'approval', patch: { status: { certificate: pemField('CERTIFICATE', CERTIFICATE) } } },
    certificate(encoded('no certificate')),
    certificate(pemField(CSR, EC_REQUEST)),
    certificate(pemField('CERTIFICATE', CERTIFICATE)),
    certificate(encoded(`\n${Buffer.from(pemField('CERTIFICATE', CERTIFICATE), 'base64').toString()}`)),
    { get: 'approval' },
    { delete: {} },
  ),
  story(requests, 'of any name', { metadata: { name: 'A b:c*' }, ...request({ request: pemField(CSR, ED25519_REQUEST) }) }),
  story(requests, 'of rsa', request({ request: pemField(CSR, RSA_REQUEST) })),
  ...Object.entries({
    ec: tampered(EC_REQUEST),
    ed25519: tampered(ED25519_REQUEST),
    rsa: tampered(RSA_REQUEST),
  }).map(([name, body]) => story(requests, `forged ${name}`, request({ request: pemField(CSR, body) }))),
  story(requests, 'empty', {}),
  story(requests, 'of another thing', request({ request: pemField('CERTIFICATE', CERTIFICATE) })),
  story(
    requests,
    'bad',
    request({ request: encoded('x'), usages: ['client auth', 'client auth', 'signing', 'x'], signerName: 'a/b/c', expirationSeconds: 599 }),
  ),
  ...['kubernetes.io/legacy-unknown', '/', 'A_b/C d', 'example/x', 'a.b/c..d', `${'a'.repeat(254)}.b/c`].map((signerName, index) =>
    story(requests, `signer ${index}`, request({ signerName, usages: [] })),
  ),
  story(requests, 'denied', request(), conditions('approval', denied), conditions('approval', denied, approved)),
];

const service = (fields: Fields, metadata: Fields = {}): Fields => ({
  metadata,
  spec: { group: 'a.example.com', version: 'v1', groupPriorityMinimum: 10, versionPriority: 10, ...fields },
});
const remote = { service: { name: 's', namespace: 'n' } };

/** Without those that are stored and remote: the aggregator of a real server would ask them, and say so in their status. */
const serviceStories: readonly PlatformStory[] = [
  story(services, 'empty', {}),
  story(services, 'without a spec', { metadata: { name: 'v1.' } }),
  story(services, 'of another name', service(remote)),
  story(services, 'bad', service({ group: 'A_b', version: 'V 1', groupPriorityMinimum: 0, versionPriority: 1_001, service: { port: 0 } })),
  story(services, 'bad name', service({ group: '', version: 'v2' }, { name: 'a/b' })),
  story(
    services,
    'secured twice',
    service({ ...remote, caBundle: 'eHg=', insecureSkipTLSVerify: true, groupPriorityMinimum: 20_001, versionPriority: 0 }),
  ),
  story(services, 'local and secured', service({ caBundle: 'eHg=', insecureSkipTLSVerify: true }, { name: 'v1.a.example.com' })),
  story(services, 'of a bad port', service({ service: { name: '', namespace: '', port: 70_000 } }, { name: 'v1.a.example.com' })),
];

const schema = (fields: Fields = {}): Fields => ({ spec: { priorityLevelConfiguration: { name: 'exempt' }, ...fields } });
const flowRule = {
  subjects: [{ kind: 'User', user: { name: 'nobody' } }],
  resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['things'], namespaces: ['a'] }],
};
const subjects = [
  { kind: '' },
  { kind: 'User' },
  { kind: 'User', user: { name: '' }, group: { name: 'g' }, serviceAccount: { name: '', namespace: '' } },
  { kind: 'Group', group: { name: '' }, user: { name: 'u' }, serviceAccount: { name: 'a', namespace: 'b' } },
  { kind: 'Group' },
  { kind: 'ServiceAccount' },
  { kind: 'ServiceAccount', serviceAccount: { name: '', namespace: '' } },
  { kind: 'ServiceAccount', serviceAccount: { name: 'A b', namespace: 'C.d' }, user: { name: 'u' }, group: { name: 'g' } },
];
const resourceRules = [
  { verbs: [], apiGroups: [], resources: [] },
  { verbs: ['*', 'get'], apiGroups: ['*', 'a'], resources: ['*', 'b'], namespaces: ['*', 'c'] },
  { verbs: ['see'], apiGroups: [''], resources: ['x'], namespaces: ['A b'], clusterScope: true },
];
const urls = ['', '/', 'a', '/a b', '/a//b', '/*/*', '/a*', '/a/*'];
const nonResourceRules = [
  { verbs: [], nonResourceURLs: [] },
  { verbs: ['*', 'get'], nonResourceURLs: ['*', '/a'] },
  { verbs: ['see'], nonResourceURLs: urls },
];

const level = (limited: Fields, fields: Fields = {}): Fields => ({ spec: { type: 'Limited', limited, ...fields } });
const queue = (queuing: Fields): Fields => level({ limitResponse: { type: 'Queue', queuing } });

/** A FlowSchema that is accepted is not touched again: a real server soon writes a status of its own. */
const flowStories: readonly PlatformStory[] = [
  story(schemas, 'plain', schema({ rules: [flowRule] }), { delete: {} }),
  story(schemas, 'empty', {}),
  story(schemas, 'first', schema({ matchingPrecedence: 1 })),
  story(
    schemas,
    'bad',
    schema({
      priorityLevelConfiguration: { name: 'A b' },
      matchingPrecedence: 10_001,
      distinguisherMethod: { type: 'ByName' },
      rules: [{}, { subjects, resourceRules, nonResourceRules }],
    }),
  ),
  story(schemas, 'negative', schema({ matchingPrecedence: -1, priorityLevelConfiguration: { name: '' } })),
  story(schemas, 'taken', { metadata: { name: 'exempt' }, ...schema({ matchingPrecedence: 1, rules: [flowRule] }) }),
  story(
    levels,
    'plain',
    level({ limitResponse: { type: 'Queue', queuing: {} } }),
    { patch: { spec: { limited: { nominalConcurrencyShares: 0, borrowingLimitPercent: 5 } } } },
    { patch: { spec: { limited: { limitResponse: { type: 'Reject' } } } } },
    { patch: { spec: { limited: { limitResponse: { type: 'Reject', queuing: null } } } } },
    { delete: {} },
  ),
  story(levels, 'empty', {}),
  story(levels, 'free', { spec: { type: 'Exempt', exempt: { nominalConcurrencyShares: -1, lendablePercent: 101 }, limited: {} } }),
  story(levels, 'of both', level({ limitResponse: { type: 'Queue' }, lendablePercent: -1 }, { exempt: {} })),
  story(
    levels,
    'bad',
    level({ nominalConcurrencyShares: -1, borrowingLimitPercent: -1, lendablePercent: 101, limitResponse: { type: 'X' } }),
  ),
  story(levels, 'without limits', { spec: { type: 'Limited' } }),
  story(levels, 'with a hand too large', queue({ queues: 5, handSize: 6, queueLengthLimit: -1 })),
  story(levels, 'with too many queues', queue({ queues: 10_000_001, handSize: 1 })),
  story(levels, 'with too much chance', queue({ queues: 1024, handSize: 7 })),
  story(levels, 'with negative queues', queue({ queues: -1, handSize: -1 })),
  story(levels, 'annotated', {
    metadata: { annotations: { 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares': '' } },
    ...level({ limitResponse: { type: 'Reject' } }),
  }),
  story(levels, 'taken', { metadata: { name: 'exempt' }, ...level({ limitResponse: { type: 'Reject' } }) }),
  story(levels, 'caught', { metadata: { name: 'catch-all' }, ...level({ limitResponse: { type: 'Queue', queuing: {} } }) }),
];

const driver = (fields: Fields = {}): Fields => ({ spec: fields });
const csiNode = (...list: readonly Fields[]): Fields => ({ spec: { drivers: list } });
const topology = { matchLabels: { 'a b': 'c d' } };

const classStories: readonly PlatformStory[] = [
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
    priorities,
    'plain',
    { value: 5 },
    { patch: { value: 6 } },
    { patch: { preemptionPolicy: 'Never', description: 'd' } },
    { patch: { globalDefault: true } },
    { put: { value: 5 } },
    { delete: {} },
  ),
  story(priorities, 'empty', {}),
  story(priorities, 'too much', { value: 1_000_000_001, preemptionPolicy: 'Sometimes' }),
  story(priorities, 'least', { value: -2_147_483_648, preemptionPolicy: '' }),
  ...['system-mine', 'system-node-critical', 'system-cluster-critical'].map((name) =>
    story(priorities, `called ${name}`, { metadata: { name }, value: 2_000_000_000, globalDefault: true, preemptionPolicy: 'X' }),
  ),
  story(
    runtimes,
    'simple',
    { handler: 'runc', overhead: { podFixed: { cpu: '10m' } }, scheduling: { nodeSelector: { a: 'b' } } },
    { patch: { handler: 'other' } },
    { patch: { overhead: null } },
    { delete: {} },
  ),
  story(runtimes, 'wrong', {
    handler: 'A b',
    overhead: { podFixed: { cpu: '-1', foo: '1' } },
    scheduling: { nodeSelector: { 'a b': 'c d' } },
  }),
];

export const controlPlaneStories: readonly PlatformStory[] = [...requestStories, ...serviceStories, ...flowStories, ...classStories];
