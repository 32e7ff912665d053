import { type FieldError, invalid, labelRequirementsOf, required } from '@keelson/kubernetes/apimachinery';
import type { Behaviour } from '../behaviour.js';
import { declaredErrors, type Errors, labelSelectorErrors, pathNames, printedSelector, those } from '../checks/index.js';
import type { ClusterRole, PolicyRule, Role } from '../drafts.js';

/** Source: kubernetes `pkg/registry/rbac/role`, `pkg/apis/rbac/validation`. */
export const roles: Behaviour<Role> = {
  validate: ({ rules }) => rulesErrors(rules ?? [], true),
  validateUpdate: ({ rules }) => rulesErrors(rules ?? [], true),
  revalidatesMetadata: true,
  nameProblems: pathNames,
  allowsCreateOnUpdate: true,
};

/** Source: kubernetes `pkg/registry/rbac/clusterrole`, `pkg/apis/rbac/validation`. */
export const clusterRoles: Behaviour<ClusterRole> = {
  validate: clusterRoleErrors,
  validateUpdate: clusterRoleErrors,
  revalidatesMetadata: true,
  nameProblems: pathNames,
  allowsCreateOnUpdate: true,
};

function clusterRoleErrors({ rules, aggregationRule }: ClusterRole): Errors {
  const errors = rulesErrors(rules ?? [], false);
  if (aggregationRule === undefined) return errors;
  const path = 'aggregationRule.clusterRoleSelectors';
  const selectors = aggregationRule.clusterRoleSelectors ?? [];
  const text = 'at least one clusterRoleSelector required if aggregationRule is non-nil';
  return those(
    errors,
    selectors.length === 0 && required(path, text),
    selectors.flatMap((selector, index) =>
      those(
        labelSelectorErrors(selector, `${path}[${index}]`),
        'problem' in labelRequirementsOf(selector) && invalid(`${path}[${index}]`, printedSelector(undefined), 'invalid label selector.'),
      ),
    ),
  );
}

function rulesErrors(rules: readonly PolicyRule[], isNamespaced: boolean): Errors {
  return rules.flatMap((rule, index) => ruleErrors(rule, isNamespaced, `rules[${index}]`));
}

function ruleErrors(
  { verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule,
  isNamespaced: boolean,
  path: string,
): Errors {
  const has = (list: readonly string[] | null | undefined): boolean => (list ?? []).length > 0;
  const errors: FieldError[] = has(verbs) ? [] : [...declaredErrors([required(`${path}.verbs`)])];
  const field = `${path}.nonResourceURLs`;
  if (has(nonResourceURLs)) {
    if (isNamespaced) errors.push(invalid(field, nonResourceURLs, 'namespaced rules cannot apply to non-resource URLs'));
    const isBoth = has(apiGroups) || has(resources) || has(resourceNames);
    if (isBoth) errors.push(invalid(field, nonResourceURLs, 'rules cannot apply to both regular resources and non-resource URLs'));
    return errors;
  }
  return those(
    errors,
    !has(apiGroups) && required(`${path}.apiGroups`, 'resource rules must supply at least one api group'),
    !has(resources) && required(`${path}.resources`, 'resource rules must supply at least one resource'),
  );
}
