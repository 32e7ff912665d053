/** `x-kubernetes-validations` of structural schemas: rules, their messages and field paths. */
export { resolveFieldPath } from './field-path.js';
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
export { type UnsizedText, unsizedTexts } from './unsized-texts.js';
