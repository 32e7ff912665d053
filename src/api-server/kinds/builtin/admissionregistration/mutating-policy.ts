import { type FieldError, invalid, notSupported, required } from '@keelson/kubernetes/apimachinery';
import { compileMutatingPolicy, MUTATION_FIELDS, type MutationExpression } from '@keelson/kubernetes/cel';
import { type Draft, draftOf, type JsonObject } from '../../../contract/index.js';
import type { Behaviour, Surroundings } from '../behaviour.js';
import { dnsSubdomain, type Errors, mustBeOneOf, those } from '../checks/index.js';
import type { MatchResources, MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding, MutatingAdmissionPolicySpec } from '../drafts.js';
import { beginGenerations, countChangedSpec } from '../generation.js';
import { semanticEqual } from '../semantic-equal.js';
import type { VersionConversion } from '../version-conversion.js';
import { bindingParamErrors, policyParamErrors } from './admission-params.js';
import { conditionErrors, FAILURE_POLICIES, matchErrors, setMatchDefaults } from './admission-rules.js';
import { type CelProblems, celError, celProblemsOf, paramErrors, paramKindErrors } from './policy-rules.js';

const REINVOCATION_POLICIES = ['IfNeeded', 'Never'];
/** There is nothing to change about an object that goes. */
const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'UPDATE'];

type Mutation = NonNullable<MutatingAdmissionPolicySpec['mutations']>[number];
type PatchType = MutationExpression['patchType'];

const PATCH_TYPES: readonly PatchType[] = ['ApplyConfiguration', 'JSONPatch'];

/** Source: kubernetes `pkg/registry/admissionregistration/mutatingadmissionpolicy`, `pkg/apis/admissionregistration/{v1beta1,validation}`. */
export const mutatingAdmissionPolicies = (surroundings: Surroundings): Behaviour<MutatingAdmissionPolicy> => ({
  setDefaults: setPolicyDefaults,
  prepareForCreate: beginGenerations,
  validate: (policy, { user }) => {
    const errors = policyErrors(policy, undefined);
    return errors.length > 0 ? errors : policyParamErrors(policy, undefined, { surroundings, user });
  },
  prepareForUpdate: countChangedSpec,
  validateUpdate: (policy, old, { user }) => {
    const errors = policyErrors(policy, old);
    return errors.length > 0 ? errors : policyParamErrors(policy, old, { surroundings, user });
  },
  allowsUnconditionalUpdate: false,
});

function setPolicyDefaults({ spec }: MutatingAdmissionPolicy): void {
  if (spec === undefined) return;
  spec.failurePolicy ??= 'Fail';
  setMatchDefaults(spec.matchConstraints as MatchResources | undefined);
}

function setBindingDefaults({ spec }: MutatingAdmissionPolicyBinding): void {
  setMatchDefaults(spec?.matchResources as MatchResources | undefined);
}

/** The versions before `v1` differ in their name only. */
const renamed = (object: JsonObject, apiVersion: string): Draft => ({ ...draftOf(object), apiVersion });

export const mutatingPolicyConversion: VersionConversion = {
  convert: renamed,
  setDefaults: { v1beta1: (draft) => setPolicyDefaults(draft as unknown as MutatingAdmissionPolicy) },
};

export const mutatingBindingConversion: VersionConversion = {
  convert: renamed,
  setDefaults: { v1beta1: (draft) => setBindingDefaults(draft as unknown as MutatingAdmissionPolicyBinding) },
};

function policyErrors({ spec = {} }: MutatingAdmissionPolicy, old: MutatingAdmissionPolicy | undefined): Errors {
  const { paramKind, matchConditions, mutations = [] } = spec;
  const problems = problemsOf(spec);
  const isKept =
    old !== undefined && semanticEqual(paramKind, old.spec?.paramKind) && semanticEqual(matchConditions, old.spec?.matchConditions);
  return [
    ...mustBeOneOf(FAILURE_POLICIES)(spec.failurePolicy, 'spec.failurePolicy'),
    ...(paramKind === undefined ? [] : paramKindErrors(paramKind, 'spec.paramKind')),
    ...constraintErrors(spec.matchConstraints as MatchResources | undefined),
    ...(isKept ? [] : conditionErrors(matchConditions ?? [], 'spec.matchConditions', problems.of)),
    ...(spec.variables ?? []).flatMap((variable, index) => problems.errors(variable, `variables[${index}]`, ['name', 'expression'])),
    ...(mutations.length === 0 ? [required('spec.mutations', 'mutations must contain at least one item')] : []),
    ...mutations.flatMap((mutation, index) => mutationErrors(mutation, `mutations[${index}]`, problems)),
    ...reinvocationErrors(spec.reinvocationPolicy),
  ];
}

