import type { Job, Pod } from '@keelson/kubernetes/kinds';

type Rule = NonNullable<Job['spec']['podFailurePolicy']>['rules'][number];

/** The policy's action for a Pod that has failed; `message` where it fails the Job. */
export interface PolicyVerdict {
  readonly action: Rule['action'];
  readonly message: string;
}

/** The first rule that meets counts. Source: kubernetes `pkg/controller/job/pod_failure_policy.go`. */
export function policyVerdict({ spec }: Job, pod: Pod): PolicyVerdict | undefined {
  for (const [index, rule] of (spec.podFailurePolicy?.rules ?? []).entries()) {
    const what = exitMatch(rule, pod) ?? conditionMatch(rule, pod);
    if (what !== undefined) return { action: rule.action, message: `${what} matching ${rule.action} rule at index ${index}` };
  }
  return undefined;
}

function exitMatch({ onExitCodes }: Rule, { metadata, status }: Pod): string | undefined {
  if (onExitCodes === undefined) return undefined;
  const { containerName, operator, values } = onExitCodes;
  const statuses = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  const found = statuses.find(({ name, state }) => {
    const code = state?.terminated?.exitCode ?? 0;
    if (code === 0 || (containerName !== undefined && containerName !== name)) return false;
    return values.includes(code) === (operator === 'In');
  });
  return (
    found &&
    `Container ${found.name} for pod ${metadata.namespace}/${metadata.name} failed with exit code ${found.state?.terminated?.exitCode}`
  );
}

function conditionMatch({ onPodConditions = [] }: Rule, { metadata, status }: Pod): string | undefined {
  const found = status?.conditions?.find((condition) =>
    onPodConditions.some((pattern) => pattern.type === condition.type && (pattern.status ?? 'True') === condition.status),
  );
  return found && `Pod ${metadata.namespace}/${metadata.name} has condition ${found.type}`;
}
