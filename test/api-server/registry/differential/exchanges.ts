import type { Json, JsonObject } from '../../../../src/kubernetes/apimachinery/index.js';
import type { Exchange } from './exchange.js';

type Query = NonNullable<Exchange['query']>;

const me: Query = { fieldManager: 'me' };
const configMap = (name: string, fields: JsonObject = {}): JsonObject => {
  const { metadata = {}, ...rest } = fields;
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...(metadata as JsonObject) }, data: { a: '1' }, ...rest };
};
const cm = (verb: Exchange['verb'], name: string, rest: Omit<Exchange, 'resource' | 'verb' | 'name'> = {}): Exchange => ({
  verb,
  resource: 'configmaps',
  ...(name === '' ? {} : { name }),
  ...rest,
  query: { ...(verb === 'list' || verb === 'watch' || verb === 'get' || verb === 'deletecollection' ? {} : me), ...rest.query },
});
const create = (body: Json, query: Query = {}): Exchange => cm('create', '', { body, query });
const put = (name: string, body: Json, query: Query = {}): Exchange => cm('update', name, { body, query });
const patch = (name: string, format: NonNullable<Exchange['format']>, body: Json, query: Query = {}): Exchange =>
  cm('patch', name, { format, body, query });
const remove = (name: string, body: Json = {}, query: Query = {}): Exchange => cm('delete', name, { body, query });

const STRICT: Query = { fieldValidation: 'Strict' };
const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' };

const creates: readonly Exchange[] = [
  create(configMap('a', { metadata: { labels: { app: 'a' }, annotations: { n: '1' } } })),
  create(configMap('a')),
  create(configMap('A_b')),
  create({ ...configMap('x'), metadata: {} }),
  create(configMap('x', { metadata: { namespace: 'other' } })),
  create(configMap('x', { metadata: { resourceVersion: '5' } })),
  create(configMap('x', { metadata: { resourceVersion: 'five' } }), { dryRun: 'All' }),
  create(configMap('x', { metadata: { resourceVersion: '5' } }), { dryRun: 'All' }),
  create({ ...configMap('x'), kind: 'Pod', data: {} }),
  create({ ...configMap('x'), kind: 'Nonsense' }),
  create({ ...configMap('x'), apiVersion: 'v2' }),
  create({ ...configMap('x'), apiVersion: 'apps/v1', kind: 'Deployment' }),
  create(configMap('x', { data: { a: 1 } })),
  create(configMap('x', { nonsense: 1 }), STRICT),
  create(configMap('x', { nonsense: 1, metadata: { more: 1 } }), { dryRun: 'All' }),
  create(configMap('x', { metadata: { labels: { 'a b': '-' } } })),
  create(configMap('x', { metadata: { finalizers: ['orphan', 'foregroundDeletion', 'not/a/name'] } })),
  create(configMap('x', { metadata: { ownerReferences: [owner, owner] } }), { dryRun: 'All' }),
  create(configMap('x', { metadata: { ownerReferences: [{ ...owner, uid: '' }] } })),
  create(
    configMap('x', {
      metadata: {
        ownerReferences: [
          { ...owner, controller: true },
          { ...owner, uid: 'v', controller: true },
        ],
      },
    }),
  ),
  create(configMap('x', { metadata: { ownerReferences: [{ ...owner, kind: 'Event' }] } })),
  create(
    configMap('x', {
      metadata: {
        uid: 'mine',
        creationTimestamp: '1999-01-01T00:00:00Z',
        deletionTimestamp: '1999-01-01T00:00:00Z',
        generation: 7,
        selfLink: '/x',
      },
    }),
    { dryRun: 'All' },
  ),
  create(configMap('x', { metadata: { generateName: 'x-' } }), { dryRun: 'All' }),
  create(configMap('x', { metadata: { generateName: '-' } })),
  create(
    configMap('x', {
      metadata: { managedFields: [{ manager: 'a\u0007', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }] },
    }),
    { dryRun: 'All' },
  ),
  create({ metadata: { name: 'no-type' }, data: { a: '1' } }),
];

const updates: readonly Exchange[] = [
  create(configMap('u', { metadata: { labels: { app: 'a' } } })),
  cm('get', 'u'),
  put('u', configMap('u', { data: { a: '2' } })),
  put('u', configMap('u', { data: { a: '2' } })),
  put('u', configMap('u', { metadata: { resourceVersion: '$rv' }, data: { a: '3' } }), { fieldManager: 'you' }),
  put('u', configMap('u', { metadata: { resourceVersion: '1' } })),
  put('u', configMap('u', { metadata: { resourceVersion: 'one' } })),
  put('u', configMap('u', { metadata: { uid: 'other' } })),
  put('u', configMap('b')),
  put('u', { ...configMap('u'), metadata: {} }),
  put('u', configMap('u', { metadata: { namespace: 'other' } })),
  put('u', configMap('u', { metadata: { deletionTimestamp: '2024-01-01T00:00:00Z' } })),
  put('u', configMap('u', { metadata: { deletionGracePeriodSeconds: 5 } })),
  put('u', configMap('u', { metadata: { creationTimestamp: '1999-01-01T00:00:00Z', generation: 5 } })),
  put('u', configMap('u', { metadata: { ownerReferences: [owner, owner] } }), { dryRun: 'All' }),
  put('missing', configMap('missing')),
  cm('get', 'missing'),
  cm('get', 'u', { query: { resourceVersion: '99999999' } }),
  cm('get', 'u', { query: { resourceVersion: 'x' } }),
  cm('get', 'u', { query: { resourceVersion: '0' } }),
];

