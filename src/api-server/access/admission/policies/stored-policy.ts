import { type CompiledPolicy, compilePolicy, type NamedExpression, type PolicyValidationExpression } from '../../../../cel/index.js';
import { compareUtf8, type LabelSelectorFields } from '../../../../kubernetes/index.js';
import type { ClusterView, JsonObject } from '../../../contract/index.js';
import { type OperationRule, type Selectors, selectorOf } from '../match/index.js';

export interface NamedRule extends OperationRule {
  readonly resourceNames?: readonly string[];
}

interface StoredMatch {
  readonly namespaceSelector?: LabelSelectorFields;
  readonly objectSelector?: LabelSelectorFields;
  readonly resourceRules?: readonly NamedRule[];
  readonly excludeResourceRules?: readonly NamedRule[];
  readonly matchPolicy?: 'Equivalent' | 'Exact';
}

/** `matchConstraints` of a policy, `matchResources` of a binding. */
export interface MatchResources extends Selectors, Pick<StoredMatch, 'matchPolicy'> {
  readonly resourceRules: readonly NamedRule[];
  readonly excludeResourceRules: readonly NamedRule[];
}

export interface ParamRef {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: LabelSelectorFields;
  readonly parameterNotFoundAction?: 'Allow' | 'Deny';
}

/** A ValidatingAdmissionPolicyBinding, ready to be matched. */
export interface Binding {
  readonly name: string;
  readonly policyName: string;
  readonly match: MatchResources;
  readonly paramRef: ParamRef | undefined;
  readonly actions: readonly ('Audit' | 'Deny' | 'Warn')[];
}

/** A ValidatingAdmissionPolicy, compiled. */
export interface Policy {
  readonly name: string;
  readonly match: MatchResources;
  readonly paramKind: { readonly apiVersion: string; readonly kind: string } | undefined;
  readonly failsOpen: boolean;
  /** A text where the expressions do not compile, which validation refuses. */
  readonly compiled: CompiledPolicy | string;
}

interface PolicySpec {
  readonly matchConstraints?: StoredMatch;
  readonly paramKind?: { readonly apiVersion: string; readonly kind: string };
  readonly failurePolicy?: 'Fail' | 'Ignore';
  readonly matchConditions?: readonly NamedExpression[];
  readonly variables?: readonly NamedExpression[];
  readonly validations?: readonly PolicyValidationExpression[];
}

interface BindingSpec {
  readonly policyName?: string;
  readonly paramRef?: ParamRef;
  readonly matchResources?: StoredMatch;
  readonly validationActions?: Binding['actions'];
}

const GROUP = 'admissionregistration.k8s.io';

/** The policies and bindings that are stored, in the order of their names; each compiled once, until it changes. */
export class PolicySource {
  readonly #cluster: ClusterView;
  readonly #policies = new WeakMap<JsonObject, Policy>();
  readonly #bindings = new WeakMap<JsonObject, Binding>();

  constructor(cluster: ClusterView) {
    this.#cluster = cluster;
  }

  /** Policies that are bound, with their bindings. */
  bound(): readonly (readonly [Policy, readonly Binding[]])[] {
    const stored = this.#cluster.list({ group: GROUP, plural: 'validatingadmissionpolicies' });
    if (stored.length === 0) return [];
    const bindings = sorted(this.#cluster.list({ group: GROUP, plural: 'validatingadmissionpolicybindings' })).map((one) =>
      remembered(this.#bindings, one, bindingOf),
    );
    return sorted(stored)
      .map((one) => remembered(this.#policies, one, policyOf))
      .map((policy) => [policy, bindings.filter(({ policyName }) => policyName === policy.name)] as const)
      .filter(([, own]) => own.length > 0);
  }
}

function remembered<T>(known: WeakMap<JsonObject, T>, object: JsonObject, make: (object: JsonObject) => T): T {
  const before = known.get(object);
  if (before !== undefined) return before;
  const made = make(object);
  known.set(object, made);
  return made;
}

function policyOf(object: JsonObject): Policy {
  const { matchConstraints = {}, paramKind, failurePolicy, ...expressions } = (object['spec'] ?? {}) as PolicySpec;
  const { matchConditions = [], variables = [], validations = [] } = expressions;
  const result = compilePolicy({ params: paramKind !== undefined, matchConditions, variables, validations }, { libraries: 'stored' });
  return {
    name: nameOf(object),
    match: matchOf(matchConstraints),
    paramKind,
    failsOpen: failurePolicy === 'Ignore',
    compiled: result.ok ? result.compiled : result.problems.map(({ field, detail }) => `${field}: ${detail}`).join(', '),
  };
}

function bindingOf(object: JsonObject): Binding {
  const { policyName = '', paramRef, matchResources = {}, validationActions = [] } = (object['spec'] ?? {}) as BindingSpec;
  return { name: nameOf(object), policyName, paramRef, match: matchOf(matchResources), actions: validationActions };
}

function matchOf({
  namespaceSelector,
  objectSelector,
  resourceRules = [],
  excludeResourceRules = [],
  matchPolicy,
}: StoredMatch): MatchResources {
  return {
    namespaceSelector: selectorOf(namespaceSelector),
    objectSelector: selectorOf(objectSelector),
    resourceRules,
    excludeResourceRules,
    ...(matchPolicy && { matchPolicy }),
  };
}

function sorted(objects: readonly JsonObject[]): readonly JsonObject[] {
  return [...objects].sort((left, right) => compareUtf8(nameOf(left), nameOf(right)));
}

function nameOf(object: JsonObject): string {
  return String((object['metadata'] as { readonly name?: string } | undefined)?.name ?? '');
}
