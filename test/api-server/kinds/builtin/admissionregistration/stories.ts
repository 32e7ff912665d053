import { clusterWide, type Fields, type Story, story } from '../stories/story.js';

const GROUP = 'admissionregistration.k8s.io/v1';
const mutating = clusterWide(GROUP, 'MutatingWebhookConfiguration', 'mutatingwebhookconfigurations');
const validating = clusterWide(GROUP, 'ValidatingWebhookConfiguration', 'validatingwebhookconfigurations');
const policies = clusterWide(GROUP, 'ValidatingAdmissionPolicy', 'validatingadmissionpolicies');
const bindings = clusterWide(GROUP, 'ValidatingAdmissionPolicyBinding', 'validatingadmissionpolicybindings');

/** Of no resource that a story writes: the objects must not act on each other. */
const rule = { operations: ['CREATE'], apiGroups: ['nowhere.example.com'], apiVersions: ['v1'], resources: ['things'] };
const hook = (fields: Fields = {}): Fields => ({
  name: 'a.hooks.example.com',
  clientConfig: { service: { name: 's', namespace: 'n' } },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  rules: [rule],
  ...fields,
});
const webhooks = (...hooks: readonly Fields[]): Fields => ({ webhooks: hooks });
const policy = (fields: Fields = {}): Fields => ({
  spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'true' }], ...fields },
});
const binding = (fields: Fields = {}): Fields => ({ spec: { policyName: 'p', validationActions: ['Deny'], ...fields } });

const badRules = [
  { operations: [], apiGroups: [], apiVersions: [], resources: [] },
  { operations: ['*', 'CREATE'], apiGroups: ['*', 'a'], apiVersions: ['*', 'v1', ''], resources: ['*', 'pods', ''], scope: 'Everywhere' },
  { operations: ['READ'], apiGroups: [''], apiVersions: ['v1'], resources: ['*/*', 'pods'] },
  { operations: ['UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods/*', 'pods/log', '*/status', 'a/status', 'pods', '*'] },
];
const badSelector = {
  matchLabels: { 'a b': 'c d' },
  matchExpressions: [
    { key: '', operator: 'Near' },
    { key: 'a', operator: 'In' },
  ],
};
const conditions = [
  { name: 'a', expression: 'true' },
  { name: 'a', expression: '  ' },
  { name: '', expression: 'object.x' },
  { name: 'a b', expression: '1' },
  { name: 'c', expression: 'params.x == 1 &&' },
  { name: 'd', expression: ' nothing ' },
  { name: 'e', expression: 'authorizer.group("").resource("pods").check("get").allowed()' },
];

