import { compareUtf8, labelRequirementsOf, matchesLabels, type PolicyRule } from '@keelson/kubernetes/apimachinery';
import type { ClusterRole } from './policy.js';

/**
 * Rules that an aggregated ClusterRole should have, from the roles that its selectors choose; undefined for one that is not aggregated.
 *
 * Source: kubernetes `pkg/controller/clusterroleaggregation`: per selector, by name, each rule once, the role itself left out.
 */
function aggregatedRules(role: ClusterRole, all: Iterable<ClusterRole>): readonly PolicyRule[] | undefined {
  if (role.aggregationRule === undefined || role.aggregationRule === null) return undefined;
  const others = [...all]
    .filter(({ metadata }) => metadata.name !== role.metadata.name)
    .sort((left, right) => compareUtf8(left.metadata.name ?? '', right.metadata.name ?? ''));
  const rules = new Map<string, PolicyRule>();
  for (const selector of role.aggregationRule.clusterRoleSelectors ?? []) {
    const parsed = labelRequirementsOf(selector);
    // The controller gives up on the whole role; what validation let pass has no such selector.
    if ('problem' in parsed) return undefined;
    for (const { metadata, rules: more } of others) {
      if (!matchesLabels(parsed.requirements, metadata.labels)) continue;
      for (const rule of more ?? []) if (!rules.has(ruleKey(rule))) rules.set(ruleKey(rule), rule);
    }
  }
  return [...rules.values()];
}

/**
 * The rules of every aggregated ClusterRole that has others now, until nothing changes: a role that is aggregated may be part of another one.
 *
 * @returns rules by the name of the role
 */
export function aggregateClusterRoles(roles: Iterable<ClusterRole>): ReadonlyMap<string, readonly PolicyRule[]> {
  const current = new Map([...roles].map((role) => [role.metadata.name ?? '', role]));
  const changed = new Map<string, readonly PolicyRule[]>();
  // A chain has at most as many links as there are roles: what still moves then goes round in a circle, which the real controller would do forever.
  for (let round = 0; round <= current.size; round += 1) {
    let isStable = true;
    for (const [name, role] of current) {
      const rules = aggregatedRules(role, current.values());
      if (rules === undefined || sameRules(rules, role.rules ?? [])) continue;
      current.set(name, { ...role, rules });
      changed.set(name, rules);
      isStable = false;
    }
    if (isStable) break;
  }
  return changed;
}

function sameRules(left: readonly PolicyRule[], right: readonly PolicyRule[]): boolean {
  return left.length === right.length && left.every((rule, index) => ruleKey(rule) === ruleKey(right[index] ?? { verbs: [] }));
}

/** An absent list is an empty one. */
function ruleKey({ apiGroups, resources, resourceNames, nonResourceURLs, verbs }: PolicyRule): string {
  return JSON.stringify([apiGroups, resources, resourceNames, nonResourceURLs, verbs].map((list) => list ?? []));
}
