import { goQuote, type PolicyRule } from '@keelson/kubernetes/apimachinery';
import type { Attributes, Authorizer, Decision } from '../attributes.js';
import { PRIVILEGED_GROUP, type UserInfo } from '../user-info.js';
import { missingRolesText } from './missing-roles.js';
import type { RoleRef, RoleSource } from './policy.js';
import { type AppliedBinding, type ReferencedRules, RoleIndex } from './role-index.js';
import { ruleAllows } from './rule-matching.js';

/** The rules that a user has in a namespace ('' for those of the cluster alone), and the roles that could not be found. */
export interface ResolvedRules {
  readonly rules: readonly PolicyRule[];
  readonly missing: readonly RoleRef[];
}

/**
 * Decides by roles and bindings, as `--authorization-mode=RBAC` does: members of `system:masters` may do everything; other users need a rule.
 *
 * Guarantees: a write to the policy counts from the next decision on, provided that the source's revision shows it.
 *
 * Source: kubernetes `plugin/pkg/auth/authorizer/rbac/rbac.go` and `pkg/registry/rbac/validation/rule.go`. Which of several fitting bindings a real
 * server names is chance; here it is the first in the order of the source.
 */
export class RbacAuthorizer implements Authorizer {
  readonly #source: RoleSource;
  #indexed: { readonly revision: RoleSource['revision']; readonly index: RoleIndex } | undefined;

  constructor(source: RoleSource) {
    this.#source = source;
  }

  authorize(attributes: Attributes): Decision {
    const { user } = attributes;
    if (isPrivileged(user)) return { allowed: true, reason: '' };
    const namespace = attributes.type === 'resource' ? (attributes.namespace ?? '') : '';
    const index = this.#index();
    const missing: RoleRef[] = [];
    for (const applied of index.bindingsOf(user, namespace)) {
      const referenced = index.rulesOf(applied.binding.roleRef, applied.namespace);
      if ('missing' in referenced) missing.push(referenced.missing);
      else if (referenced.rules.some((rule) => ruleAllows(rule, attributes)))
        return { allowed: true, reason: `RBAC: allowed by ${described(applied)}` };
    }
    return { allowed: false, reason: missing.length === 0 ? '' : `rbac: RBAC: ${missingRolesText(missing)}` };
  }

  rulesFor(user: UserInfo, namespace: string): ResolvedRules {
    const index = this.#index();
    const rules: PolicyRule[] = [];
    const missing: RoleRef[] = [];
    for (const { binding, namespace: home } of index.bindingsOf(user, namespace)) {
      const referenced = index.rulesOf(binding.roleRef, home);
      if ('missing' in referenced) missing.push(referenced.missing);
      else rules.push(...referenced.rules);
    }
    return { rules, missing };
  }

  /** @param namespace of the binding that refers to the role; '' of a ClusterRoleBinding */
  referencedRules(roleRef: RoleRef, namespace: string): ReferencedRules {
    return this.#index().rulesOf(roleRef, namespace);
  }

  #index(): RoleIndex {
    const { revision } = this.#source;
    if (this.#indexed?.revision !== revision) this.#indexed = { revision, index: new RoleIndex(this.#source) };
    return this.#indexed.index;
  }
}

export function isPrivileged({ groups }: UserInfo): boolean {
  return groups.includes(PRIVILEGED_GROUP);
}

/** The odd order, name before namespace, is the server's. */
function described({ binding, subject, namespace }: AppliedBinding): string {
  const { metadata, roleRef } = binding;
  const name = goQuote(namespace === '' ? (metadata.name ?? '') : `${metadata.name}/${namespace}`);
  const who = subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace || namespace}` : subject.name;
  const what = namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding';
  return `${what} ${name} of ${roleRef.kind} ${goQuote(roleRef.name)} to ${subject.kind} ${goQuote(who)}`;
}
