import type { Definition, DefinitionCondition, DefinitionStatus } from './definition.js';

export type ConditionType =
  | 'Established'
  | 'KubernetesAPIApprovalPolicyConformant'
  | 'NamesAccepted'
  | 'NonStructuralSchema'
  | 'Terminating';

export interface NewCondition {
  readonly type: ConditionType;
  readonly status: 'False' | 'True' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

export function conditionOf({ status }: Definition, type: ConditionType): DefinitionCondition | undefined {
  return (status?.conditions ?? []).find((condition) => condition.type === type);
}

export function isConditionTrue(definition: Definition, type: ConditionType): boolean {
  return conditionOf(definition, type)?.status === 'True';
}

export function isSameCondition(left: DefinitionCondition | undefined, right: NewCondition): boolean {
  return left !== undefined && left.status === right.status && left.reason === right.reason && left.message === right.message;
}

/** Whole seconds, as `metav1.Time` has them. */
function timeText(now: Date): string {
  return `${now.toISOString().slice(0, 19)}Z`;
}

/** Changes the condition in place, or adds it; its time moves only with its status. Fields stand in Go's order. */
export function setCondition(status: DefinitionStatus, { type, status: value, reason, message }: NewCondition, now: Date): void {
  const conditions = [...(status.conditions ?? [])];
  const index = conditions.findIndex((condition) => condition.type === type);
  const old = conditions[index];
  const lastTransitionTime = old?.status === value && old.lastTransitionTime !== undefined ? old.lastTransitionTime : timeText(now);
  const condition: DefinitionCondition = { type, status: value, lastTransitionTime, reason, message };
  if (index < 0) conditions.push(condition);
  else conditions[index] = condition;
  status.conditions = conditions;
}
