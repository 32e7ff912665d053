import { goQuote } from '@keelson/kubernetes/apimachinery';
import { errorListText } from '../error-list.js';
import { RBAC_GROUP, type RoleRef } from './policy.js';

/**
 * The error for bindings whose role does not exist.
 *
 * @param resource in whose name it is said. The authorizer names the kind of the role; a check of a write looks the role up as if it were of the resource
 * that is written, and says so.
 */
export function missingRolesText(missing: readonly RoleRef[], resource?: string): string {
  return errorListText(missing.map((roleRef) => missingRoleText(roleRef, resource)));
}

export function missingRoleText({ kind, name }: RoleRef, resource: string = kind.toLowerCase()): string {
  if (kind !== 'Role' && kind !== 'ClusterRole') return `unsupported role reference kind: ${goQuote(kind)}`;
  return `${resource}.${RBAC_GROUP} ${goQuote(name)} not found`;
}
