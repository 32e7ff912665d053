import { DNS_1123_SUBDOMAIN, type KindInfo, obeys } from '@keelson/kubernetes/apimachinery';
import { admissionExpressionProblems } from '../../schema/index.js';
import type { Nothing } from '../controller/index.js';
import { DefinitionError, type Problem } from '../errors.js';
import type { LabelSelectorModel, MatchCondition, MutatingPolicyModel, PolicyParamsModel, WebhookOperation } from '../model.js';
import { choice, isKind, labelSelector, listOf, objectSelection, record, required, type Shape, text } from '../option-shape.js';
import { admissionSubject, MATCH_CONDITIONS, matchConditionProblems, mustBeAdmission, schemaOf } from './admission-webhook.js';
import { type ObjectSelection, objectSelectorOf, VARIABLES, variableProblems } from './policy-parts.js';

/** A mutating policy as `defineOperator` takes it. */
export interface MutatingPolicy extends MutatingPolicyModel {
  readonly '~mutatingPolicy'?: never;
  /** It needs nothing from outside: the API server evaluates it. */
  readonly '~externals'?: ((externals: Nothing) => void) | undefined;
}

/**
 * One change, in CEL. In reach: `object`, `oldObject`, `request`, `namespaceObject`, `authorizer`, `variables`, and `params` where the policy has some.
 *
 * Each sees what those before it have made of the object.
 */
export type PolicyMutation =
  | {
      /** Yields the fields to apply: `Object{metadata: Object.metadata{labels: {"team": "a"}}}`. They are merged as server-side apply does. */
      readonly apply: string;
      readonly patch?: never;
    }
  | {
      /** Yields the operations of a JSON Patch: `[JSONPatch{op: "add", path: "/metadata/labels/team", value: "a"}]`. */
      readonly patch: string;
      readonly apply?: never;
    };

/** The objects that a policy is evaluated with, once for each of them: `params` in its expressions. */
export interface PolicyParams {
  readonly kind: KindInfo;
  /** Name of the one object. Give this or `selector`. */
  readonly name?: string | undefined;
  /** Labels of the objects; `{}` selects all. */
  readonly selector?: LabelSelectorModel | undefined;
  /** @defaultValue of a namespaced kind, the namespace of the object that is changed */
  readonly namespace?: string | undefined;
  /** The reaction when there is no such object: `'Allow'` changes nothing, `'Deny'` leaves the decision to the `failurePolicy`. */
  readonly parameterNotFoundAction: 'Allow' | 'Deny';
}

export interface MutatingPolicyOptions {
  /** Name of the policy and its binding. @defaultValue `<plural>.<group>` */
  readonly name?: string | undefined;
  readonly mutations: readonly PolicyMutation[];
  /** @defaultValue none */
  readonly params?: PolicyParams | undefined;
  /** Named expressions, evaluated when they are used: `variables.<name>`. */
  readonly variables?: readonly { readonly name: string; readonly expression: string }[] | undefined;
  readonly matchConditions?: readonly MatchCondition[] | undefined;
  /** @defaultValue `['CREATE', 'UPDATE']`; an object that is deleted cannot be changed */
  readonly operations?: readonly Exclude<WebhookOperation, 'DELETE'>[] | undefined;
  readonly select?: ObjectSelection | undefined;
  readonly namespaceSelector?: LabelSelectorModel | undefined;
  /** The reaction when an expression cannot be evaluated, or its patch not be applied. @defaultValue `'Fail'`: the API server itself evaluates, it is not down */
  readonly failurePolicy?: 'Fail' | 'Ignore' | undefined;
  /**
   * Whether it sees the object again when another policy or a webhook has changed it. Policies have no order: what builds on another needs it.
   * @defaultValue `'IfNeeded'`, as webhooks have it here
   */
  readonly reinvocationPolicy?: 'IfNeeded' | 'Never' | undefined;
}

const PARAMS: Shape = record(
  {
    kind: (value, path) => (isKind(value) ? [] : [{ path, message: 'is not a kind; import one from keelson/kinds, or define it' }]),
    name: text,
    selector: labelSelector,
    namespace: text,
    parameterNotFoundAction: required(choice('Allow', 'Deny'), "write 'Allow' or 'Deny'"),
  },
  'not part of the params of a policy',
);

const SHAPE = record(
  {
    name: text,
    mutations: listOf(record({ apply: text, patch: text }, 'not part of a mutation')),
    params: (value, path) => (value === undefined ? [] : PARAMS(value, path)),
    variables: VARIABLES,
    matchConditions: MATCH_CONDITIONS,
    operations: listOf(choice('CREATE', 'UPDATE', 'CONNECT')),
    select: objectSelection,
    namespaceSelector: labelSelector,
    failurePolicy: choice('Fail', 'Ignore'),
    reinvocationPolicy: choice('IfNeeded', 'Never'),
  },
  'not an option of a mutating policy',
);

