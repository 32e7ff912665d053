/**
 * CEL as Kubernetes speaks it: typed by structural schemas, with the API server's libraries and wording.
 *
 * Pure: no I/O, no library at import.
 */
export { type AdmissionEnvironmentOptions, type AdmissionPlace, admissionEnvironment } from './admission.js';
export type { AdmissionVariables } from './admission-variables.js';
export { type CelProgram, type CompileOptions, type CompileResult, compile, type EvaluateOptions } from './compile.js';
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
export { CelEvaluationError } from './evaluation-error.js';
export { resolveFieldPath } from './field-path.js';
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
export { patchProblems } from './patch-check.js';
export {
  type CompiledPolicy,
  compilePolicy,
  type PolicyExpressions,
  type PolicyFailure,
  type PolicyResult,
  type PolicyValidationExpression,
} from './policy.js';
export { type CelProblem, renderProblems } from './problem.js';
export { escapePropertyName, unescapePropertyName } from './property-name.js';
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
} from './rule.js';
export { celTypeOf, type SchemaTypeOptions } from './schema-type.js';
export { untypedValue } from './schema-value.js';
export { type CelType, formatType } from './type.js';
export { type UnsizedText, unsizedTexts } from './unsized-texts.js';
export type { CelValue } from './value.js';
