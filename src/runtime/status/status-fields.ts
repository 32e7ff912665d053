import type { Condition } from '@keelson/kubernetes/apimachinery';

export type StatusFields = Readonly<Record<string, unknown>>;

export function conditionsOf(status: StatusFields | undefined): readonly Condition[] {
  const conditions = status?.['conditions'];
  return Array.isArray(conditions) ? (conditions as readonly Condition[]) : [];
}
