import { podSecurity } from '../../../../src/api-server/access/admission/pod-security/index.js';
import type { AdmissionRequest, JsonObject } from '../../../../src/api-server/contract/index.js';
import type { Json } from '../../../../src/kubernetes/apimachinery/index.js';
import { requestIn, resource, type World, world } from './surroundings.js';

type Fields = Readonly<Record<string, Json>>;

const GOOD = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};

function within(labels: Readonly<Record<string, string>>): World {
  const made = world();
  const prefixed = Object.fromEntries(Object.entries(labels).map(([key, value]) => [`pod-security.kubernetes.io/${key}`, value]));
  made.objects.set('namespaces', [{ metadata: { name: 'a', labels: prefixed } }]);
  return made;
}

function request(inside: World, plural: string, fields: Partial<AdmissionRequest>): AdmissionRequest {
  const { served } = requestIn(inside);
  return requestIn(inside, {
    served: { ...served, resource: resource({ group: plural === 'deployments' ? 'apps' : '', plural }) },
    ...fields,
  });
}

const podOf = (spec: Fields, annotations: Fields = {}): JsonObject => ({ metadata: { name: 'one', annotations }, spec });
const containers = (securityContext: Fields): Fields => ({ containers: [{ name: 'c', image: 'i', securityContext }] });

/** The text of the refusal, or undefined. */
function refusal(inside: World, plural: string, fields: Partial<AdmissionRequest>): string | undefined {
  try {
    void podSecurity(inside.cluster).validate?.(request(inside, plural, fields));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const ESCALATION =
  'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")';

test('a pod that does not meet the level of its namespace is refused, with all reasons', () => {
  const inside = within({ enforce: 'restricted' });
  expect(refusal(inside, 'pods', { object: podOf(containers({})) })).toBe(
    `pods "one" is forbidden: violates PodSecurity "restricted:latest": ${ESCALATION}`,
  );
  expect(refusal(inside, 'pods', { object: podOf(containers(GOOD)) })).toBeUndefined();
  expect(inside.warnings).toEqual([]);
});

test('what the newest level forbids at its baseline is not lost at the version "latest"', () => {
  expect(refusal(within({ enforce: 'restricted' }), 'pods', { object: podOf({ ...containers(GOOD), hostNetwork: true }) })).toContain(
    'host namespaces (hostNetwork=true)',
  );
});

test('checks are those of the version asked for', () => {
  const object = podOf(containers({ ...GOOD, capabilities: { drop: [] } }));
  expect(refusal(within({ enforce: 'restricted', 'enforce-version': 'v1.21' }), 'pods', { object })).toBeUndefined();
  expect(refusal(within({ enforce: 'restricted', 'enforce-version': 'v1.22' }), 'pods', { object })).toContain('unrestricted capabilities');
});

test('profiles in annotations', () => {
  const annotations = {
    'container.apparmor.security.beta.kubernetes.io/c': 'unconfined',
    'container.apparmor.security.beta.kubernetes.io/d': 'localhost/x',
    'seccomp.security.alpha.kubernetes.io/pod': 'unconfined',
    'container.seccomp.security.alpha.kubernetes.io/c': 'a"b',
  };
  const old = within({ enforce: 'baseline', 'enforce-version': 'v1.18' });
  expect(refusal(old, 'pods', { object: podOf(containers({}), annotations) })).toBe(
    'pods "one" is forbidden: violates PodSecurity "baseline:v1.18": forbidden AppArmor profile (annotation must not set AppArmor profile type to "container.apparmor.security.beta.kubernetes.io/c="unconfined""), seccompProfile (forbidden annotations container.seccomp.security.alpha.kubernetes.io/c="a\\"b", seccomp.security.alpha.kubernetes.io/pod="unconfined")',
  );
});

test('what makes pods is warned and never refused', () => {
  const inside = within({ enforce: 'restricted' });
  const object = { metadata: { name: 'one' }, spec: { template: podOf(containers({})) } };
  expect(refusal(inside, 'deployments', { object })).toBeUndefined();
  expect(inside.warnings).toEqual([`would violate PodSecurity "restricted:latest": ${ESCALATION}`]);
});

test('of a pod that is there only images and new debug containers count', () => {
  const inside = within({ enforce: 'restricted' });
  const oldObject = podOf(containers({}));
  const change = (object: JsonObject, subresource = '') =>
    refusal(inside, 'pods', { operation: 'UPDATE', object, oldObject, subresource }) !== undefined;
  expect(change(podOf(containers({}), { x: 'y' }))).toBe(false);
  expect(change(podOf({ containers: [{ name: 'c', image: 'other' }] }))).toBe(true);
  expect(change(podOf({ ...containers({}), ephemeralContainers: [{ name: 'd', image: 'i' }] }), 'ephemeralcontainers')).toBe(true);
  expect(change(podOf({ containers: [{ name: 'c', image: 'other' }] }), 'status')).toBe(false);
});

test('wrong labels are refused when they come, and borne when they are there', () => {
  const bad = {
    metadata: { name: 'a', labels: { 'pod-security.kubernetes.io/enforce': 'x', 'pod-security.kubernetes.io/warn-version': 'v1.01' } },
  };
  const text = (fields: Partial<AdmissionRequest>) => refusal(within({}), 'namespaces', { name: 'a', ...fields });
  expect(text({ object: bad })).toContain('metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "x": must be one of');
  expect(text({ object: bad })).toContain('"v1.01": must be "latest" or "v1.x"');
  expect(text({ operation: 'UPDATE', object: bad, oldObject: bad })).toBeUndefined();
});

test('who makes a namespace stricter is told of its pods, those of one mistake together', () => {
  const inside = within({});
  const named = (name: string, spec: Fields) => ({ metadata: { name }, spec });
  inside.objects.set('pods', [
    named('z', containers({ privileged: true })),
    named('b', { ...containers({}), hostPID: true }),
    named('y', containers({ privileged: true })),
    named('x', containers({ privileged: true })),
    named('good', containers({})),
  ]);
  const labelled = (level: string) => ({ metadata: { name: 'a', labels: { 'pod-security.kubernetes.io/enforce': level } } });
  refusal(inside, 'namespaces', { name: 'a', operation: 'UPDATE', object: labelled('baseline'), oldObject: labelled('privileged') });
  expect(inside.warnings).toEqual([
    'existing pods in namespace "a" violate the new PodSecurity enforce level "baseline:latest"',
    'b: host namespaces',
    'x (and 2 other pods): privileged',
  ]);
  refusal(inside, 'namespaces', { name: 'a', operation: 'UPDATE', object: labelled('baseline'), oldObject: labelled('restricted') });
  expect(inside.warnings).toHaveLength(3);
});
