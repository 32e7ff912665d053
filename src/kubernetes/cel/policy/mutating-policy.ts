import type { JsonObject } from '../../apimachinery/index.js';
import type { CelProgram, EvaluateOptions } from '../program/index.js';
import type { Libraries } from '../types/index.js';
import { PATCH_RESULTS } from '../types/index.js';
import type { CelValue } from '../values/index.js';
import { type AdmissionVariables, bindingsOf } from './admission-variables.js';
import { compileAt, compileVariables, composedVariables, type Environment, type Variable } from './composition.js';
import {
  type AdmissionProblem,
  aggregate,
  type CompiledMatchConditions,
  compileMatchConditions,
  evaluateExpression,
  type NamedExpression,
} from './match-conditions.js';
import { type Converted, configurationOf, operationsOf, type PatchOperations } from './patch-json.js';

/** A change of an object: a configuration that is applied to it, or the operations of a JSON Patch. */
export interface MutationExpression {
  readonly patchType: 'ApplyConfiguration' | 'JSONPatch';
  readonly expression: string;
}

/** The expressions of a MutatingAdmissionPolicy. */
export interface MutatingPolicyExpressions {
  /** Whether the policy has a `paramKind`. @defaultValue false */
  readonly params?: boolean;
  /** Each sees those before it. */
  readonly variables?: readonly NamedExpression[];
  readonly matchConditions?: readonly NamedExpression[];
  readonly mutations: readonly MutationExpression[];
}

/** The patch that a mutation has evaluated to. */
export type EvaluatedPatch =
  | { readonly patchType: 'ApplyConfiguration'; readonly configuration: JsonObject }
  | { readonly patchType: 'JSONPatch'; readonly operations: PatchOperations };

/** `failed`: the policy's `failurePolicy` decides whether that denies the request. `panics`: the API server breaks off the connection. */
export type PatchOutcome = EvaluatedPatch | { readonly failed: string } | { readonly panics: string };

export interface CompiledMutatingPolicy {
  /** Whether the match conditions hold; a text where they cannot be evaluated. */
  matches(request: AdmissionVariables, options?: EvaluateOptions): boolean | string;
  /** One for each mutation: the patch for the object as the mutations before have left it. */
  readonly mutations: readonly ((request: AdmissionVariables) => PatchOutcome)[];
}

export type MutatingPolicyResult =
  | { readonly ok: true; readonly compiled: CompiledMutatingPolicy }
  | { readonly ok: false; readonly problems: readonly AdmissionProblem[] };

/** The most that a mutation and the variables that it reads may cost together. As apiserver, `pkg/apis/cel/config.go` (RuntimeCELCostBudget). */
const MUTATION_BUDGET = 10_000_000;
const OUT_OF_BUDGET = 'validation failed due to running out of cost budget, no further validation rules will be run';

/**
 * Compiles the expressions of a mutating policy as the API server does when it is created, and evaluates them as it does for a request.
 *
 * `authorizer` is typed, but cannot be asked here: an expression that uses it fails to run.
 * @see apiserver, `pkg/admission/plugin/policy/mutating`
 */
export function compileMutatingPolicy(
  policy: MutatingPolicyExpressions,
  options: { readonly libraries?: Libraries } = {},
): MutatingPolicyResult {
  const environment: Environment = { params: policy.params ?? false, libraries: options.libraries ?? 'new' };
  const matched = compileMatchConditions(policy.matchConditions ?? [], environment);
  const problems: AdmissionProblem[] = matched.ok ? [] : [...matched.problems];
  const composed = compileVariables(policy.variables ?? [], environment, problems);
  // A mutation may name `variables` even if the policy defines none; a validation may not.
  const own: Environment = { variables: {}, ...composed.environment };
  const programs = policy.mutations.map((mutation, index) => compileMutation(mutation, { environment: own, index }, problems));
  if (!matched.ok || problems.length > 0) return { ok: false, problems };
  const mutations = programs.flatMap((program, index) => {
    const patchType = policy.mutations[index]?.patchType;
    return program === undefined || patchType === undefined ? [] : [evaluationOf(program, patchType, composed.variables)];
  });
  return { ok: true, compiled: { matches: (request, limits) => matches(matched.compiled, request, limits), mutations } };
}

/** The field of a mutation that holds its expression. */
export const MUTATION_FIELDS = { ApplyConfiguration: 'applyConfiguration', JSONPatch: 'jsonPatch' } as const;

/** A stored expression is read as it stands: messages repeat it. */
function compileMutation(
  { patchType, expression }: MutationExpression,
  { environment, index }: { readonly environment: Environment; readonly index: number },
  problems: AdmissionProblem[],
): CelProgram | undefined {
  const field = `mutations[${index}].${MUTATION_FIELDS[patchType]}.expression`;
  return compileAt(
    field,
    {
      source: environment.libraries !== 'stored' ? expression.trim() : expression,
      environment,
      results: { patch: PATCH_RESULTS[patchType] },
    },
    problems,
  );
}

function matches(conditions: CompiledMatchConditions, request: AdmissionVariables, limits?: EvaluateOptions): boolean | string {
  const outcome = conditions.evaluate(request, limits);
  return 'errors' in outcome ? aggregate(outcome.errors) : outcome.matches;
}

function evaluationOf(
  program: CelProgram,
  patchType: MutationExpression['patchType'],
  variables: readonly Variable[],
): (request: AdmissionVariables) => PatchOutcome {
  return (request) => {
    let spent = 0;
    const onCost = (cost: number): void => {
      spent += cost;
    };
    const own = bindingsOf(request);
    const bindings = { ...own, variables: composedVariables(variables, own, { onCost }) };
    const result = evaluateExpression(program, { bindings, limits: { onCost } });
    if (spent > MUTATION_BUDGET) return { failed: OUT_OF_BUDGET };
    return typeof result === 'object' && result !== null && 'failed' in result ? result : patchOf(result, patchType);
  };
}

function patchOf(result: CelValue, patchType: MutationExpression['patchType']): PatchOutcome {
  const converted: Converted<unknown> = patchType === 'JSONPatch' ? operationsOf(result) : configurationOf(result);
  if (!('value' in converted)) return converted;
  return patchType === 'JSONPatch'
    ? { patchType, operations: converted.value as PatchOperations }
    : { patchType, configuration: converted.value as JsonObject };
}
