import type { Node, Pod, Taint, Toleration } from '@keelson/kubernetes/kinds';
import { labelsMatcher } from '../objects/index.js';

type Terms = NonNullable<
  NonNullable<
    NonNullable<NonNullable<Pod['spec']['affinity']>['nodeAffinity']>['requiredDuringSchedulingIgnoredDuringExecution']
  >['nodeSelectorTerms']
>;
type Requirement = NonNullable<Terms[number]['matchExpressions']>[number];

/** Why a Pod cannot be on a node, in the scheduler's words; undefined: it can. Room on nodes, affinity to other Pods and spreading are not looked at. */
function misfit(pod: Pod, node: Node): string | undefined {
  const { unschedulable = false } = node.spec ?? {};
  const tolerations = pod.spec.tolerations ?? [];
  if (unschedulable && !isTolerated({ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }, tolerations))
    return 'node(s) were unschedulable';
  const taint = (node.spec?.taints ?? []).find((one) => one.effect !== 'PreferNoSchedule' && !isTolerated(one, tolerations));
  if (taint !== undefined) return `node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`;
  return matchesNode(pod, node) ? undefined : "node(s) didn't match Pod's node affinity/selector";
}

export function isTolerated({ key, value = '', effect }: Taint, tolerations: readonly Toleration[]): boolean {
  return tolerations.some(
    (one) =>
      (one.effect === undefined || one.effect === effect) &&
      ((one.key ?? '') === '' || one.key === key) &&
      (one.operator === 'Exists' || (one.value ?? '') === value),
  );
}

/** Whether the node meets the node selector and the required node affinity, both. */
export function matchesNode({ spec }: Pod, node: Node): boolean {
  const labels = node.metadata.labels ?? {};
  if (!labelsMatcher(spec.nodeSelector ?? {})(labels)) return false;
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  if (terms === undefined) return true;
  return terms.some(({ matchExpressions = [], matchFields = [] }) => {
    if (matchExpressions.length + matchFields.length === 0) return false;
    const fields = { 'metadata.name': node.metadata.name };
    return matchExpressions.every((one) => meets(one, labels)) && matchFields.every((one) => meets(one, fields));
  });
}

function meets({ key, operator, values = [] }: Requirement, labels: Readonly<Record<string, string>>): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'Gt':
      return value !== undefined && Number(value) > Number(values[0]);
    case 'Lt':
      return value !== undefined && Number(value) < Number(values[0]);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
  }
  throw new TypeError(`unknown operator ${JSON.stringify(operator satisfies never)}`);
}

export type Placement = { readonly node: string } | { readonly message: string };

/** The node with the fewest Pods among those that fit. */
export function placementOf(pod: Pod, nodes: readonly Node[], countOn: (node: string) => number): Placement {
  if (nodes.length === 0) return { message: 'no nodes available to schedule pods' };
  const reasons = new Map<string, number>();
  const fitting = nodes.filter((node) => {
    const reason = misfit(pod, node);
    if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    return reason === undefined;
  });
  const [first] = [...fitting].sort((left, right) => countOn(left.metadata.name) - countOn(right.metadata.name));
  if (first !== undefined) return { node: first.metadata.name };
  const texts = [...reasons].map(([reason, count]) => `${count} ${reason}`).sort();
  return { message: `0/${nodes.length} nodes are available: ${texts.join(', ')}.` };
}
