import type { AdmissionRequest, ClusterView } from '../../../contract/index.js';
import { forbidden, internalError } from '../../../status/index.js';
import type { AdmissionPlugin } from '../plugin.js';
import type { CheckedPod } from './checked-pod.js';
import { containersOf } from './checked-pod.js';
import { detailsText, violationsOf } from './evaluate.js';
import { checkNamespace } from './namespaces.js';
import { checkedPod, labelsOf, templateOf, templatePath } from './pod-of.js';
import { levelText, type Policy, policyOf } from './policy.js';

const NAMESPACES = { group: '', plural: 'namespaces' };
/** Those of which the object is not a pod, or that leave its spec alone. */
const IGNORED: ReadonlySet<string> = new Set(['exec', 'attach', 'binding', 'eviction', 'log', 'portforward', 'proxy', 'status']);

/**
 * PodSecurity: pods keep to the level of the pod security standards that the labels of their namespace ask for; objects that make pods get warnings. No user is
 * exempt. Violations of the level of the audit log are dropped: the server has no such log.
 *
 * Source: pod-security-admission `admission/admission.go`, kubernetes `plugin/pkg/admission/security/podsecurity`.
 */
export function podSecurity(cluster: ClusterView): AdmissionPlugin {
  return {
    name: 'PodSecurity',
    validate(request) {
      const { operation, served, subresource } = request;
      if (operation !== 'CREATE' && operation !== 'UPDATE') return;
      const { group, plural } = served.resource;
      if (group === '' && plural === 'pods') return checkPod(request, cluster);
      if (subresource !== '') return;
      if (group === '' && plural === 'namespaces') return checkNamespace(request, cluster);
      checkTemplate(request, cluster);
    },
  };
}

function checkPod(request: AdmissionRequest, cluster: ClusterView): void {
  const { object, oldObject, subresource, namespace, served, name } = request;
  if (IGNORED.has(subresource) || object === undefined) return;
  const policy = policyIn(namespace, cluster);
  if (policy === undefined) throw internalError(`failed to lookup namespace "${namespace}"`);
  if (policy.enforce.level === 'privileged' && policy.warn.level === 'privileged') return;
  const pod = checkedPod(object);
  if (oldObject !== undefined && !isSignificantUpdate(pod, checkedPod(oldObject))) return;
  const violations = violationsOf(pod, policy.enforce);
  if (violations.length > 0) {
    throw forbidden(served.resource, name, `violates PodSecurity "${levelText(policy.enforce)}": ${detailsText(violations)}`);
  }
  warn(request, pod, policy);
}

function checkTemplate(request: AdmissionRequest, cluster: ClusterView): void {
  const { served, object, namespace } = request;
  const path = templatePath(served.resource);
  const pod = path && object && templateOf(object, path);
  const policy = pod && policyIn(namespace, cluster);
  if (policy !== undefined) warn(request, pod as CheckedPod, policy);
}

function warn({ context }: AdmissionRequest, pod: CheckedPod, policy: Policy): void {
  const violations = violationsOf(pod, policy.warn);
  if (violations.length === 0) return;
  context.warn(`would violate PodSecurity "${levelText(policy.warn)}": ${detailsText(violations)}`);
}

/** Undefined: there is no such namespace. */
function policyIn(namespace: string, cluster: ClusterView): Policy | undefined {
  const found = cluster.get(NAMESPACES, { namespace: '', name: namespace });
  return found && policyOf(labelsOf(found)).policy;
}

/** An existing pod can change its images only, and get debug containers. */
function isSignificantUpdate({ spec }: CheckedPod, { spec: old }: CheckedPod): boolean {
  const imagesBefore = new Map(containersOf(old).map(({ name, image }) => [name, image]));
  const now = containersOf(spec);
  return now.some(({ name, image }) => !imagesBefore.has(name) || imagesBefore.get(name) !== image);
}
