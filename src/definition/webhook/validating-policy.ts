import { DNS_1123_SUBDOMAIN, type KindInfo, obeys } from '../../kubernetes/index.js';
import { DefinitionError, type Problem } from '../errors.js';
import type { LabelSelectorModel, MatchCondition, ValidatingPolicyModel, WebhookOperation } from '../model.js';
import { matchConditionProblems } from './admission-webhook.js';

/** A policy as `defineOperator` takes it. */
export interface Policy extends ValidatingPolicyModel {
  readonly '~policy'?: never;
}

/** One check of a policy, in CEL. In reach: `object`, `oldObject`, `request`, `namespaceObject`, `authorizer`, `variables`. */
export interface PolicyValidation {
  /** True for what is allowed. */
  readonly expression: string;
  /** @defaultValue the API server's `failed expression: …` */
  readonly message?: string | undefined;
  /** CEL that yields the message. */
  readonly messageExpression?: string | undefined;
  /** @defaultValue `'Invalid'`, the API server's own: status 422 */
  readonly reason?: 'Unauthorized' | 'Forbidden' | 'Invalid' | 'RequestEntityTooLarge' | undefined;
}

export interface PolicyOptions {
  /** Name of the policy and its binding. @defaultValue `<plural>.<group>` */
  readonly name?: string | undefined;
  readonly validations: readonly PolicyValidation[];
  /** Named expressions, evaluated when they are used: `variables.<name>`. */
  readonly variables?: readonly { readonly name: string; readonly expression: string }[] | undefined;
  readonly matchConditions?: readonly MatchCondition[] | undefined;
  /** @defaultValue `['CREATE', 'UPDATE']` */
  readonly operations?: readonly WebhookOperation[] | undefined;
  readonly select?:
    | { readonly labels?: Readonly<Record<string, string>> | undefined; readonly labelSelector?: LabelSelectorModel | undefined }
    | undefined;
  readonly namespaceSelector?: LabelSelectorModel | undefined;
  /** What happens when an expression cannot be evaluated. @defaultValue `'Fail'`: the API server itself evaluates, it is not down */
  readonly failurePolicy?: 'Fail' | 'Ignore' | undefined;
  /** @defaultValue `['Deny']` */
  readonly validationActions?: readonly ('Deny' | 'Warn' | 'Audit')[] | undefined;
}

const KNOWN_OPTIONS: readonly string[] = [
  'name',
  'validations',
  'variables',
  'matchConditions',
  'operations',
  'select',
  'namespaceSelector',
  'failurePolicy',
  'validationActions',
];

/**
 * Checks objects in CEL that the API server evaluates itself (a ValidatingAdmissionPolicy): no process has to run, nothing can be down.
 *
 * @throws DefinitionError when the API server would refuse the policy.
 */
export function validatingPolicy(kind: KindInfo, options: PolicyOptions): Policy {
  const name = options.name ?? `${kind.plural}.${kind.group === '' ? 'core' : kind.group}`;
  const problems = policyProblems(name, options);
  if (problems.length > 0) throw new DefinitionError(`validating policy for ${kind.kind}`, problems);
  const { labels, labelSelector } = options.select ?? {};
  const matchLabels = { ...labelSelector?.matchLabels, ...labels };
  const selects = labels !== undefined || labelSelector !== undefined;
  return Object.freeze({
    type: 'policy' as const,
    name,
    kind,
    operations: Object.freeze([...(options.operations ?? (['CREATE', 'UPDATE'] as const))]),
    validations: Object.freeze([...options.validations]),
    variables: Object.freeze([...(options.variables ?? [])]),
    matchConditions: Object.freeze([...(options.matchConditions ?? [])]),
    ...(options.namespaceSelector === undefined ? {} : { namespaceSelector: options.namespaceSelector }),
    ...(selects ? { objectSelector: { ...labelSelector, ...(Object.keys(matchLabels).length === 0 ? {} : { matchLabels }) } } : {}),
    failurePolicy: options.failurePolicy ?? 'Fail',
    validationActions: Object.freeze([...(options.validationActions ?? (['Deny'] as const))]),
  });
}

function policyProblems(name: string, options: PolicyOptions): Problem[] {
  const { validations, variables = [], validationActions = ['Deny'], operations, matchConditions = [] } = options;
  const problems: Problem[] = Object.keys(options)
    .filter((option) => !KNOWN_OPTIONS.includes(option))
    .map((option) => ({ path: option, message: `is no option of a policy; known are ${KNOWN_OPTIONS.join(', ')}` }));
  if (!obeys(DNS_1123_SUBDOMAIN, name)) problems.push({ path: 'name', message: `'${name}' must be ${DNS_1123_SUBDOMAIN.says}` });
  if (!Array.isArray(validations) || validations.length === 0)
    problems.push({ path: 'validations', message: 'is empty; write at least one { expression, message }' });
  problems.push(...(validations ?? []).flatMap((validation, index) => validationProblems(validation, `validations[${index}]`)));
  variables.forEach((variable, index) => {
    const path = `variables[${index}].name`;
    if (!/^[A-Za-z_]\w*$/.test(variable.name))
      problems.push({ path, message: `'${variable.name}' is no CEL name; write letters, digits and underscores` });
    else if (variables.findIndex((other) => other.name === variable.name) !== index)
      problems.push({ path, message: `'${variable.name}' is used twice; give each its own` });
  });
  if (operations?.length === 0)
    problems.push({ path: 'operations', message: 'is empty; the policy would never be asked: name CREATE or UPDATE' });
  if (validationActions.length === 0)
    problems.push({ path: 'validationActions', message: "is empty; write ['Deny'], ['Warn'] or ['Audit']" });
  if (validationActions.includes('Deny') && validationActions.includes('Warn')) {
    problems.push({ path: 'validationActions', message: 'has Deny and Warn, which tell the same twice; leave one out' });
  }
  return [...problems, ...matchConditionProblems(matchConditions)];
}

function validationProblems({ expression, message }: PolicyValidation, path: string): Problem[] {
  const problems: Problem[] = [];
  if (expression.trim() === '') problems.push({ path: `${path}.expression`, message: 'is empty; write CEL that yields true or false' });
  // The API server asks for a message where it could not print the expression in one line.
  if (expression.trim().includes('\n') && message === undefined)
    problems.push({ path: `${path}.message`, message: 'is missing; an expression of several lines needs one' });
  if (message?.includes('\n') === true) problems.push({ path: `${path}.message`, message: 'holds a line break; write one line' });
  return problems;
}
