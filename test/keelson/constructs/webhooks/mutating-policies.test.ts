import { Chart, Testing } from 'cdk8s';
import { defineOperator, mutatingPolicy } from 'keelson';
import { MutatingPolicies, Operator } from 'keelson/constructs';
import { ConfigMap, Pod } from 'keelson/kinds';

const policy = mutatingPolicy(Pod, {
  name: 'marks.example.com',
  operations: ['CREATE'],
  select: { labels: { mark: 'yes' } },
  params: { kind: ConfigMap, name: 'marks', namespace: 'system', parameterNotFoundAction: 'Deny' },
  variables: [{ name: 'mark', expression: 'params.data.mark' }],
  mutations: [
    { apply: 'Object{metadata: Object.metadata{labels: {"marked": variables.mark}}}' },
    { patch: '[JSONPatch{op: "remove", path: "/metadata/labels/mark"}]' },
  ],
});
const operator = defineOperator({ name: 'marker', webhooks: [policy] });

const spec = {
  failurePolicy: 'Fail',
  matchConstraints: {
    matchPolicy: 'Equivalent',
    objectSelector: { matchLabels: { mark: 'yes' } },
    resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'], scope: 'Namespaced' }],
  },
  mutations: [
    {
      patchType: 'ApplyConfiguration',
      applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"marked": variables.mark}}}' },
    },
    { patchType: 'JSONPatch', jsonPatch: { expression: '[JSONPatch{op: "remove", path: "/metadata/labels/mark"}]' } },
  ],
  paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
  reinvocationPolicy: 'IfNeeded',
  variables: [{ name: 'mark', expression: 'params.data.mark' }],
};

test('the Operator writes the policy and its binding, and no webhook server', () => {
  const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
  const parts = new Operator(chart, 'operator', { operator, image: 'registry.example.com/marker:1' });
  expect([...(parts.mutatingPolicies?.policies.keys() ?? [])]).toEqual(['marks.example.com']);
  const manifests = Testing.synth(chart) as readonly { readonly kind: string }[];
  expect(manifests.filter(({ kind }) => kind.startsWith('MutatingAdmission'))).toMatchObject([
    { apiVersion: 'admissionregistration.k8s.io/v1', metadata: { name: 'marks.example.com' }, spec },
    {
      kind: 'MutatingAdmissionPolicyBinding',
      spec: { policyName: 'marks.example.com', paramRef: { name: 'marks', namespace: 'system', parameterNotFoundAction: 'Deny' } },
    },
  ]);
  expect(manifests.some(({ kind }) => kind === 'MutatingWebhookConfiguration')).toBe(false);
});

test.each([
  ['1.34', 'v1beta1'],
  ['1.35', 'v1beta1'],
  ['1.36', 'v1'],
  ['1.37', 'v1'],
] as const)('Kubernetes %s has them at %s', (kubernetes, version) => {
  const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
  new Operator(chart, 'operator', { operator, image: 'registry.example.com/marker:1', kubernetes });
  const policies = (Testing.synth(chart) as readonly { readonly apiVersion: string; readonly kind: string }[])
    .filter(({ kind }) => kind.startsWith('MutatingAdmission'))
    .map(({ apiVersion }) => apiVersion);
  expect(policies).toEqual([`admissionregistration.k8s.io/${version}`, `admissionregistration.k8s.io/${version}`]);
});

test('a minor that is not supported is refused', () => {
  const chart = new Chart(Testing.app(), 'chart');
  expect(() => new MutatingPolicies(chart, 'policies', { operator, kubernetes: '1.9' as never })).toThrow(
    "kubernetes is '1.9'; write one of 1.34, 1.35, 1.36, 1.37, as text",
  );
});
