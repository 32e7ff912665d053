import type { Pod, PodAffinityTerm } from '@keelson/kubernetes/kinds';
import { meetsRequirement, type ScopeRequirement } from './evaluator.js';

/** Source: kubernetes `pkg/quota/v1/evaluator/core/pods.go`. */
export function isPodInScope(requirement: ScopeRequirement, pod: Pod): boolean {
  switch (requirement.scopeName) {
    case 'Terminating':
      return isTerminating(pod);
    case 'NotTerminating':
      return !isTerminating(pod);
    case 'BestEffort':
      return isBestEffort(pod);
    case 'NotBestEffort':
      return !isBestEffort(pod);
    case 'PriorityClass': {
      const { priorityClassName = '' } = pod.spec ?? {};
      return meetsRequirement(requirement, priorityClassName === '' ? [] : [priorityClassName]);
    }
    case 'CrossNamespacePodAffinity':
      return affinityTerms(pod).some(({ namespaces = [], namespaceSelector }) => namespaces.length > 0 || namespaceSelector !== undefined);
    default:
      return false;
  }
}

/** The pod ends by itself, in time. */
export function isTerminating({ spec }: Pod): boolean {
  return spec?.activeDeadlineSeconds !== undefined && spec.activeDeadlineSeconds >= 0;
}

/** The strategy of pods has set the class before any plugin validates. */
function isBestEffort({ status }: Pod): boolean {
  return status?.qosClass === 'BestEffort';
}

function affinityTerms({ spec }: Pod): readonly PodAffinityTerm[] {
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
  return [podAffinity, podAntiAffinity].flatMap((rules) => [
    ...(rules?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(rules?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
  ]);
}
