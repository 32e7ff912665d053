import { compareUtf8 } from '@keelson/kubernetes/apimachinery';
import type { AdmissionRequest, ClusterView, JsonObject } from '../../../contract/index.js';
import { invalidObject } from '../../../status/index.js';
import { reasonsText, violationsOf } from './evaluate.js';
import { checkedPod, labelsOf } from './pod-of.js';
import { compareLevels, type LevelVersion, levelText, policyOf } from './policy.js';

const PODS = { group: '', plural: 'pods' };
/** A namespace may hold more: the others are not looked at. */
const MOST_PODS = 3000;

/**
 * Validates the labels of a namespace, and warns a client that makes them stricter of the pods that would not be let in any more.
 *
 * Source: pod-security-admission `admission/admission.go`.
 */
export function checkNamespace({ object = {}, oldObject, name, served, context }: AdmissionRequest, cluster: ClusterView): void {
  const { policy, errors } = policyOf(labelsOf(object));
  const old = oldObject && policyOf(labelsOf(oldObject));
  if (errors.length > 0 && JSON.stringify(errors) !== JSON.stringify(old?.errors)) {
    throw invalidObject(served.resource, name, errors);
  }
  if (old === undefined || !isStricter(policy.enforce, old.policy.enforce)) return;
  for (const warning of warningsOf(name, policy.enforce, cluster)) context.warn(warning);
}

function isStricter(enforce: LevelVersion, old: LevelVersion): boolean {
  if (enforce.level === 'privileged') return false;
  return enforce.version !== old.version || compareLevels(enforce.level, old.level) > 0;
}

function warningsOf(namespace: string, enforce: LevelVersion, cluster: ClusterView): readonly string[] {
  const pods = prioritized(cluster.list(PODS, namespace));
  const checked = pods.slice(0, MOST_PODS);
  const names = new Map<string, string[]>();
  for (const pod of checked) {
    const violations = violationsOf(checkedPod(pod), enforce);
    if (violations.length === 0) continue;
    const text = reasonsText(violations);
    names.set(text, [...(names.get(text) ?? []), nameOf(pod)]);
  }
  return [
    ...(checked.length < pods.length
      ? [`new PodSecurity enforce level only checked against the first ${checked.length} of ${pods.length} existing pods`]
      : []),
    ...(names.size > 0
      ? [`existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${levelText(enforce)}"`]
      : []),
    ...[...names].map(([text, violating]) => `${whose(violating)}: ${text}`).sort(compareUtf8),
  ];
}

/** The first of many pods of one controller says enough: the others come last. */
function prioritized(pods: readonly JsonObject[]): readonly JsonObject[] {
  const seen = new Set<unknown>();
  const [first, later]: [JsonObject[], JsonObject[]] = [[], []];
  for (const pod of pods) {
    const controller = controllerOf(pod);
    (controller !== undefined && seen.has(controller) ? later : first).push(pod);
    seen.add(controller);
  }
  return [...first, ...later];
}

function whose(pods: readonly string[]): string {
  const first = pods.toSorted(compareUtf8)[0] ?? '';
  if (pods.length === 1) return first;
  return pods.length === 2 ? `${first} (and 1 other pod)` : `${first} (and ${pods.length - 1} other pods)`;
}

function controllerOf({ metadata }: JsonObject): string | undefined {
  const { ownerReferences = [] } = metadata as {
    readonly ownerReferences?: readonly { readonly uid: string; readonly controller?: boolean }[];
  };
  return ownerReferences.find(({ controller }) => controller === true)?.uid;
}

function nameOf({ metadata }: JsonObject): string {
  return (metadata as { readonly name?: string }).name ?? '';
}