/**
 * Changes objects in CEL that the API server evaluates itself (a MutatingAdmissionPolicy): no process has to run, nothing can be down.
 *
 * Kubernetes has such policies from 1.36 on. In 1.34 and 1.35 they are a beta that is off: the API server needs
 * `--feature-gates=MutatingAdmissionPolicy=true` and `--runtime-config=admissionregistration.k8s.io/v1beta1=true`, and the manifests `kubernetes: '1.34'`.
 *
 * @example
 * ```ts
 * const policy = mutatingPolicy(Memcached, {
 *   operations: ['CREATE'],
 *   mutations: [{ apply: 'Object{metadata: Object.metadata{labels: {"made-by": request.userInfo.username}}}' }],
 * });
 * ```
 *
 * @throws DefinitionError when the API server would refuse the policy, or each of its patches.
 */
export function mutatingPolicy(kind: KindInfo, options: MutatingPolicyOptions): MutatingPolicy {
  const subject = admissionSubject('mutating policy', kind);
  mustBeAdmission(subject, kind, { options, shape: SHAPE });
  const name = options.name ?? `${kind.plural}.${kind.group === '' ? 'core' : kind.group}`;
  const problems = policyProblems(name, options);
  const mutations = options.mutations.map(expressionOf);
  if (problems.length === 0) problems.push(...expressionProblems(kind, options, mutations));
  if (problems.length > 0) throw new DefinitionError(subject, problems);
  const { params } = options;
  return Object.freeze({
    type: 'mutating-policy' as const,
    name,
    kind,
    operations: Object.freeze([...(options.operations ?? (['CREATE', 'UPDATE'] as const))]),
    mutations: Object.freeze(mutations),
    ...(params && { params: Object.freeze({ ...params }) satisfies PolicyParamsModel }),
    variables: Object.freeze([...(options.variables ?? [])]),
    matchConditions: Object.freeze([...(options.matchConditions ?? [])]),
    ...(options.namespaceSelector === undefined ? {} : { namespaceSelector: options.namespaceSelector }),
    ...objectSelectorOf(options.select),
    failurePolicy: options.failurePolicy ?? 'Fail',
    reinvocationPolicy: options.reinvocationPolicy ?? 'IfNeeded',
  });
}

type Expression = MutatingPolicyModel['mutations'][number];

function expressionOf({ apply, patch = '' }: PolicyMutation): Expression {
  return apply === undefined ? { patchType: 'JSONPatch', expression: patch } : { patchType: 'ApplyConfiguration', expression: apply };
}

function expressionProblems(
  kind: KindInfo,
  { matchConditions, variables, params }: MutatingPolicyOptions,
  mutations: readonly Expression[],
): Problem[] {
  const problems = admissionExpressionProblems(
    { matchConditions, variables, mutations },
    { objectSchema: schemaOf(kind), params: params === undefined ? false : (schemaOf(params.kind) ?? true) },
  );
  // The author wrote `apply` or `patch`.
  const own = (path: string): string =>
    path.replace(/\.applyConfiguration\.expression$/, '.apply').replace(/\.jsonPatch\.expression$/, '.patch');
  return problems.map(({ path, message }) => ({ path: own(path), message }));
}

function policyProblems(name: string, options: MutatingPolicyOptions): Problem[] {
  const { mutations = [], variables = [], operations, matchConditions = [], params } = options;
  const problems: Problem[] = [];
  if (!obeys(DNS_1123_SUBDOMAIN, name)) problems.push({ path: 'name', message: `'${name}' must be ${DNS_1123_SUBDOMAIN.says}` });
  if (mutations.length === 0) problems.push({ path: 'mutations', message: 'is empty; write at least one { apply } or { patch }' });
  problems.push(...mutations.flatMap((mutation, index) => mutationProblems(mutation, `mutations[${index}]`)));
  problems.push(...variableProblems(variables));
  if (operations?.length === 0)
    problems.push({ path: 'operations', message: 'is empty; the policy would never be asked: name CREATE or UPDATE' });
  if (params !== undefined) problems.push(...paramProblems(params));
  return [...problems, ...matchConditionProblems(matchConditions)];
}

function mutationProblems({ apply, patch }: { readonly apply?: string; readonly patch?: string }, path: string): Problem[] {
  if ((apply === undefined) === (patch === undefined))
    return [{ path, message: 'needs one of apply (fields to merge) and patch (operations of a JSON Patch)' }];
  const [field, expression] = apply === undefined ? ['patch', patch] : ['apply', apply];
  return expression?.trim() === '' ? [{ path: `${path}.${field}`, message: 'is empty; write CEL' }] : [];
}

function paramProblems({ kind, name, selector, namespace }: PolicyParams): Problem[] {
  const problems: Problem[] = [];
  if ((name === undefined) === (selector === undefined))
    problems.push({ path: 'params', message: 'needs one of name (one object) and selector ({} for all)' });
  if (namespace !== undefined && kind.scope === 'Cluster')
    problems.push({ path: 'params.namespace', message: `is set, but a ${kind.kind} is in no namespace; leave it out` });
  return problems;
}