const webhookStories: readonly Story[] = [mutating, validating].flatMap((kind) => [
  story(
    kind,
    'plain',
    webhooks(hook(), hook({ name: 'b.hooks.example.com', clientConfig: { url: 'https://a.example.com:1/x' } })),
    { patch: { metadata: { labels: { a: 'b' } } } },
    { patch: webhooks(hook({ timeoutSeconds: 3 })) },
    { put: webhooks(hook()) },
    { patch: webhooks(hook({ matchConditions: conditions })) },
    { patch: webhooks(hook({ matchConditions: conditions.slice(0, 1) })) },
    { patch: { metadata: { generation: 7 } } },
    { patch: { webhooks: null } },
    { delete: {} },
  ),
  story(kind, 'empty', {}),
  story(kind, 'of nothing', webhooks({})),
  story(
    kind,
    'bad',
    webhooks(
      hook({ name: 'short', rules: badRules, failurePolicy: 'Never', matchPolicy: 'Some', sideEffects: 'Some', timeoutSeconds: 31 }),
      hook({ name: 'A.b.c', namespaceSelector: badSelector, objectSelector: badSelector, timeoutSeconds: 0, reinvocationPolicy: 'Often' }),
      hook({ name: 'a.b.c', admissionReviewVersions: ['v2', 'v2', 'A'], clientConfig: {} }),
      hook({ name: 'a.b.c', admissionReviewVersions: [], clientConfig: { url: 'https://x', service: { name: 's', namespace: 'n' } } }),
    ),
  ),
  story(
    kind,
    'with bad clients',
    webhooks(
      hook({ name: 'a.b.c', clientConfig: { url: 'http://u:p@/x?y#z' } }),
      hook({ name: 'b.b.c', clientConfig: { url: '::' } }),
      hook({ name: 'c.b.c', clientConfig: { service: { name: '', namespace: '', port: 0, path: 'a//b' } } }),
      hook({ name: 'd.b.c', clientConfig: { service: { name: 's', namespace: 'n', port: 65_536, path: '/a/B' } } }),
      hook({ name: 'e.b.c', clientConfig: { url: 'https://x', caBundle: 'eHg=' } }),
    ),
  ),
  story(kind, 'with conditions', webhooks(hook({ matchConditions: conditions }))),
  story(
    kind,
    'with many conditions',
    webhooks(hook({ matchConditions: Array.from({ length: 65 }, (_, index) => ({ name: `c${index}`, expression: 'true' })) })),
  ),
  story(kind, 'with unknown fields', { webhooks: [{ ...hook(), color: 1, rules: [{ ...rule, shape: { round: true } }] }], size: 2 }),
]);

