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
    { apiVersion: 'admissionregistration.k8s.io/v1beta1', metadata: { name: 'marks.example.com' }, spec },
    {
      kind: 'MutatingAdmissionPolicyBinding',
      spec: { policyName: 'marks.example.com', paramRef: { name: 'marks', namespace: 'system', parameterNotFoundAction: 'Deny' } },
    },
  ]);
  expect(manifests.some(({ kind }) => kind === 'MutatingWebhookConfiguration')).toBe(false);
});

test('a newer cluster takes them as v1', () => {
  const chart = new Chart(Testing.app(), 'chart');
  new MutatingPolicies(chart, 'policies', { operator, version: 'v1' });
  const versions = (Testing.synth(chart) as readonly { readonly apiVersion: string }[]).map(({ apiVersion }) => apiVersion);
  expect(versions).toEqual(['admissionregistration.k8s.io/v1', 'admissionregistration.k8s.io/v1']);
});
