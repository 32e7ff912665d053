import type { StructuralSchema } from '../../apimachinery/index.js';
import { add, times } from './range.js';
import { mostInOneRequest, type SchemaSize } from './schema-size.js';

/**
 * Limits of the cost of a definition's rules, as the API server estimates it.
 *
 * Source: apiextensions-apiserver, `pkg/apis/apiextensions/validation/validation.go` and `cel_validation.go`.
 */
export const RULE_COST_LIMIT = 10_000_000n;
/** For all rules of one version together. */
export const DEFINITION_COST_LIMIT = 100_000_000n;

/** Rules that are named when the sum is too high: the dearest four, of those that cost at least a hundredth of what is allowed. */
const NAMED = 4;

/**
 * How often a value of a schema may stand in one object.
 *
 * @param above - of the schema's own values; `undefined`: a list or map above has no bound
 * @returns of the values directly below
 */
export function countBelow(schema: StructuralSchema, above: bigint | undefined): bigint | undefined {
  if (above === undefined) return undefined;
  const isMap = schema.type === 'object' && schema.additionalProperties !== undefined;
  if (!isMap && schema.type !== 'array') return above;
  const most = isMap ? schema.maxProperties : schema.maxItems;
  return most === undefined ? undefined : times(above, BigInt(Math.max(0, Math.trunc(most))));
}

/** The cost of a rule over every value that one object may hold. */
export function costOfAll(cost: bigint, count: bigint | undefined, size: SchemaSize): bigint {
  return times(cost, count ?? mostInOneRequest(size));
}

/** The sum of what the rules of a definition cost. */
export class CostSum<Rule extends { readonly cost: bigint }> {
  #total = 0n;
  #dearest: readonly Rule[] = [];

  observe(rule: Rule): void {
    this.#total = add(this.#total, rule.cost);
    if (rule.cost < DEFINITION_COST_LIMIT / 100n) return;
    this.#dearest = [...this.#dearest, rule].sort((a, b) => (a.cost < b.cost ? 1 : a.cost > b.cost ? -1 : 0)).slice(0, NAMED);
  }

  /** `undefined` while it is within what is allowed. */
  get excess(): { readonly total: bigint; readonly dearest: readonly Rule[] } | undefined {
    return this.#total <= DEFINITION_COST_LIMIT ? undefined : { total: this.#total, dearest: this.#dearest };
  }
}

/** By how much a cost exceeds a limit, as the API server writes it: `1.360000x`, `2.9x`, `more than 100x`. */
export function excessFactor(cost: bigint, limit: bigint): string {
  const factor = Number(cost) / Number(limit);
  if (factor > 100) return 'more than 100x';
  // Few would see by how much 1.0x is too much.
  return `${goFixed(factor, factor < 1.5 ? 6 : 1)}x`;
}

/** The API server's words on an estimate that is too high. */
export function excessText(subject: string, cost: bigint, limit: bigint): string {
  const hint = 'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${subject} exceeds budget by factor of ${excessFactor(cost, limit)} (${hint})`;
}

/** A double has no more binary digits behind the point, from 1 on. */
const FRACTION_BITS = 52;

/** Go rounds a half to the even digit, `toFixed` away from zero. */
function goFixed(value: number, digits: number): string {
  const unit = 1n << BigInt(FRACTION_BITS);
  // Multiplied by a power of two a double stays what it is.
  const exact = BigInt(value * 2 ** FRACTION_BITS) * 10n ** BigInt(digits);
  const [whole, rest] = [exact / unit, exact % unit];
  const isUp = rest * 2n > unit || (rest * 2n === unit && whole % 2n === 1n);
  const text = String(whole + (isUp ? 1n : 0n));
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