const policyStories: readonly Story[] = [
  story(
    policies,
    'plain',
    policy({
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      variables: [
        { name: 'size', expression: 'object.spec.size' },
        { name: 'twice', expression: 'variables.size + 1' },
      ],
      matchConditions: [{ name: 'c', expression: 'params.data.x == "y"' }],
      validations: [{ expression: 'variables.twice < 3', messageExpression: "'too ' + string(variables.twice)", reason: 'Forbidden' }],
      auditAnnotations: [{ key: 'k', valueExpression: "variables.twice > 1 ? 'big' : 'small'" }],
    }),
    { patch: { spec: { failurePolicy: 'Ignore' } } },
    { patch: { status: { observedGeneration: 3 } } },
    { patch: { spec: { paramKind: null } } },
    { patch: { spec: { matchConstraints: { namespaceSelector: { matchLabels: { a: 'b' } } } } } },
    {
      patch: { status: { observedGeneration: 2, typeChecking: { expressionWarnings: [{ fieldRef: 'spec.a', warning: 'w' }] } } },
      of: 'status',
    },
    {
      patch: {
        status: {
          typeChecking: {
            expressionWarnings: [
              { fieldRef: '', warning: '' },
              { fieldRef: 'spec[', warning: 'x' },
            ],
          },
        },
      },
      of: 'status',
    },
    {
      patch: {
        status: {
          conditions: [{ type: 'A b', status: 'Perhaps', reason: 'not good', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }],
        },
      },
      of: 'status',
    },
    {
      patch: {
        status: { conditions: [{ type: 'Ready', status: 'True', reason: 'R', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }] },
      },
      of: 'status',
    },
    { get: 'status' },
    { delete: {} },
  ),
  story(policies, 'empty', {}),
  story(policies, 'without rules', { spec: { matchConstraints: {}, failurePolicy: 'Never' } }),
  story(
    policies,
    'bad',
    policy({
      paramKind: { apiVersion: 'a/b/c', kind: 'a b' },
      matchConstraints: {
        matchPolicy: 'Some',
        namespaceSelector: badSelector,
        objectSelector: badSelector,
        resourceRules: [...badRules, { ...rule, resourceNames: ['a', 'a', 'b/c', '..'] }],
        excludeResourceRules: badRules.slice(0, 1),
      },
      matchConditions: conditions,
      variables: [
        { name: '', expression: '' },
        { name: 'a b', expression: 'x' },
        { name: 'int', expression: '  ' },
        { name: 'bad', expression: 'object. + 1' },
      ],
      validations: [
        { expression: '' },
        { expression: 'object.x', message: ' ', messageExpression: ' ', reason: 'NotFound' },
        { expression: "'a'", message: 'a\nb', messageExpression: '1' },
        { expression: 'true', messageExpression: "authorizer.path('/x').check('get').reason()" },
        { expression: 'nothing == 1 && [1, "a"].exists(x, x == 1)' },
        { expression: '  object.x ==\n  == 2' },
      ],
      auditAnnotations: [
        { key: 'a', valueExpression: '' },
        { key: 'a', valueExpression: '1' },
        { key: 'a b', valueExpression: "'x'" },
        { key: 'b', valueExpression: 'x'.repeat(5121) },
        { key: 'c', valueExpression: 'null' },
        { key: 'd', valueExpression: " authorizer.path('/x').check('get').reason() + 1 " },
        { key: 'e', valueExpression: " authorizer.path('/x').check('get').reason() " },
      ],
    }),
  ),
  ...[
    { apiVersion: '', kind: '' },
    { apiVersion: '/', kind: 'K' },
    { apiVersion: 'a_b/V1', kind: '1a' },
    { apiVersion: 'a.b/', kind: 'A' },
  ].map((paramKind, index) => story(policies, `of bad parameters ${index}`, policy({ paramKind }))),
  story(
    policies,
    'with many annotations',
    policy({
      validations: null,
      auditAnnotations: Array.from({ length: 21 }, (_, index) => ({ key: `k${index}`, valueExpression: "'x'" })),
    }),
  ),
  story(
    policies,
    'typed wrong',
    policy({
      validations: [
        { expression: 'object.metadata.name.startsWith(1)' },
        { expression: "request.operation == 'CREATE' || request.nothing" },
        { expression: 'namespaceObject.metadata.labels.a + 1 == 2 && namespaceObject.nope' },
        { expression: 'params.x == 1' },
        { expression: 'variables.x == 1' },
        { expression: 'self.x' },
        { expression: 'object.list.all(x, x.matches("("))' },
        { expression: 'quantity("1x").isGreaterThan(quantity("1"))' },
        { expression: `${'['.repeat(60)}${']'.repeat(60)} == []` },
      ],
    }),
  ),
  story(
    policies,
    'of expensive expressions',
    policy({
      variables: [{ name: 'all', expression: 'object.list.map(x, object.list.map(y, object.list.map(z, x + y + z)))' }],
      validations: [{ expression: 'variables.all.size() > object.list.map(x, x.contains("y")).size()' }],
    }),
  ),
];

const bindingStories: readonly Story[] = [
  story(
    bindings,
    'plain',
    binding({ paramRef: { name: 'x', parameterNotFoundAction: 'Deny' }, matchResources: { objectSelector: { matchLabels: { a: 'b' } } } }),
    { patch: { spec: { validationActions: ['Warn', 'Audit'] } } },
    { patch: { metadata: { labels: { a: 'b' } } } },
    {
      patch: {
        spec: { policyName: 'q', paramRef: { name: null, selector: { matchLabels: { a: 'b' } }, parameterNotFoundAction: 'Allow' } },
      },
    },
    { put: binding() },
    { delete: {} },
  ),
  story(bindings, 'empty', {}),
  story(
    bindings,
    'bad',
    binding({
      policyName: 'A b',
      validationActions: ['Deny', 'Warn', 'Deny', 'Ask'],
      paramRef: { name: 'a/b', selector: badSelector, parameterNotFoundAction: 'Ask' },
      matchResources: { matchPolicy: 'Some', namespaceSelector: badSelector, resourceRules: badRules },
    }),
  ),
  story(bindings, 'with nothing', binding({ validationActions: [], paramRef: {} })),
];

export const admissionregistrationStories: readonly Story[] = [...webhookStories, ...policyStories, ...bindingStories];
