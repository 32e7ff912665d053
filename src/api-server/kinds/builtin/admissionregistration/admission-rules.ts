import {
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  pathSegmentProblems,
  qualifiedNameProblems,
  required,
  tooMany,
} from '@keelson/kubernetes/apimachinery';
import type { AdmissionProblem } from '@keelson/kubernetes/cel';
import { type Errors, invalidEach, labelSelectorErrors, oneOf, those } from '../checks/index.js';
import type { MatchCondition, MatchResources, RuleWithOperations } from '../drafts.js';
import { celError } from './policy-rules.js';

/** Rules that webhooks and admission policies share. Source: kubernetes `pkg/apis/admissionregistration/{v1,validation}`. */
export const FAILURE_POLICIES: readonly string[] = ['Fail', 'Ignore'];
export const MATCH_POLICIES: readonly string[] = ['Equivalent', 'Exact'];
const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const SCOPES = ['*', 'Cluster', 'Namespaced'];
const MAX_CONDITIONS = 64;

export function setRuleDefaults(rules: readonly RuleWithOperations[] | undefined): void {
  for (const rule of rules ?? []) rule.scope ??= '*';
}

export function setMatchDefaults(match: MatchResources | undefined): void {
  if (match === undefined) return;
  match.matchPolicy ??= 'Equivalent';
  match.namespaceSelector ??= {};
  match.objectSelector ??= {};
  setRuleDefaults(match.resourceRules);
  setRuleDefaults(match.excludeResourceRules);
}

export function matchErrors(match: MatchResources, path: string): Errors {
  const named = (rules: MatchResources['resourceRules'], field: string): Errors =>
    (rules ?? []).flatMap((rule, index) => {
      const names = rule.resourceNames ?? [];
      return those(
        names.flatMap((name, position) =>
          those(
            invalidEach(`${field}[${index}].resourceNames[${position}]`, name, pathSegmentProblems(name)),
            names.indexOf(name) < position && duplicate(`${field}[${index}].resourceNames[${position}]`, name),
          ),
        ),
        ruleErrors(rule, `${field}[${index}]`),
      );
    });
  return [
    ...oneOf(MATCH_POLICIES)(match.matchPolicy, `${path}.matchPolicy`),
    ...labelSelectorErrors(match.namespaceSelector, `${path}.namespaceSelector`),
    ...labelSelectorErrors(match.objectSelector, `${path}.objectSelector`),
    ...named(match.resourceRules, `${path}.resourceRules`),
    ...named(match.excludeResourceRules, `${path}.excludeResourceRules`),
  ];
}

export function ruleErrors(rule: RuleWithOperations, path: string): Errors {
  const { operations, apiGroups, apiVersions, resources, scope } = rule;
  const lonely = (list: readonly string[], what: string, field: string): Errors =>
    list.length > 1 && list.includes('*') ? [invalid(field, list, `if '*' is present, must not specify other ${what}`)] : [];
  const demanded = (list: readonly string[], field: string): Errors => (list.length === 0 ? [required(field)] : []);
  const versions = apiVersions ?? [];
  return those(
    demanded(operations ?? [], `${path}.operations`),
    lonely(operations ?? [], 'operations', `${path}.operations`),
    (operations ?? []).flatMap((operation, index) =>
      OPERATIONS.includes(operation) ? [] : [notSupported(`${path}.operations[${index}]`, operation, OPERATIONS)],
    ),
    demanded(apiGroups ?? [], `${path}.apiGroups`),
    lonely(apiGroups ?? [], 'API groups', `${path}.apiGroups`),
    demanded(versions, `${path}.apiVersions`),
    lonely(versions, 'API versions', `${path}.apiVersions`),
    versions.flatMap((version, index) => (version === '' ? [required(`${path}.apiVersions[${index}]`)] : [])),
    resourceErrors(resources ?? [], `${path}.resources`),
    !(scope === undefined || SCOPES.includes(scope)) && notSupported(`${path}.scope`, scope, SCOPES),
  );
}

function resourceErrors(resources: readonly string[], path: string): Errors {
  if (resources.length === 0) return [required(path)];
  const errors: FieldError[] = [];
  const wholeResources = new Set<string>();
  const wholeSubresources = new Set<string>();
  let endsPlain = false;
  for (const [index, text] of resources.entries()) {
    const field = `${path}[${index}]`;
    const slash = text.indexOf('/');
    if (text === '') errors.push(required(field));
    // Only the last one counts, as in the server.
    else if (slash < 0) endsPlain = text !== '*';
    else {
      const [resource, sub] = [text.slice(0, slash), text.slice(slash + 1)];
      if (wholeResources.has(resource)) errors.push(invalid(field, text, `if '${resource}/*' is present, must not specify ${text}`));
      if (wholeSubresources.has(sub)) errors.push(invalid(field, text, `if '*/${sub}' is present, must not specify ${text}`));
      if (sub === '*') wholeResources.add(resource);
      if (resource === '*') wholeSubresources.add(sub);
    }
  }
  if (resources.length > 1 && resources.includes('*/*')) {
    errors.push(invalid(path, resources, "if '*/*' is present, must not specify other resources"));
  }
  if (resources.includes('*') && endsPlain) {
    errors.push(invalid(path, resources, "if '*' is present, must not specify other resources without subresources"));
  }
  return errors;
}

/** @param problems what CEL has against the conditions, by their paths below `prefix` */
export function conditionErrors(
  conditions: readonly MatchCondition[],
  path: string,
  problemOf: (field: string) => AdmissionProblem | undefined,
): Errors {
  const names = conditions.map(({ name }) => name);
  const errors: FieldError[] = conditions.length > MAX_CONDITIONS ? [tooMany(path, conditions.length, MAX_CONDITIONS)] : [];
  for (const [index, { name, expression }] of conditions.entries()) {
    const field = `${path}[${index}]`;
    const source = expression.trim();
    const problem = problemOf(`matchConditions[${index}].expression`);
    if (source === '') errors.push(required(`${field}.expression`));
    else if (problem !== undefined) errors.push(celError(problem, `${field}.expression`, source));
    if (name === '') errors.push(required(`${field}.name`));
    else {
      errors.push(...invalidEach(`${field}.name`, name, qualifiedNameProblems(name)));
      if (names.indexOf(name) < index) errors.push(duplicate(`${field}.name`, name));
    }
  }
  return errors;
}
