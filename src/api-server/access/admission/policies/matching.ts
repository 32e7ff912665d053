import type { AdmissionRequest, ClusterView, ResourceCatalog } from '../../../contract/index.js';
import { StatusError } from '../../../status/index.js';
import { equivalentsOf, matchesObject, matchesRule, matchNamespace, type VersionedResource } from '../match/index.js';
import type { MatchResources, NamedRule } from './stored-policy.js';

/**
 * The resource, at the version that a rule names, by which a request matches; undefined: it does not.
 *
 * Source: apiserver `pkg/admission/plugin/policy/matching/matching.go`.
 * @throws StatusError 404 where the namespace is missing whose labels count
 */
export function matchOf(
  match: MatchResources,
  request: AdmissionRequest,
  { cluster, catalog }: { readonly cluster: ClusterView; readonly catalog: ResourceCatalog },
): VersionedResource | undefined {
  const namespaceMatch = matchNamespace(match, request, cluster);
  if (namespaceMatch === false || !matchesObject(match, request)) return undefined;
  if (ruleMatch(match.excludeResourceRules, { match, request, catalog }) !== undefined) return undefined;
  const own = { resource: request.served.resource, version: request.served.version };
  const found = match.resourceRules.length === 0 ? own : ruleMatch(match.resourceRules, { match, request, catalog });
  if (found !== undefined && StatusError.isStatusError(namespaceMatch)) throw namespaceMatch;
  return found;
}

interface Asked {
  readonly match: MatchResources;
  readonly request: AdmissionRequest;
  readonly catalog: ResourceCatalog;
}

function ruleMatch(rules: readonly NamedRule[], { match, request, catalog }: Asked): VersionedResource | undefined {
  const own = { resource: request.served.resource, version: request.served.version };
  const matches = (rule: NamedRule, at: VersionedResource): boolean => matchesRule(rule, request, at) && named(rule, request.name);
  if (rules.some((rule) => matches(rule, own))) return own;
  if (match.matchPolicy !== 'Equivalent' || rules.length === 0) return undefined;
  const equivalents = equivalentsOf(request, catalog);
  for (const rule of rules) {
    const found = equivalents.find((equivalent) => matches(rule, equivalent));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** No names: every object. */
function named({ resourceNames = [] }: NamedRule, name: string): boolean {
  return resourceNames.length === 0 || resourceNames.includes(name);
}
