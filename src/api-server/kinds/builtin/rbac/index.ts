/** Behaviour of the kinds of API group `rbac`: Roles and their bindings. */
import type { BehaviourMakers } from '../behaviour.js';
import { clusterRoles, roles } from './role.js';
import { clusterRoleBindings, roleBindings } from './role-binding.js';

/** Behaviours of the kinds of this group. */
export const rbacBehaviours: BehaviourMakers = {
  'rbac.authorization.k8s.io/clusterroles': () => clusterRoles,
  'rbac.authorization.k8s.io/roles': () => roles,
  'rbac.authorization.k8s.io/clusterrolebindings': () => clusterRoleBindings,
  'rbac.authorization.k8s.io/rolebindings': () => roleBindings,
};
