/**
 * CEL as Kubernetes speaks it: typed by structural schemas, with the API server's libraries and wording.
 *
 * Pure: no I/O, no library at import.
 */

export { patchProblems } from './check/index.js';
export {
  type Bound,
  type CostEstimate,
  CostSum,
  costOfAll,
  countBelow,
  DEFINITION_COST_LIMIT,
  excessFactor,
  excessText,
  RULE_COST_LIMIT,
  type SizedValue,
  schemaSize,
} from './cost/index.js';
export {
  type AdmissionEnvironmentOptions,
  type AdmissionPlace,
  type AdmissionProblem,
  type AdmissionVariables,
  admissionEnvironment,
  type CompiledMatchConditions,
  type CompiledMutatingPolicy,
  type CompiledPolicy,
  compileMatchConditions,
  compileMutatingPolicy,
  compilePolicy,
  type EvaluatedPatch,
  type MatchConditionsOptions,
  type MatchConditionsResult,
  type MatchOutcome,
  MUTATION_FIELDS,
  type MutatingPolicyExpressions,
  type MutatingPolicyResult,
  type MutationExpression,
  type NamedExpression,
  type PatchOutcome,
  type PolicyExpressions,
  type PolicyFailure,
  type PolicyResult,
  type PolicyValidationExpression,
} from './policy/index.js';
export { type CelProgram, type CompileOptions, type CompileResult, compile, type EvaluateOptions } from './program/index.js';
export {
  type CompiledRule,
  type CostBudget,
  compileRule,
  OUT_OF_BUDGET_TEXT,
  objectBudget,
  type RuleEstimate,
  type RuleFailure,
  type RuleOptions,
  type RuleProblem,
  type RuleResult,
  resolveFieldPath,
  type UnsizedText,
  unsizedTexts,
} from './rules/index.js';
export { type CelProblem, renderProblems } from './syntax/index.js';
export { type CelType, celTypeOf, escapePropertyName, formatType, type SchemaTypeOptions, unescapePropertyName } from './types/index.js';
export type { CelValue } from './values/index.js';
export { CelEvaluationError, untypedValue } from './values/index.js';
