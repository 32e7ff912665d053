import type { ValidationRule } from '../../apimachinery/index.js';
import type { CostEstimate } from '../../cel/index.js';
import type { VisitedNode } from './walk.js';

/** The cost of one rule, or of its message, in a whole object. */
export interface RuleCost {
  readonly node: VisitedNode;
  readonly rule: ValidationRule;
  readonly field: 'rule' | 'messageExpression';
  /** Where the rule stands: `spec.x-kubernetes-validations[0]`. */
  readonly at: string;
  readonly cost: bigint;
  /** For one evaluation. */
  readonly estimate: CostEstimate;
}
