import { defineCustomResource, defineOperator, k, type MutatingPolicyOptions, mutatingPolicy, validatingPolicy } from 'keelson';
import { ConfigMap, Namespace, Pod } from 'keelson/kinds';
import { z } from 'zod';
import { mutatingPolicies as installedPolicies } from '../../../../src/keelson/definition/index.js';
import { problemsOf } from '../refusals.js';

const Cache = defineCustomResource({
  group: 'cache.example.com',
  kind: 'Cache',
  versions: {
    v1: {
      spec: z.object({
        size: k.int32(),
        parts: z.array(z.object({ name: z.string() })).optional(),
        owner: z.object({ team: z.string().optional() }).optional(),
      }),
    },
  },
});

const policy = (options: Partial<MutatingPolicyOptions>, kind: Parameters<typeof mutatingPolicy>[0] = Cache) =>
  problemsOf(() => mutatingPolicy(kind, { mutations: [{ apply: 'Object{}' }], ...options }));
const apply = (expression: string, kind?: Parameters<typeof mutatingPolicy>[0]) => policy({ mutations: [{ apply: expression }] }, kind);
const patch = (expression: string, kind?: Parameters<typeof mutatingPolicy>[0]) => policy({ mutations: [{ patch: expression }] }, kind);

test('a policy of one line has the defaults of its siblings', () => {
  expect(mutatingPolicy(Pod, { mutations: [{ apply: 'Object{metadata: Object.metadata{labels: {"a": "b"}}}' }] })).toMatchObject({
    type: 'mutating-policy',
    name: 'pods.core',
    operations: ['CREATE', 'UPDATE'],
    mutations: [{ patchType: 'ApplyConfiguration', expression: 'Object{metadata: Object.metadata{labels: {"a": "b"}}}' }],
    failurePolicy: 'Fail',
    reinvocationPolicy: 'IfNeeded',
  });
});

describe('what the API server would not take is refused, in its words', () => {
  test.each([
    ['Object.spec{}', 'mutations[0].apply: must evaluate to Object but got Object.spec'],
    ['object', 'mutations[0].apply: must evaluate to Object but got dyn'],
    ['Object{', 'mutations[0].apply: compilation failed: ERROR: <input>:1:8: Syntax error'],
    ['Object{spec: params.x}', "undeclared reference to 'params'"],
    ['Objekt{}', "undeclared reference to 'Objekt'"],
  ])('%s', (expression, message) => {
    expect(apply(expression).join()).toContain(message);
  });

  test.each([
    ['[]', 'mutations[0].patch: must evaluate to list(JSONPatch) but got list(dyn)'],
    ['[JSONPatch{op: 1}]', "expected type of field 'op' is 'string' but provided type is 'int'"],
  ])('%s', (expression, message) => {
    expect(patch(expression).join()).toContain(message);
  });
});

describe('what the API server would refuse of each object is refused here', () => {
  test.each<[string, string]>([
    ['Object{spec: Object.spce{size: 1}}', 'unexpected type name "Object.spce", expected "Object.spec": an Object is named by its field'],
    ['Object{spec: Object.spec{sice: 1}}', 'field not declared in schema: the schema has no spec.sice'],
    ['Object{spec: Object.spec{parts: [Object.spec.parts{nam: "a"}]}}', 'the schema has no spec.parts.nam'],
    ['true ? Object{spec: Object.spec{a: 1}} : Object{}', 'the schema has no spec.a'],
    ['Object{spec: Object.spec{?owner: optional.of(Object.spec.owner{tem: "a"})}}', 'the schema has no spec.owner.tem'],
    ['Object{spec: Object.spec{parts: ["a"].map(n, Object.spec.part{name: n})}}', 'expected "Object.spec.parts"'],
    ['Object{spec: Object.spec{size: object.spec.sice}}', "undefined field 'sice'"],
  ])('%s', (expression, message) => {
    expect(apply(expression).join()).toContain(message);
  });

  test.each<[string, string]>([
    ['[JSONPatch{op: "add", path: "/spec/parts", value: [Object.spec.parts{name: "a"}]}]', 'a kube-apiserver before 1.37 panics'],
    ['[JSONPatch{op: "add", path: "/spec/owner", value: Object.spec.owner{tem: "a"}}]', 'the schema has no spec.owner.tem'],
  ])('%s', (expression, message) => {
    expect(patch(expression).join()).toContain(message);
  });

  test('the fields of a kind that is not ours may be newer than we know', () => {
    expect(apply('Object{spec: Object.spec{fieldOfTomorrow: 1}}', Pod)).toEqual([]);
    expect(apply('Object{spec: Object.spec{containers: [Object.spec.container{name: "a"}]}}', Pod).join()).toContain(
      'expected "Object.spec.containers"',
    );
  });

  test('what is right is taken', () => {
    expect(apply('Object{spec: Object.spec{size: object.spec.size + 1, parts: ["a"].map(n, Object.spec.parts{name: n})}}')).toEqual([]);
    expect(apply('Object{metadata: Object.metadata{labels: Object.metadata.labels{a: "b"}}}')).toEqual([]);
    expect(
      patch('[JSONPatch{op: "add", path: "/spec/parts/-", value: Object.spec.parts{name: "a"}}] + [JSONPatch{op: "remove", path: "/x"}]'),
    ).toEqual([]);
  });
});

