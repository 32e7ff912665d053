import type { PolicyRule } from '@keelson/kubernetes/apimachinery';
import type { Attributes } from '../attributes.js';

/** Whether a rule allows it. Source: kubernetes `pkg/apis/rbac/v1/evaluation_helpers.go`. */
export function ruleAllows(rule: PolicyRule, attributes: Attributes): boolean {
  if (!includesOrAll(rule.verbs, attributes.verb)) return false;
  if (attributes.type === 'path') return rule.nonResourceURLs?.some((pattern) => pathMatches(pattern, attributes.path)) === true;
  const { apiGroup, resource, subresource = '', name = '' } = attributes;
  return includesOrAll(rule.apiGroups, apiGroup) && resourceMatches(rule, resource, subresource) && nameMatches(rule, name);
}

function includesOrAll(list: readonly string[] | null | undefined, wanted: string): boolean {
  return list?.some((item) => item === '*' || item === wanted) === true;
}

// `pods/log`, the subresource of anything as in `*/scale`, or `*`. `pods/*` means nothing.
function resourceMatches({ resources }: PolicyRule, resource: string, subresource: string): boolean {
  if (subresource === '') return includesOrAll(resources, resource);
  return includesOrAll(resources, `${resource}/${subresource}`) || resources?.includes(`*/${subresource}`) === true;
}

/** A rule for named objects never covers a request that names none. */
function nameMatches({ resourceNames }: PolicyRule, name: string): boolean {
  return !resourceNames?.length || resourceNames.includes(name);
}

/** `*` at the end stands for any rest, and for nothing. */
export function pathMatches(pattern: string, path: string): boolean {
  if (pattern === path || pattern === '*') return true;
  return pattern.endsWith('*') && path.startsWith(pattern.replace(/\*+$/, ''));
}
