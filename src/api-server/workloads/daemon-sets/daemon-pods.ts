import type { ControllerRevision, DaemonSet, Node, Pod, Taint, Toleration } from '@keelson/kubernetes/kinds';
import { controllerReference } from '../objects/index.js';
import { type NewPod, podFromTemplate } from '../pods/index.js';
import { isTolerated, matchesNode } from '../scheduling/index.js';

export const KIND = { apiVersion: 'apps/v1', kind: 'DaemonSet' };
export const HASH = 'controller-revision-hash';
const GENERATION = 'pod-template-generation';
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

/** The taints that daemons bear with on every node. Source: kubernetes `pkg/controller/daemon/util`. */
function tolerations({ spec }: { readonly spec: Pod['spec'] }): readonly Toleration[] {
  const own = (name: string, effect: 'NoExecute' | 'NoSchedule'): Toleration => ({
    key: `node.kubernetes.io/${name}`,
    operator: 'Exists',
    effect,
  });
  const always = [
    own('not-ready', 'NoExecute'),
    own('unreachable', 'NoExecute'),
    own('disk-pressure', 'NoSchedule'),
    own('memory-pressure', 'NoSchedule'),
    own('pid-pressure', 'NoSchedule'),
    own('unschedulable', 'NoSchedule'),
    ...(spec.hostNetwork === true ? [own('network-unavailable', 'NoSchedule')] : []),
  ];
  const isSame = (left: Toleration, right: Toleration): boolean =>
    left.key === right.key && left.effect === right.effect && left.operator === right.operator;
  return [...(spec.tolerations ?? []), ...always.filter((one) => !(spec.tolerations ?? []).some((known) => isSame(known, one)))];
}

/** Where a daemon runs, and where it may go on running. */
export function nodeVerdict(set: DaemonSet, node: Node): { readonly shouldRun: boolean; readonly mayGoOn: boolean } {
  const spec = set.spec.template.spec ?? { containers: [] };
  const isElsewhere = (spec.nodeName ?? '') !== '' && spec.nodeName !== node.metadata.name;
  if (isElsewhere || !matchesNode({ spec } as Pod, node)) return { shouldRun: false, mayGoOn: false };
  const borne = tolerations({ spec });
  const unborne = (node.spec?.taints ?? []).filter((taint: Taint) => taint.effect !== 'PreferNoSchedule' && !isTolerated(taint, borne));
  return { shouldRun: unborne.length === 0, mayGoOn: unborne.every(({ effect }) => effect !== 'NoExecute') };
}

export function hashOf({ metadata }: { readonly metadata: { readonly labels?: Readonly<Record<string, string>> | undefined } }): string {
  return metadata.labels?.[HASH] ?? '';
}

/** The node that a Pod is on, or is meant for. */
export function nodeOf({ spec }: Pod): string {
  if ((spec.nodeName ?? '') !== '') return spec.nodeName ?? '';
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return terms.flatMap(({ matchFields = [] }) => matchFields).find(({ key }) => key === 'metadata.name')?.values?.[0] ?? '';
}

/** The daemon for one node: the scheduler puts it there. */
export function daemonPod(set: DaemonSet, revision: ControllerRevision, node: string): NewPod {
  const { name, annotations } = set.metadata;
  const pod = podFromTemplate(set.spec.template, { name, reference: controllerReference(set, KIND) });
  const labels = { ...pod.metadata.labels, [HASH]: hashOf(revision), [GENERATION]: annotations?.[TEMPLATE_GENERATION] ?? '' };
  const { affinity } = pod.spec;
  const required = { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In' as const, values: [node] }] }] };
  const nodeAffinity = { ...affinity?.nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: required };
  const spec = { ...pod.spec, tolerations: [...tolerations(pod)], affinity: { ...affinity, nodeAffinity } };
  return { ...pod, metadata: { ...pod.metadata, labels }, spec };
}