const patches: readonly Exchange[] = [
  create(configMap('p', { data: { a: '1', b: '2' } })),
  patch('p', 'merge', { data: { b: null, c: '3' } }),
  patch('p', 'merge', {}),
  patch('p', 'json', []),
  patch('p', 'json', [{ op: 'replace', path: '/data/a', value: '7' }], { fieldManager: 'you' }),
  patch('p', 'json', [{ op: 'test', path: '/data/a', value: '8' }]),
  patch('p', 'json', {}),
  patch('p', 'json', [{ op: 'test', path: '/kind', value: 'ConfigMap', oops: 1 }]),
  patch('p', 'strategic', { data: { a: '9' }, metadata: { labels: { x: 'y' } } }),
  patch('p', 'strategic', { data: { $patch: 'replace', z: '1' } }),
  patch('p', 'strategic', { nonsense: 1 }),
  patch('p', 'strategic', []),
  patch('p', 'merge', []),
  patch('p', 'merge', { metadata: { name: 'q' } }),
  patch('p', 'merge', { metadata: { name: null } }),
  patch('p', 'merge', { metadata: { namespace: 'q' } }),
  patch('p', 'merge', { metadata: { uid: 'q' } }),
  patch('p', 'merge', { metadata: { resourceVersion: '1' } }),
  patch('p', 'merge', { metadata: { resourceVersion: '$rv', labels: { x: 'z' } } }),
  patch('p', 'merge', { metadata: { managedFields: null } }),
  patch('p', 'merge', { metadata: { managedFields: [{}] } }),
  patch('p', 'merge', { data: { a: '1' } }, { dryRun: 'All' }),
  patch('missing', 'merge', {}),
  patch('missing', 'merge', { metadata: { uid: 'x' } }),
  patch('p', 'merge', { nonsense: 1 }),
];

const apply = (name: string, body: Json, query: Query = {}): Exchange => patch(name, 'apply', body, { fieldManager: 'applier', ...query });
const applies: readonly Exchange[] = [
  apply('s', configMap('s', { data: { a: '1', b: '2' } })),
  apply('s', configMap('s', { data: { a: '1', b: '2' } })),
  apply('s', configMap('s', { data: { a: '1' } })),
  apply('s', configMap('s', { data: { a: '2' } }), { fieldManager: 'other' }),
  apply('s', configMap('s', { data: { a: '2' } }), { fieldManager: 'other', force: 'true' }),
  apply('s', configMap('s', { nonsense: 1 })),
  apply('s', configMap('s', { kind: 'Pod' })),
  apply('s', configMap('s', { metadata: { managedFields: [] } })),
  apply('s', configMap('t')),
  apply('s', ['x']),
  apply('new', configMap('new', { metadata: { uid: 'x' } })),
  apply('new', configMap('new'), { dryRun: 'All' }),
  cm('get', 'new'),
];

const finalizers = { metadata: { finalizers: ['example.com/f'] } };
const deletes: readonly Exchange[] = [
  remove('missing'),
  create(configMap('d')),
  remove('d', { preconditions: { uid: 'x' } }),
  remove('d', { preconditions: { resourceVersion: '1' } }),
  remove('d', { dryRun: ['All'] }),
  remove('d', { propagationPolicy: 'Foreground', dryRun: ['All'] }),
  remove('d', { preconditions: { uid: '$uid', resourceVersion: '$rv' } }),
  cm('get', 'd'),
  create(configMap('f', finalizers)),
  remove('f'),
  remove('f', { gracePeriodSeconds: 10 }),
  create(configMap('f', finalizers)),
  patch('f', 'merge', { metadata: { finalizers: ['example.com/f', 'example.com/g'] } }),
  put('f', configMap('f', { ...finalizers, data: { a: '5' } })),
  patch('f', 'merge', { metadata: { finalizers: null } }, { dryRun: 'All' }),
  patch('f', 'merge', { metadata: { finalizers: null }, data: { a: '6' } }),
  cm('get', 'f'),
  create(configMap('g')),
  remove('g', { propagationPolicy: 'Orphan' }),
  remove('g', { propagationPolicy: 'Background' }),
  patch('g', 'json', [{ op: 'remove', path: '/metadata/finalizers' }]),
  create(configMap('h')),
  remove('h', { propagationPolicy: 'Foreground' }),
  put('h', configMap('h', { metadata: { finalizers: [] } })),
];

