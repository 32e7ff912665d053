import { DNS_1123_SUBDOMAIN, type KindInfo, obeys } from '@keelson/kubernetes/apimachinery';
import { admissionExpressionProblems } from '../../schema/index.js';
import type { Nothing } from '../controller/index.js';
import { DefinitionError, type Problem } from '../errors.js';
import type { LabelSelectorModel, MatchCondition, ValidatingPolicyModel, WebhookOperation } from '../model.js';
import { choice, labelSelector, listOf, objectSelection, record, required, type Shape, text } from '../option-shape.js';
import { admissionSubject, MATCH_CONDITIONS, matchConditionProblems, mustBeAdmission, schemaOf } from './admission-webhook.js';
import { type ObjectSelection, objectSelectorOf, VARIABLES, variableProblems } from './policy-parts.js';

/** A policy as `defineOperator` takes it. */
export interface Policy extends ValidatingPolicyModel {
  readonly '~policy'?: never;
  /** It needs nothing from outside: the API server evaluates it. */
  readonly '~externals'?: ((externals: Nothing) => void) | undefined;
}

/** One check of a policy, in CEL. In reach: `object`, `oldObject`, `request`, `namespaceObject`, `authorizer`, `variables`. */
export interface PolicyValidation {
  /** True for what is allowed. */
  readonly expression: string;
  /** @defaultValue the API server's `failed expression: …` */
  readonly message?: string | undefined;
  /** CEL that yields the message, a string; `authorizer` is not in reach. */
  readonly messageExpression?: string | undefined;
  /** @defaultValue `'Invalid'`, the API server's own: status 422 */
  readonly reason?: 'Forbidden' | 'Invalid' | 'RequestEntityTooLarge' | undefined;
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
  readonly select?: ObjectSelection | undefined;
  readonly namespaceSelector?: LabelSelectorModel | undefined;
  /** The reaction when an expression cannot be evaluated. @defaultValue `'Fail'`: the API server itself evaluates, it is not down */
  readonly failurePolicy?: 'Fail' | 'Ignore' | undefined;
  /** @defaultValue `['Deny']` */
  readonly validationActions?: readonly ('Deny' | 'Warn' | 'Audit')[] | undefined;
}

const expression: Shape = required(text, 'write CEL that yields true or false');
const SHAPE = record(
  {
    name: text,
    validations: listOf(
      record(
        { expression, message: text, messageExpression: text, reason: choice('Forbidden', 'Invalid', 'RequestEntityTooLarge') },
        'not part of a validation',
      ),
    ),
    variables: VARIABLES,
    matchConditions: MATCH_CONDITIONS,
    operations: listOf(choice('CREATE', 'UPDATE', 'DELETE', 'CONNECT')),
    select: objectSelection,
    namespaceSelector: labelSelector,
    failurePolicy: choice('Fail', 'Ignore'),
    validationActions: listOf(choice('Deny', 'Warn', 'Audit')),
  },
  'not an option of a policy',
);

/**
 * Checks objects in CEL that the API server evaluates itself (a ValidatingAdmissionPolicy): no process has to run, nothing can be down.
 *
 * @example
 * ```ts
 * const policy = validatingPolicy(Memcached, {
 *   validations: [{ expression: 'object.spec.size % 2 == 1', message: 'size must be odd' }],
 * });
 * ```
 *
 * @throws DefinitionError when the API server would refuse the policy.
 */
export function validatingPolicy(kind: KindInfo, options: PolicyOptions): Policy {
  const subject = admissionSubject('validating policy', kind);
  mustBeAdmission(subject, kind, { options, shape: SHAPE });
  const name = options.name ?? `${kind.plural}.${kind.group === '' ? 'core' : kind.group}`;
  const problems = policyProblems(name, options);
  if (problems.length === 0) problems.push(...admissionExpressionProblems(options, { objectSchema: schemaOf(kind) }));
  if (problems.length > 0) throw new DefinitionError(subject, problems);
  return Object.freeze({
    type: 'policy' as const,
    name,
    kind,
    operations: Object.freeze([...(options.operations ?? (['CREATE', 'UPDATE'] as const))]),
    validations: Object.freeze([...options.validations]),
    variables: Object.freeze([...(options.variables ?? [])]),
    matchConditions: Object.freeze([...(options.matchConditions ?? [])]),
    ...(options.namespaceSelector === undefined ? {} : { namespaceSelector: options.namespaceSelector }),
    ...objectSelectorOf(options.select),
    failurePolicy: options.failurePolicy ?? 'Fail',
    validationActions: Object.freeze([...(options.validationActions ?? (['Deny'] as const))]),
  });
}

function policyProblems(name: string, options: PolicyOptions): Problem[] {
  const { validations = [], variables = [], validationActions = ['Deny'], operations, matchConditions = [] } = options;
  const problems: Problem[] = [];
  if (!obeys(DNS_1123_SUBDOMAIN, name)) problems.push({ path: 'name', message: `'${name}' must be ${DNS_1123_SUBDOMAIN.says}` });
  if (validations.length === 0) problems.push({ path: 'validations', message: 'is empty; write at least one { expression, message }' });
  problems.push(...validations.flatMap((validation, index) => validationProblems(validation, `validations[${index}]`)));
  problems.push(...variableProblems(variables));
  if (operations?.length === 0)
    problems.push({ path: 'operations', message: 'is empty; the policy would never be asked: name CREATE or UPDATE' });
  if (validationActions.length === 0)
    problems.push({ path: 'validationActions', message: "is empty; write ['Deny'], ['Warn'] or ['Audit']" });
  if (validationActions.includes('Deny') && validationActions.includes('Warn')) {
    problems.push({ path: 'validationActions', message: 'has Deny and Warn, which say the same twice; leave one out' });
  }
  return [...problems, ...matchConditionProblems(matchConditions)];
}

function validationProblems({ expression, message, messageExpression }: PolicyValidation, path: string): Problem[] {
  const problems: Problem[] = [];
  if (expression.trim() === '') problems.push({ path: `${path}.expression`, message: 'is empty; write CEL that yields true or false' });
  // The API server asks for a message where it could not print the expression in one line.
  if (expression.trim().includes('\n') && message === undefined && messageExpression === undefined)
    problems.push({ path: `${path}.message`, message: 'is missing; an expression of several lines needs one' });
  if (message?.trim() === '') problems.push({ path: `${path}.message`, message: 'is empty; leave it out, or say what is wrong' });
  if (message?.includes('\n') === true) problems.push({ path: `${path}.message`, message: 'holds a line break; write one line' });
  if (messageExpression?.trim() === '')
    problems.push({ path: `${path}.messageExpression`, message: 'is empty; leave it out, or write CEL that yields a text' });
  return problems;
}