function constraintErrors(constraints: MatchResources | undefined): Errors {
  const path = 'spec.matchConstraints';
  if (constraints === undefined) return [required(path)];
  return [
    ...matchErrors(constraints, path),
    ...((constraints.resourceRules ?? []).length === 0 ? [required(`${path}.resourceRules`)] : []),
    ...operationErrors(constraints, path),
  ];
}

function operationErrors({ resourceRules }: MatchResources, path: string): Errors {
  const operations = (resourceRules ?? []).flatMap((rule) => rule.operations ?? []);
  return operations.flatMap((operation) =>
    OPERATIONS.includes(operation) ? [] : [notSupported(`${path}.resourceRules.operations`, operation, OPERATIONS)],
  );
}

function reinvocationErrors(policy = ''): Errors {
  if (policy === '') return [required('spec.reinvocationPolicy')];
  return mustBeOneOf(REINVOCATION_POLICIES)(policy, 'spec.reinvocationPolicy');
}

/** Compiles to a patch without objection: stands where there is nothing to compile. */
const NO_PATCH: MutationExpression = { patchType: 'JSONPatch', expression: '[JSONPatch{}]' };

function problemsOf({ paramKind, variables, matchConditions, mutations }: MutatingAdmissionPolicySpec): CelProblems {
  const result = compileMutatingPolicy({
    params: paramKind !== undefined,
    variables: variables ?? [],
    matchConditions: matchConditions ?? [],
    mutations: (mutations ?? []).map(expressionOf),
  });
  return celProblemsOf(result.ok ? [] : result.problems);
}

function expressionOf(mutation: Mutation): MutationExpression {
  const patchType = typeOf(mutation);
  const expression = patchType && mutation[MUTATION_FIELDS[patchType]]?.expression;
  return patchType === undefined || expression === undefined || expression.trim() === '' ? NO_PATCH : { patchType, expression };
}

function typeOf({ patchType }: { readonly patchType?: string | undefined }): PatchType | undefined {
  return PATCH_TYPES.find((known) => known === patchType);
}

function mutationErrors(mutation: Mutation, field: string, problems: CelProblems): Errors {
  const path = `spec.${field}`;
  const named: string | undefined = mutation.patchType;
  if (named === undefined || named === '') return [required(`${path}.patchType`)];
  const type = typeOf(mutation);
  if (type === undefined) return [notSupported(`${path}.patchType`, named, PATCH_TYPES)];
  const [own, other] =
    type === 'JSONPatch' ? (['jsonPatch', 'applyConfiguration'] as const) : (['applyConfiguration', 'jsonPatch'] as const);
  const patch = mutation[own];
  return those(
    patch === undefined
      ? [required(`${path}.${own}`, `must be specified when patchType is ${type}`)]
      : patchErrors(patch, `${field}.${own}`, problems),
    mutation[other] !== undefined && invalid(`${path}.${other}`, `{${other}}`, `must not be specified when patchType is ${type}`),
  );
}

function patchErrors(
  { expression = '' }: { readonly expression?: string | undefined },
  field: string,
  problems: CelProblems,
): FieldError[] {
  const path = `spec.${field}.expression`;
  const source = expression.trim();
  if (source === '') return [required(path)];
  const problem = problems.of(`${field}.expression`);
  return problem === undefined ? [] : [celError(problem, path, source)];
}

/** Source: kubernetes `pkg/registry/admissionregistration/mutatingadmissionpolicybinding`. */
export const mutatingAdmissionPolicyBindings = (surroundings: Surroundings): Behaviour<MutatingAdmissionPolicyBinding> => ({
  setDefaults: setBindingDefaults,
  prepareForCreate: beginGenerations,
  validate: (binding, { user }) => {
    const errors = bindingErrors(binding);
    return errors.length > 0 ? errors : bindingParamErrors(binding, 'mutatingadmissionpolicies', { surroundings, user });
  },
  prepareForUpdate: countChangedSpec,
  validateUpdate: (binding, _old, { user }) => {
    const errors = bindingErrors(binding);
    return errors.length > 0 ? errors : bindingParamErrors(binding, 'mutatingadmissionpolicies', { surroundings, user });
  },
  allowsUnconditionalUpdate: false,
});

function bindingErrors({ spec = {} }: MutatingAdmissionPolicyBinding): Errors {
  const { policyName = '', paramRef } = spec;
  const matchResources = spec.matchResources as MatchResources | undefined;
  return those(
    policyName === '' ? [required('spec.policyName')] : dnsSubdomain(policyName, 'spec.policyName'),
    paramRef !== undefined && paramErrors(paramRef, 'spec.paramRef'),
    matchResources !== undefined && [
      ...matchErrors(matchResources, 'spec.matchResources'),
      ...operationErrors(matchResources, 'spec.matchResources'),
    ],
  );
}
