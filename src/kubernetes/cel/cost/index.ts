/** The cost of CEL expressions, as the API server reckons it: estimated before they run, and counted while they do. */
export { CostSum, costOfAll, countBelow, DEFINITION_COST_LIMIT, excessFactor, excessText, RULE_COST_LIMIT } from './budget.js';
export { chargeOf, chargeOfResult } from './call-charge.js';
export { type CostEstimate, estimateCost, type SizedValue } from './estimate.js';
export { type Bound, type SchemaSize, schemaSize } from './schema-size.js';
