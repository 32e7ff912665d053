import type { KubernetesObject } from '@keelson/kubernetes/apimachinery';
import { bootstrapPolicyTexts } from '../../../../imports/bootstrap-policy.js';
import type { ClusterRole, Role, RoleBinding } from './rbac/index.js';

/** Policy objects of a fresh cluster, ready to be created; each call returns new ones. */
export interface BootstrapPolicy {
  /** The aggregated ones (`admin`, `edit`, `view`) have no rules yet: a controller fills them, or `aggregateClusterRoles`. */
  readonly clusterRoles: readonly (KubernetesObject & ClusterRole)[];
  readonly clusterRoleBindings: readonly (KubernetesObject & RoleBinding)[];
  /** In the namespaces `kube-system` and `kube-public`. */
  readonly roles: readonly (KubernetesObject & Role)[];
  readonly roleBindings: readonly (KubernetesObject & RoleBinding)[];
}

/** The roles and bindings that kube-apiserver makes at its start. */
export function bootstrapPolicy(): BootstrapPolicy {
  const objects = bootstrapPolicyTexts().map((text) => JSON.parse(text) as KubernetesObject);
  const ofKind = <T>(kind: string): T[] => objects.filter((object) => object.kind === kind) as T[];
  return {
    clusterRoles: ofKind('ClusterRole'),
    clusterRoleBindings: ofKind('ClusterRoleBinding'),
    roles: ofKind('Role'),
    roleBindings: ofKind('RoleBinding'),
  };
}
