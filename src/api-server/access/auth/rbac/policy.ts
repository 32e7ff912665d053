import type { LabelSelectorFields, ObjectMeta, PolicyRule } from '@keelson/kubernetes/apimachinery';

/** Objects of `rbac.authorization.k8s.io/v1`, as they are stored. A list that is null or absent is empty. */
export interface ClusterRole {
  readonly metadata: ObjectMeta;
  readonly rules?: readonly PolicyRule[] | null;
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly LabelSelectorFields[] | null } | null;
}

export interface Role {
  readonly metadata: ObjectMeta;
  readonly rules?: readonly PolicyRule[] | null;
}

export interface Subject {
  readonly kind: string;
  readonly apiGroup?: string;
  readonly name: string;
  readonly namespace?: string;
}

export interface RoleRef {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

/** A RoleBinding or a ClusterRoleBinding. */
export interface RoleBinding {
  readonly metadata: ObjectMeta;
  readonly roleRef: RoleRef;
  readonly subjects?: readonly Subject[] | null;
}

export const RBAC_GROUP = 'rbac.authorization.k8s.io';

/**
 * Where the policy comes from. The lists are read again when `revision` has changed, and only then: it must change with every write to one of the four
 * kinds, and had better not change otherwise.
 */
export interface RoleSource {
  readonly revision: string | number | bigint;
  clusterRoles(): Iterable<ClusterRole>;
  roles(): Iterable<Role>;
  clusterRoleBindings(): Iterable<RoleBinding>;
  roleBindings(): Iterable<RoleBinding>;
}