const few = { metadata: { labels: { group: 'few' } } };
const lists: readonly Exchange[] = [
  ...['l1', 'l2', 'l3'].map((name) => create(configMap(name, few))),
  cm('list', '', { query: { labelSelector: 'group=few' } }),
  cm('list', '', { query: { labelSelector: 'group=few', limit: '2' } }),
  cm('list', '', { query: { fieldSelector: 'metadata.name=l2' } }),
  cm('list', '', { query: { fieldSelector: 'metadata.name=nobody' } }),
  cm('list', '', { query: { fieldSelector: 'metadata.name!=l2,metadata.namespace=registry', labelSelector: 'group' } }),
  cm('list', '', { query: { fieldSelector: 'spec.foo=1' } }),
  cm('list', '', { query: { fieldSelector: 'x' } }),
  cm('list', '', { query: { labelSelector: 'a in' } }),
  cm('list', '', { query: { labelSelector: '-=x' } }),
  cm('list', '', { query: { resourceVersion: 'x' } }),
  cm('list', '', { query: { resourceVersion: '99999999', labelSelector: 'group=few' } }),
  cm('list', '', { query: { continue: '!' } }),
  cm('list', '', { query: { resourceVersion: '0', limit: '1', labelSelector: 'group=few' } }),
  cm('watch', '', { query: { labelSelector: 'group=few' } }),
  cm('watch', '', { query: { labelSelector: 'group=few', allowWatchBookmarks: 'true' } }),
  cm('watch', '', {
    query: { labelSelector: 'group=few', sendInitialEvents: 'true', allowWatchBookmarks: 'true', resourceVersionMatch: 'NotOlderThan' },
  }),
  cm('watch', '', { query: { resourceVersion: '99999999', sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' } }),
  cm('watch', '', {
    query: { labelSelector: 'group=few', sendInitialEvents: 'false', resourceVersion: '0', resourceVersionMatch: 'NotOlderThan' },
  }),
  cm('deletecollection', '', { query: { labelSelector: 'group=few' }, body: {} }),
  cm('list', '', { query: { labelSelector: 'group=few' } }),
];

const replicaSet = (name: string): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'a' } },
    template: {
      metadata: { labels: { app: 'a' } },
      spec: {
        containers: [
          {
            name: 'c',
            image: 'i',
            imagePullPolicy: 'Always',
            terminationMessagePath: '/dev/termination-log',
            terminationMessagePolicy: 'File',
          },
        ],
        dnsPolicy: 'ClusterFirst',
        restartPolicy: 'Always',
        schedulerName: 'default-scheduler',
        securityContext: {},
        terminationGracePeriodSeconds: 30,
      },
    },
  },
});
const scale = (fields: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'r', ...metadata },
  ...fields,
});
const rs = (
  verb: Exchange['verb'],
  subresource: string,
  rest: Omit<Exchange, 'resource' | 'verb' | 'name' | 'subresource'> = {},
): Exchange => ({
  verb,
  resource: 'replicasets',
  name: 'r',
  subresource,
  ...rest,
  query: { ...(verb === 'get' ? {} : me), ...rest.query },
});
/** Needs the behaviour of ReplicaSets: scale, and defaults. */
export const scales: readonly Exchange[] = [
  { verb: 'create', resource: 'replicasets', body: replicaSet('r'), query: me },
  rs('get', 'scale'),
  rs('update', 'scale', { body: scale({ spec: { replicas: 4 } }), query: { fieldManager: 'scaler' } }),
  rs('get', ''),
  rs('update', 'scale', { body: scale({ spec: { replicas: -1 } }) }),
  rs('update', 'scale', { body: scale({ spec: { replicas: 1 } }, { resourceVersion: '1' }) }),
  rs('update', 'scale', { body: scale({ spec: { replicas: 1 } }, { uid: 'x' }) }),
  rs('update', 'scale', { body: scale({ spec: { replicas: 'x' } }) }),
  rs('update', 'scale', { body: scale({ spec: { replicas: 1, x: 1 } }), query: STRICT }),
  rs('update', 'scale', { body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'r' } } }),
  rs('update', 'scale', { body: scale({ spec: { replicas: 1 } }, { namespace: 'other' }) }),
  rs('patch', 'scale', { format: 'merge', body: { spec: { replicas: 7 } } }),
  rs('patch', 'scale', { format: 'json', body: [{ op: 'replace', path: '/spec/replicas', value: 8 }] }),
  rs('patch', 'scale', { format: 'strategic', body: { spec: { replicas: 9 } } }),
  rs('patch', 'scale', { format: 'merge', body: { metadata: { uid: 'x' } } }),
  rs('patch', 'scale', { format: 'merge', body: { spec: null } }),
  rs('patch', 'scale', { format: 'apply', body: scale({ spec: { replicas: 3 } }), query: { fieldManager: 'applier' } }),
  rs('patch', 'scale', { format: 'apply', body: scale({ spec: { replicas: 3 } }), query: { fieldManager: 'applier', force: 'true' } }),
  rs('get', ''),
  rs('update', 'status', {
    body: { ...replicaSet('r'), status: { replicas: 3, observedGeneration: 1 } },
    query: { fieldManager: 'controller' },
  }),
  rs('get', 'scale'),
  rs('get', 'status'),
];

export const exchanges: Readonly<Record<string, readonly Exchange[]>> = { creates, updates, patches, applies, deletes, lists };