describe('options', () => {
  test.each<[string, Partial<MutatingPolicyOptions>, string]>([
    ['no mutation', { mutations: [] }, 'mutations: is empty; write at least one { apply } or { patch }'],
    [
      'a mutation without a patch',
      { mutations: [{} as never] },
      'mutations[0]: needs one of apply (fields to merge) and patch (operations of a JSON Patch)',
    ],
    ['an empty one', { mutations: [{ apply: ' ' }] }, 'mutations[0].apply: is empty; write CEL'],
    ['no operation', { operations: [] }, 'operations: is empty; the policy would never be asked: name CREATE or UPDATE'],
    ['deletions', { operations: ['DELETE' as never] }, "operations[0]: 'DELETE' is unknown; write one of 'CREATE', 'UPDATE', 'CONNECT'"],
    [
      'parameters by name and selector',
      { params: { kind: ConfigMap, name: 'a', selector: {}, parameterNotFoundAction: 'Deny' } },
      'params: needs one of name (one object) and selector ({} for all)',
    ],
    [
      'a namespace of what is in none',
      { params: { kind: Namespace, name: 'a', namespace: 'b', parameterNotFoundAction: 'Deny' } },
      'params.namespace: is set, but a Namespace is in no namespace; leave it out',
    ],
  ])('%s', (_what, options, message) => {
    expect(policy(options)).toContain(message);
  });

  test.each<[string, MutatingPolicyOptions['params']]>([
    ['a namespace of what is in one', { kind: ConfigMap, name: 'a', namespace: 'b', parameterNotFoundAction: 'Deny' }],
    ['what is in no namespace', { kind: Namespace, name: 'a', parameterNotFoundAction: 'Deny' }],
  ])('%s is taken', (_what, params) => {
    expect(policy({ params })).toEqual([]);
  });

  test('params have the schema of their kind', () => {
    const params = { kind: Cache, selector: {}, parameterNotFoundAction: 'Allow' } as const;
    const labelled = (value: string) => `Object{metadata: Object.metadata{labels: {"size": string(${value})}}}`;
    expect(policy({ params, mutations: [{ apply: labelled('params.spec.size') }] }, Pod)).toEqual([]);
    expect(policy({ params, mutations: [{ apply: labelled('params.spec.sice') }] }, Pod).join()).toContain("undefined field 'sice'");
  });
});

test('the definition of the parameters comes with the operator', () => {
  const params = { kind: Cache, selector: {}, parameterNotFoundAction: 'Allow' } as const;
  const { customResources, policies, mutatingPolicies, webhooks } = defineOperator({
    name: 'o',
    webhooks: [mutatingPolicy(Pod, { params, mutations: [{ apply: 'Object{}' }] })],
  });
  expect(customResources).toEqual([Cache.customResource]);
  expect([policies.length, mutatingPolicies?.length, webhooks.length]).toEqual([0, 1, 0]);
});

const POLICY = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingAdmissionPolicy', metadata: { name: 'pods.core' } };
const PATCH = '[JSONPatch{op: "remove", path: "/metadata/labels"}]';

test('the manifests say what is written, and nothing of what is not', () => {
  const model = mutatingPolicy(Pod, {
    mutations: [{ apply: 'Object{}' }, { patch: PATCH }],
    matchConditions: [{ name: 'ours', expression: 'true' }],
    variables: [{ name: 'size', expression: '1' }],
    params: { kind: ConfigMap, name: 'a', namespace: 'b', parameterNotFoundAction: 'Deny' },
    select: { labels: { app: 'web' } },
  });
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['pods'], scope: 'Namespaced' };
  const common = { failurePolicy: 'Fail', reinvocationPolicy: 'IfNeeded' };
  expect(installedPolicies(defineOperator({ name: 'o', webhooks: [model] }), 'v1')).toEqual([
    {
      policy: {
        ...POLICY,
        spec: {
          ...common,
          matchConstraints: { matchPolicy: 'Equivalent', objectSelector: { matchLabels: { app: 'web' } }, resourceRules: [rule] },
          matchConditions: [{ name: 'ours', expression: 'true' }],
          mutations: [
            { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } },
            { patchType: 'JSONPatch', jsonPatch: { expression: PATCH } },
          ],
          paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
          variables: [{ name: 'size', expression: '1' }],
        },
      },
      binding: {
        ...POLICY,
        kind: 'MutatingAdmissionPolicyBinding',
        spec: { policyName: 'pods.core', paramRef: { name: 'a', namespace: 'b', parameterNotFoundAction: 'Deny' } },
      },
    },
  ]);
  const short = mutatingPolicy(Pod, { mutations: [{ apply: 'Object{}' }] });
  expect(installedPolicies(defineOperator({ name: 'o', webhooks: [short] }), 'v1')).toEqual([
    {
      policy: {
        ...POLICY,
        spec: {
          ...common,
          matchConstraints: { matchPolicy: 'Equivalent', resourceRules: [rule] },
          mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } }],
        },
      },
      binding: { ...POLICY, kind: 'MutatingAdmissionPolicyBinding', spec: { policyName: 'pods.core' } },
    },
  ]);
});

test('each sort of policy stands in its own list', () => {
  const { policies, mutatingPolicies, webhooks } = defineOperator({
    name: 'o',
    webhooks: [
      validatingPolicy(Cache, { validations: [{ expression: 'object.spec.size > 0', message: 'size must be positive' }] }),
      mutatingPolicy(Pod, { mutations: [{ apply: 'Object{}' }] }),
    ],
  });
  expect(policies.map(({ kind }) => kind.kind)).toEqual(['Cache']);
  expect(mutatingPolicies?.map(({ kind }) => kind.kind)).toEqual(['Pod']);
  expect(webhooks).toEqual([]);
});

test('two mutating policies of one name are refused', () => {
  const twice = [1, 2].map(() => mutatingPolicy(Cache, { mutations: [{ apply: 'Object{}' }] }));
  expect(problemsOf(() => defineOperator({ name: 'o', webhooks: twice }))).toEqual([
    "webhooks[1]: the mutating policy name 'caches.cache.example.com' is taken by webhooks[0]; give each a name with the option name: '...'",
  ]);
});
