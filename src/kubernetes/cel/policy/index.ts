/** Expressions of admission policies, webhooks and mutations. */
export { type AdmissionEnvironmentOptions, type AdmissionPlace, admissionEnvironment } from './admission.js';
export type { AdmissionVariables } from './admission-variables.js';
export {
  type AdmissionProblem,
  type CompiledMatchConditions,
  compileMatchConditions,
  type MatchConditionsOptions,
  type MatchConditionsResult,
  type MatchOutcome,
  type NamedExpression,
} from './match-conditions.js';
export {
  type CompiledMutatingPolicy,
  compileMutatingPolicy,
  type EvaluatedPatch,
  MUTATION_FIELDS,
  type MutatingPolicyExpressions,
  type MutatingPolicyResult,
  type MutationExpression,
  type PatchOutcome,
} from './mutating-policy.js';
export {
  type CompiledPolicy,
  compilePolicy,
  type PolicyExpressions,
  type PolicyFailure,
  type PolicyResult,
  type PolicyValidationExpression,
} from './policy.js';
