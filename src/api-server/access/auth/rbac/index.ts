/** RBAC as functions over the policy's objects: which user may do what and why, what may be granted, what aggregated roles hold. */
export { aggregateClusterRoles } from './aggregation.js';
export { type BindingWrite, bindingWriteRefusal, type RoleWrite, roleWriteRefusal } from './escalation.js';
export { missingRolesText } from './missing-roles.js';
export { type ClusterRole, RBAC_GROUP, type Role, type RoleBinding, type RoleRef, type RoleSource, type Subject } from './policy.js';
export { RbacAuthorizer, type ResolvedRules } from './rbac-authorizer.js';
