import { compareUtf8, type LabelSelectorFields } from '@keelson/kubernetes/apimachinery';
import {
  type CompiledMutatingPolicy,
  type CompiledPolicy,
  compileMutatingPolicy,
  compilePolicy,
  MUTATION_FIELDS,
  type MutationExpression,
  type NamedExpression,
  type PolicyValidationExpression,
} from '@keelson/kubernetes/cel';
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

/** The binding of a policy, ready to be matched. */
export interface Binding {
  readonly name: string;
  readonly policyName: string;
  readonly match: MatchResources;
  readonly paramRef: ParamRef | undefined;
}

export interface ValidatingBinding extends Binding {
  readonly actions: readonly ('Audit' | 'Deny' | 'Warn')[];
}

/** A policy, compiled. */
export interface Policy {
  readonly name: string;
  readonly match: MatchResources;
  readonly paramKind: { readonly apiVersion: string; readonly kind: string } | undefined;
  readonly failsOpen: boolean;
}

export interface ValidatingPolicy extends Policy {
  /** A text where the expressions do not compile, which validation refuses. */
  readonly compiled: CompiledPolicy | string;
}

export interface MutatingPolicy extends Policy {
  /** As of a validating policy. */
  readonly compiled: CompiledMutatingPolicy | string;
  readonly reinvocationPolicy: 'IfNeeded' | 'Never';
}

interface CommonSpec {
  readonly matchConstraints?: StoredMatch;
  readonly paramKind?: { readonly apiVersion: string; readonly kind: string };
  readonly failurePolicy?: 'Fail' | 'Ignore';
  readonly matchConditions?: readonly NamedExpression[];
  readonly variables?: readonly NamedExpression[];
}

interface ValidatingSpec extends CommonSpec {
  readonly validations?: readonly PolicyValidationExpression[];
}

interface MutatingSpec extends CommonSpec {
  readonly mutations?: readonly {
    readonly patchType: MutationExpression['patchType'];
    readonly applyConfiguration?: { readonly expression: string };
    readonly jsonPatch?: { readonly expression: string };
  }[];
  readonly reinvocationPolicy?: MutatingPolicy['reinvocationPolicy'];
}

interface BindingSpec {
  readonly policyName?: string;
  readonly paramRef?: ParamRef;
  readonly matchResources?: StoredMatch;
  readonly validationActions?: ValidatingBinding['actions'];
}

const GROUP = 'admissionregistration.k8s.io';

/** One kind of policies, and how its stored objects are read. */
interface PolicyKind<TPolicy extends Policy, TBinding extends Binding> {
  /** Plurals of the policies and of their bindings. */
  readonly policies: string;
  readonly bindings: string;
  readonly policyOf: (object: JsonObject) => TPolicy;
  readonly bindingOf: (object: JsonObject) => TBinding;
}

export const VALIDATING: PolicyKind<ValidatingPolicy, ValidatingBinding> = {
  policies: 'validatingadmissionpolicies',
  bindings: 'validatingadmissionpolicybindings',
  policyOf(object) {
    const { validations = [], ...spec } = (object['spec'] ?? {}) as ValidatingSpec;
    const result = compilePolicy({ ...expressionsOf(spec), validations }, { libraries: 'stored' });
    return { ...commonOf(object, spec), compiled: result.ok ? result.compiled : problemText(result.problems) };
  },
  bindingOf(object) {
    const { validationActions: actions = [] } = (object['spec'] ?? {}) as BindingSpec;
    return { ...bindingOf(object), actions };
  },
};

export const MUTATING: PolicyKind<MutatingPolicy, Binding> = {
  policies: 'mutatingadmissionpolicies',
  bindings: 'mutatingadmissionpolicybindings',
  policyOf(object) {
    const { mutations = [], reinvocationPolicy = 'Never', ...spec } = (object['spec'] ?? {}) as MutatingSpec;
    const expressions = mutations.map(({ patchType, ...patches }) => ({
      patchType,
      expression: patches[MUTATION_FIELDS[patchType]]?.expression ?? '',
    }));
    const result = compileMutatingPolicy({ ...expressionsOf(spec), mutations: expressions }, { libraries: 'stored' });
    const compiled = result.ok ? result.compiled : problemText(result.problems);
    return { ...commonOf(object, spec), reinvocationPolicy, compiled };
  },
  bindingOf,
};

/** The policies and bindings that are stored, in the order of their names; each compiled once, until it changes. */
export class PolicySource<TPolicy extends Policy, TBinding extends Binding> {
  readonly #cluster: ClusterView;
  readonly #kind: PolicyKind<TPolicy, TBinding>;
  readonly #policies = new WeakMap<JsonObject, TPolicy>();
  readonly #bindings = new WeakMap<JsonObject, TBinding>();

  constructor(cluster: ClusterView, kind: PolicyKind<TPolicy, TBinding>) {
    this.#cluster = cluster;
    this.#kind = kind;
  }

  /** Policies that are bound, with their bindings. */
  bound(): readonly (readonly [TPolicy, readonly TBinding[]])[] {
    const { policies, bindings: plural, policyOf, bindingOf: readBinding } = this.#kind;
    const stored = this.#cluster.list({ group: GROUP, plural: policies });
    if (stored.length === 0) return [];
    const bindings = sorted(this.#cluster.list({ group: GROUP, plural })).map((one) => remembered(this.#bindings, one, readBinding));
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

function commonOf(object: JsonObject, { matchConstraints = {}, paramKind, failurePolicy }: CommonSpec): Policy {
  return { name: nameOf(object), match: matchOf(matchConstraints), paramKind, failsOpen: failurePolicy === 'Ignore' };
}

interface Expressions {
  readonly params: boolean;
  readonly matchConditions: readonly NamedExpression[];
  readonly variables: readonly NamedExpression[];
}

function expressionsOf({ paramKind, matchConditions = [], variables = [] }: CommonSpec): Expressions {
  return { params: paramKind !== undefined, matchConditions, variables };
}

function problemText(problems: readonly { readonly field: string; readonly detail: string }[]): string {
  return problems.map(({ field, detail }) => `${field}: ${detail}`).join(', ');
}

function bindingOf(object: JsonObject): Binding {
  const { policyName = '', paramRef, matchResources = {} } = (object['spec'] ?? {}) as BindingSpec;
  return { name: nameOf(object), policyName, paramRef, match: matchOf(matchResources) };
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
