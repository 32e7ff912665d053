import type { PolicyRule } from '@keelson/kubernetes/apimachinery';
import type { CustomResourceModel } from '../../definition/index.js';

/** How much a user may do with objects of a kind: read them, write them, or write their status too. */
export type AggregatedRole = 'admin' | 'edit' | 'view';

/** The label by which Kubernetes' own role of that name takes in the rules of a ClusterRole. */
export const AGGREGATION_LABEL: Readonly<Record<AggregatedRole, string>> = {
  admin: 'rbac.authorization.k8s.io/aggregate-to-admin',
  edit: 'rbac.authorization.k8s.io/aggregate-to-edit',
  view: 'rbac.authorization.k8s.io/aggregate-to-view',
};

const READ = ['get', 'list', 'watch'] as const;
const WRITE = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'] as const;
const CHANGE = ['get', 'patch', 'update'] as const;

/** The rights of people on a custom resource; no `*`, no `deletecollection`. */
export function rulesForUsers({ group, plural, versionList }: CustomResourceModel, level: AggregatedRole): PolicyRule[] {
  const rule = (subresource: string, verbs: readonly string[]): PolicyRule => ({
    apiGroups: [group],
    resources: [`${plural}${subresource}`],
    verbs,
  });
  const rules = [rule('', level === 'view' ? READ : WRITE)];
  if (versionList.some((version) => version.scale !== undefined)) rules.push(rule('/scale', level === 'view' ? ['get'] : CHANGE));
  if (versionList.some((version) => version.status)) rules.push(rule('/status', level === 'admin' ? CHANGE : ['get']));
  return rules;
}
