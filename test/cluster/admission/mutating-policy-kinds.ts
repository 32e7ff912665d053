import type { Step } from '../differential/exchange.js';
import type { Script } from '../differential/script.js';
import {
  apply,
  BINDINGS,
  binding,
  type Fields,
  GROUP,
  here,
  MERGE,
  only,
  POLICIES,
  type PolicyCase,
  patch,
  policy,
  post,
  removed,
  sentinel,
  written,
} from './mutating-policy-steps.js';

const WIDGETS = '/apis/{ns}.example.com/v1/namespaces/{ns}/widgets';
const string = { type: 'string' };
const definition = post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
  metadata: { name: 'widgets.{ns}.example.com' },
  spec: {
    group: '{ns}.example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  replicas: { type: 'integer', default: 1 },
                  size: { type: 'integer', maximum: 9 },
                  names: { type: 'array', items: string, 'x-kubernetes-list-type': 'set' },
                  plain: { type: 'array', items: string },
                  parts: {
                    type: 'array',
                    items: { type: 'object', required: ['name'], properties: { name: string, value: { type: 'string', default: 'd' } } },
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['name'],
                  },
                  whole: { type: 'object', properties: { a: string }, 'x-kubernetes-map-type': 'atomic' },
                  any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                },
              },
              status: { type: 'object', properties: { replicas: { type: 'integer' } } },
            },
          },
        },
      },
    ],
  },
});

const onWidgets = {
  matchConstraints: {
    resourceRules: [{ operations: ['CREATE', 'UPDATE'], apiGroups: ['{ns}.example.com'], apiVersions: ['v1'], resources: ['*'] }],
  },
};
const widget = (name: string, mutation: Fields): PolicyCase => ({
  name,
  mutations: [mutation],
  spec: onWidgets,
  path: WIDGETS,
  object: { apiVersion: '{ns}.example.com/v1', kind: 'Widget', spec: { names: ['a'], parts: [{ name: 'a', value: '1' }], any: { x: 1 } } },
});
const widgets: readonly PolicyCase[] = [
  widget(
    'w0',
    apply(
      'Object{spec: Object.spec{size: 3, names: ["b", "a"], parts: [Object.spec.parts{name: "b"}, Object.spec.parts{name: "a", value: "2"}]}}',
    ),
  ),
  widget('w1', apply('Object{spec: Object.spec{plain: ["b"]}}')),
  widget('w2', apply('Object{spec: Object.spec{whole: Object.spec.whole{a: "1"}}}')),
  widget('w3', apply('Object{spec: Object.spec{nope: 1}}')),
  widget('w4', apply('Object{spec: Object.spec{size: "3"}}')),
  widget('w5', apply('Object{spec: Object.spec{size: 30}}')),
  widget('w6', patch('[JSONPatch{op: "add", path: "/spec/nope", value: 1}, JSONPatch{op: "add", path: "/spec/size", value: 4}]')),
  widget('w7', patch('[JSONPatch{op: "add", path: "/spec/size", value: "x"}]')),
  widget('w8', patch('[JSONPatch{op: "add", path: "/spec/parts/-", value: {"name": "z"}}]')),
  widget('w9', apply('Object{spec: Object.spec{any: Object.spec.any{y: 2}}}')),
  widget('w10', apply('Object{metadata: Object.metadata{labels: {"a": string(object.spec.size + 1)}}}')),
];

