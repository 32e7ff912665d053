import { goQuote, type PolicyRule } from '@keelson/kubernetes/apimachinery';
import { forbidden, notFound, plainError, type StatusError } from '../../../status/index.js';
import type { UserInfo } from '../user-info.js';
import { describeRules, quotedList, uncoveredRules } from './covered-rules.js';
import { missingRolesText, missingRoleText } from './missing-roles.js';
import { onlyBookkeepingChanged } from './only-bookkeeping-changed.js';
import { type ClusterRole, RBAC_GROUP, type Role, type RoleBinding } from './policy.js';
import { isPrivileged, type RbacAuthorizer } from './rbac-authorizer.js';

interface PolicyWrite<T> {
  readonly user: UserInfo;
  /** The namespace of the request's path; '' at the cluster scope. */
  readonly namespace: string;
  /** As it would be stored. */
  readonly object: T;
  /** As it is stored; absent when it is created. */
  readonly old?: T | undefined;
}

/** A create, update or patch of a Role or ClusterRole. */
export interface RoleWrite extends PolicyWrite<Role & ClusterRole> {
  readonly resource: 'roles' | 'clusterroles';
  /** In the request's path; '' in a create. */
  readonly requestName: string;
}

/** A create, update or patch of a RoleBinding or ClusterRoleBinding. */
export interface BindingWrite extends PolicyWrite<RoleBinding> {
  readonly resource: 'rolebindings' | 'clusterrolebindings';
}

const EVERYTHING: readonly PolicyRule[] = [
  { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
  { nonResourceURLs: ['*'], verbs: ['*'] },
];

/**
 * A user may write only own rights into a role, unless they have the verb `escalate` on the role.
 *
 * Source: kubernetes `pkg/registry/rbac/{role,clusterrole}/policybased/storage.go`.
 *
 * @returns undefined if the write may go on
 */
export function roleWriteRefusal(write: RoleWrite, authorizer: RbacAuthorizer): StatusError | undefined {
  const { user, namespace, object, old, resource, requestName } = write;
  if (isPrivileged(user)) return undefined;
  const escalate = { type: 'resource', user, verb: 'escalate', apiGroup: RBAC_GROUP, resource, namespace, name: requestName } as const;
  if (authorizer.authorize(escalate).allowed) return undefined;
  if (old !== undefined && onlyBookkeepingChanged(object, old)) return undefined;
  const refuse = (text: string): StatusError => forbidden({ group: RBAC_GROUP, plural: resource }, object.metadata.name ?? '', text);
  const escalation = escalationText(write, object.rules ?? [], authorizer);
  if (escalation !== undefined) return refuse(escalation);
  // An aggregated role may come to hold anything.
  const isAggregated = resource === 'clusterroles' && (aggregates(object) || (old !== undefined && aggregates(old)));
  if (isAggregated && escalationText(write, EVERYTHING, authorizer) !== undefined)
    return refuse('must have cluster-admin privileges to use the aggregationRule');
  return undefined;
}

function aggregates({ aggregationRule }: ClusterRole): boolean {
  return !!aggregationRule?.clusterRoleSelectors?.length;
}

/**
 * A user may bind a role only if they have all its rights, or the verb `bind` on the role.
 *
 * Source: kubernetes `pkg/registry/rbac/{rolebinding,clusterrolebinding}/policybased/storage.go`.
 *
 * @returns undefined if the write may go on
 */
export function bindingWriteRefusal(write: BindingWrite, authorizer: RbacAuthorizer): StatusError | undefined {
  const { user, namespace, object, old, resource } = write;
  if (isPrivileged(user)) return undefined;
  if (old !== undefined && onlyBookkeepingChanged(object, old)) return undefined;
  const { apiGroup, kind, name } = object.roleRef;
  const plural = kind === 'ClusterRole' ? 'clusterroles' : kind === 'Role' ? 'roles' : undefined;
  if (plural !== undefined) {
    const bind = { type: 'resource', user, verb: 'bind', apiGroup, resource: plural, namespace, name } as const;
    if (authorizer.authorize(bind).allowed) return undefined;
  }
  const referenced = authorizer.referencedRules(object.roleRef, namespace);
  // Named is the resource that is written, not the role's: the server's slip, which clients see.
  if ('missing' in referenced)
    return plural === undefined ? plainError(missingRoleText(referenced.missing)) : notFound({ group: RBAC_GROUP, plural: resource }, name);
  const escalation = escalationText(write, referenced.rules, authorizer);
  if (escalation === undefined) return undefined;
  return forbidden({ group: RBAC_GROUP, plural: resource }, object.metadata.name ?? '', escalation);
}

function escalationText(
  { user, namespace, resource }: Pick<RoleWrite | BindingWrite, 'user' | 'namespace' | 'resource'>,
  rules: readonly PolicyRule[],
  authorizer: RbacAuthorizer,
): string | undefined {
  const owned = authorizer.rulesFor(user, namespace);
  const uncovered = uncoveredRules(owned.rules, rules);
  if (uncovered.length === 0) return undefined;
  const head = `user ${goQuote(user.username)} (groups=${quotedList(user.groups)}) is attempting to grant RBAC permissions not currently held:`;
  const tail = owned.missing.length === 0 ? '' : `; resolution errors: [${missingRolesText(owned.missing, resource)}]`;
  return `${head}\n${describeRules(uncovered).join('\n')}${tail}`;
}
