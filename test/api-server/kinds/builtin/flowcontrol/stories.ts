import { clusterWide, type Fields, type Story, story } from '../stories/story.js';

const schemas = clusterWide('flowcontrol.apiserver.k8s.io/v1', 'FlowSchema', 'flowschemas');
const levels = clusterWide('flowcontrol.apiserver.k8s.io/v1', 'PriorityLevelConfiguration', 'prioritylevelconfigurations');
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

export const flowcontrolStories: readonly Story[] = [
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