/** A server learns the schema of a custom resource some seconds after its definition; so the first step waits. */
const custom: Script = {
  name: 'custom resources, scales and statuses',
  steps: [
    definition,
    {
      method: 'GET',
      path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.{ns}.example.com',
      until: '"type":"Established","status":"True"',
    },
    ...widgets.flatMap((one) => [policy(one.name, one.mutations, one.spec), binding(one.name)]),
    policy('scaled', [apply('Object{spec: Object.spec{replicas: 7}}')], {
      matchConstraints: {
        resourceRules: [
          { operations: ['UPDATE'], apiGroups: ['{ns}.example.com'], apiVersions: ['v1'], resources: ['widgets/scale', 'widgets/status'] },
        ],
      },
      matchConditions: [here, only('scaled')],
    }),
    binding('scaled'),
    ...sentinel(),
    { ...written(widgets[0] as PolicyCase), until: '"size":3' },
    ...widgets.map(written),
    written({ ...(widgets[0] as PolicyCase), name: 'scaled' }),
    post(WIDGETS, { apiVersion: '{ns}.example.com/v1', kind: 'Widget', metadata: { name: 'scaled' }, spec: { replicas: 2 } }),
    {
      method: 'PUT',
      path: `${WIDGETS}/scaled/scale`,
      body: { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'scaled', namespace: '{ns}' }, spec: { replicas: 3 } },
    },
    { method: 'PATCH', path: `${WIDGETS}/scaled/status`, contentType: MERGE, body: { status: { replicas: 3 } } },
    { method: 'GET', path: `${WIDGETS}/scaled` },
    ...[...widgets.map(({ name }) => name), 'scaled', 'zz'].flatMap(removed),
    { method: 'DELETE', path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.{ns}.example.com' },
  ],
};

const RULE = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] };
const whole = (spec: Fields, name = 'refused'): Step =>
  post(`${POLICIES}?dryRun=All`, {
    metadata: { name },
    spec: { reinvocationPolicy: 'Never', matchConstraints: { resourceRules: [RULE] }, mutations: [apply('Object{}')], ...spec },
  });
const refusedExpressions: readonly Fields[] = [
  ...[
    'object',
    'Object.data{}',
    'JSONPatch{}',
    'Object',
    'null',
    'optional.of(Object{})',
    'dyn(Object{})',
    'Foo{}',
    ' Object{ data: 1 + "x" } ',
  ].map(apply),
  ...[
    'Object{?data: {"b": "c"}}',
    'Object{data: {"t": string(type(Object{a: 1}) == Object)}}',
    'Object{data: variables.none}',
    'Object{data: params.data}',
  ].map(apply),
  ...[
    'Object{data: {"x": jsonpatch.escapeKey(1)}}',
    'Object{',
    '',
    '  ',
    'Object{a: Object.a.b}',
    'Object{a: [Object.a{}, Object.b{}]}',
    'Object{a: authorizer}',
  ].map(apply),
  ...[
    '[]',
    'JSONPatch{op: "add"}',
    '[JSONPatch{op: 1}]',
    '[JSONPatch{bogus: 1}]',
    '[1]',
    '"x"',
    '[Object{}]',
    '',
    '[JSONPatch{value: Foo{}}]',
    '[JSONPatch{op: "a", op: 1}]',
  ].map(patch),
  ...['[JSONPatch{op: "replace", path: "", value: {"a": "b", "m": {}}}]', 'jsonpatch.escapeKey("x")', '[JSONPatch{path: ["a"]}]'].map(
    patch,
  ),
];

