import type { FieldError } from '../../apimachinery/index.js';
import { CostSum, costOfAll, RULE_COST_LIMIT, type RuleEstimate, schemaSize } from '../../cel/index.js';
import type { RuleCost } from './rule-cost.js';
import type { Wording } from './wording.js';

/** Holds the estimated costs of rules against what the API server allows each of them, and all of a version. */
export class RuleCosts {
  readonly #wording: Wording;
  readonly #ofSumAlone: boolean;
  readonly #sum = new CostSum<RuleCost>();

  constructor(wording: Wording, { ofSumAlone }: { readonly ofSumAlone: boolean }) {
    this.#wording = wording;
    this.#ofSumAlone = ofSumAlone;
  }

  /** The rule runs for each value, its message for the first that fails. */
  errorsOf(place: Pick<RuleCost, 'node' | 'rule' | 'at'>, field: RuleCost['field'], estimates: RuleEstimate): readonly FieldError[] {
    const estimate = estimates[field];
    const size = schemaSize(place.node.schema, place.node.isResourceRoot);
    if (estimate === undefined || size === undefined) return [];
    const cost = field === 'rule' ? costOfAll(estimate.cost, place.node.count, size) : estimate.cost;
    const ruleCost: RuleCost = { ...place, field, cost, estimate };
    this.#sum.observe(ruleCost);
    return this.#ofSumAlone || cost <= RULE_COST_LIMIT ? [] : [this.#wording.costError(ruleCost)];
  }

  sumErrors(path: string): readonly FieldError[] {
    const { excess } = this.#sum;
    return excess === undefined ? [] : this.#wording.costSumErrors(path, excess.total, excess.dearest);
  }
}
