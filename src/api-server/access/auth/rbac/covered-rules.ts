import { compareUtf8, goQuote, type PolicyRule } from '@keelson/kubernetes/apimachinery';
import { pathMatches } from './rule-matching.js';

/**
 * The part of `wanted` that `owned` does not cover, in atoms: one group, resource, verb and name each.
 *
 * Source: component-helpers `auth/rbac/validation/policy_comparator.go`. It compares patterns, not what they match: the right to read `pods` and all
 * other resources one by one does not cover `*`.
 */
export function uncoveredRules(owned: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return wanted.flatMap(atomsOf).filter((atom) => !owned.some((rule) => covers(rule, atom)));
}

function atomsOf({ apiGroups, resources, verbs, resourceNames, nonResourceURLs }: PolicyRule): PolicyRule[] {
  const names = resourceNames?.length ? resourceNames : [undefined];
  const ofResources = (apiGroups ?? []).flatMap((group) =>
    (resources ?? []).flatMap((resource) =>
      verbs.flatMap((verb) =>
        names.map((name) => {
          const rule = { apiGroups: [group], resources: [resource], verbs: [verb] };
          return name === undefined ? rule : { ...rule, resourceNames: [name] };
        }),
      ),
    ),
  );
  return [...ofResources, ...(nonResourceURLs ?? []).flatMap((url) => verbs.map((verb) => ({ nonResourceURLs: [url], verbs: [verb] })))];
}

function covers(rule: PolicyRule, atom: PolicyRule): boolean {
  return (
    hasAll(rule.verbs, atom.verbs) &&
    hasAll(rule.apiGroups, atom.apiGroups) &&
    (atom.resources ?? []).every((resource) => resourceCovered(rule.resources ?? [], resource)) &&
    (!rule.resourceNames?.length || (!!atom.resourceNames?.length && hasEach(rule.resourceNames, atom.resourceNames))) &&
    (atom.nonResourceURLs ?? []).every((url) => rule.nonResourceURLs?.some((pattern) => pathMatches(pattern, url)))
  );
}

function hasAll(list: readonly string[] | undefined, wanted: readonly string[] | undefined): boolean {
  return list?.includes('*') === true || hasEach(list, wanted);
}

function hasEach(list: readonly string[] | undefined, wanted: readonly string[] | undefined): boolean {
  return (wanted ?? []).every((item) => list?.includes(item));
}

function resourceCovered(owned: readonly string[], resource: string): boolean {
  if (owned.includes('*') || owned.includes(resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && owned.includes(`*/${resource.slice(slash + 1)}`);
}

/** Rules as a refusal lists them: atoms of one resource and name brought together, sorted, each once. */
export function describeRules(atoms: readonly PolicyRule[]): string[] {
  const together = new Map<string, PolicyRule>();
  for (const atom of atoms) {
    // A path's atom stays alone: each has one verb.
    const key = JSON.stringify(atom.nonResourceURLs === undefined ? [atom.apiGroups, atom.resources, atom.resourceNames] : atom);
    const known = together.get(key);
    together.set(
      key,
      known === undefined || atom.nonResourceURLs !== undefined ? atom : { ...known, verbs: [...known.verbs, ...atom.verbs] },
    );
  }
  return [...new Set([...together.values()].map(ruleText))].sort(compareUtf8);
}

function ruleText({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: PolicyRule): string {
  const parts = {
    APIGroups: apiGroups,
    Resources: resources,
    NonResourceURLs: nonResourceURLs,
    ResourceNames: resourceNames,
    Verbs: verbs,
  };
  const texts = Object.entries(parts).flatMap(([name, list]) => (list?.length ? [`${name}:${quotedList(list)}`] : []));
  return `{${texts.join(', ')}}`;
}

/** `%q` of a Go slice. */
export function quotedList(list: readonly string[]): string {
  return `[${list.map(goQuote).join(' ')}]`;
}