const validation: Script = {
  name: 'policies and bindings that are refused',
  namespaced: false,
  steps: [
    whole({}),
    whole({}, 'Bad_Name'),
    post(`${POLICIES}?dryRun=All`, { metadata: { name: 'empty' } }),
    post(`${POLICIES}?dryRun=All`, { metadata: { name: 'empty' }, spec: {} }),
    whole({ reinvocationPolicy: '' }),
    whole({ reinvocationPolicy: 'Sometimes' }),
    whole({ failurePolicy: 'Maybe' }),
    whole({ mutations: [] }),
    whole({ matchConstraints: {} }),
    whole({ matchConstraints: { resourceRules: [{ ...RULE, operations: ['DELETE', 'CREATE'] }] } }),
    whole({
      matchConstraints: { resourceRules: [{ ...RULE, operations: ['*'] }], excludeResourceRules: [{ ...RULE, operations: ['DELETE'] }] },
    }),
    whole({ matchConstraints: { resourceRules: [{ ...RULE, apiGroups: [], scope: 'Here' }], matchPolicy: 'Nearly' } }),
    whole({ paramKind: { apiVersion: 'a/b/c', kind: 'X-' } }),
    whole({ paramKind: {} }),
    whole({
      variables: [
        { name: 'a-b', expression: '1' },
        { name: '', expression: '' },
        { name: 'c', expression: 'Object{}' },
      ],
    }),
    whole({
      matchConditions: [
        { name: 'a', expression: 'variables.x' },
        { name: 'a', expression: '1' },
        { name: '', expression: 'type(Object)' },
      ],
    }),
    whole({ mutations: [{}, { patchType: 'Other' }, { patchType: 'JSONPatch' }, { patchType: 'ApplyConfiguration' }] }),
    whole({
      mutations: [
        { ...apply('Object{}'), jsonPatch: { expression: '[]' } },
        { ...patch('[JSONPatch{}]'), applyConfiguration: { expression: 'x' } },
      ],
    }),
    whole({
      mutations: [
        { patchType: 'JSONPatch', jsonPatch: {} },
        { patchType: 'ApplyConfiguration', applyConfiguration: {} },
      ],
    }),
    whole({ nope: 1 }),
    ...refusedExpressions.map((mutation) => whole({ mutations: [mutation] })),
    whole({
      variables: [{ name: 'o', expression: 'object.data' }],
      mutations: [apply('Object{data: variables.o}'), apply('Object{data: variables.p}')],
    }),
    post(`${BINDINGS}?dryRun=All`, { metadata: { name: 'b' }, spec: { policyName: 'x' } }),
    post(`${BINDINGS}?dryRun=All`, { metadata: { name: 'b' }, spec: {} }),
    post(`${BINDINGS}?dryRun=All`, { metadata: { name: 'b' }, spec: { policyName: 'X_y' } }),
    post(`${BINDINGS}?dryRun=All`, { metadata: { name: 'b' }, spec: { policyName: 'x', paramRef: {} } }),
    post(`${BINDINGS}?dryRun=All`, {
      metadata: { name: 'b' },
      spec: { policyName: 'x', paramRef: { name: 'a', selector: {}, parameterNotFoundAction: 'Never' } },
    }),
    post(`${BINDINGS}?dryRun=All`, {
      metadata: { name: 'b' },
      spec: { policyName: 'x', matchResources: { resourceRules: [{ ...RULE, operations: ['DELETE'] }] } },
    }),
    post(`${BINDINGS}?dryRun=All`, { metadata: { name: 'b' }, spec: { policyName: 'x', matchResources: {} } }),
  ],
};

const life: Script = {
  name: 'life of policies',
  namespaced: false,
  steps: [
    post(POLICIES, {
      metadata: { name: 'living' },
      spec: {
        reinvocationPolicy: 'Never',
        matchConstraints: { resourceRules: [{ ...RULE, resources: ['leases'] }] },
        mutations: [apply('Object{}')],
      },
    }),
    { method: 'GET', path: `${POLICIES}/living` },
    { method: 'PATCH', path: `${POLICIES}/living`, contentType: MERGE, body: { metadata: { labels: { a: 'b' } } } },
    { method: 'PATCH', path: `${POLICIES}/living`, contentType: MERGE, body: { spec: { failurePolicy: 'Ignore' } } },
    { method: 'PUT', path: `${POLICIES}/living`, body: { metadata: { name: 'living' }, spec: {} } },
    { method: 'GET', path: `${POLICIES}/living`, accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    { method: 'GET', path: `${POLICIES}/living/status` },
    { method: 'GET', path: GROUP },
    { method: 'GET', path: '/apis/admissionregistration.k8s.io' },
    post(BINDINGS, {
      metadata: { name: 'living' },
      spec: { policyName: 'living', matchResources: { objectSelector: { matchLabels: { a: 'b' } } } },
    }),
    { method: 'GET', path: `${BINDINGS}/living`, accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    { method: 'PATCH', path: `${BINDINGS}/living`, contentType: MERGE, body: { spec: { policyName: 'other' } } },
    ...[BINDINGS, POLICIES].map((path): Step => ({ method: 'DELETE', path: `${path}/living` })),
  ],
};

/** What is about the policies as objects, and about objects that are not built in. */
export const mutatingPolicyKindScripts: readonly Script[] = [custom, validation, life];
