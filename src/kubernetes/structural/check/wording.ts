import { type FieldError, forbidden, invalid, messageOf, type ValidationRule } from '../../apimachinery/index.js';
import { DEFINITION_COST_LIMIT, excessText, RULE_COST_LIMIT, type RuleProblem } from '../../cel/index.js';
import { compileGoPattern } from '../../re2/index.js';
import type { RuleCost } from './rule-cost.js';

/** The reader of the errors: clients of an API server, byte by byte, or the author of a definition. */
export interface Wording {
  /** Why RE2 cannot read a pattern; `undefined` when it can. */
  patternProblem(pattern: string): string | undefined;
  ruleError(rule: ValidationRule, problem: RuleProblem, at: string): FieldError;
  /** The API server does not look for duplicates in defaults: it refuses every object that then holds them. */
  readonly duplicatesInDefaults: boolean;
  /** The API server judges no default below the values of a map: objects are refused later, where it is filled in. */
  readonly defaultsInMaps: boolean;
  costError(cost: RuleCost): FieldError;
  /** @param dearest - the rules that contribute most */
  costSumErrors(path: string, total: bigint, dearest: readonly RuleCost[]): readonly FieldError[];
}

/** Why RE2 cannot read a pattern; `undefined` if it can. */
export function re2Problem(pattern: string): string | undefined {
  try {
    compileGoPattern(pattern);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

export const SERVER_WORDING: Wording = {
  patternProblem: re2Problem,
  ruleError(rule, { field, detail }, at) {
    const plain = field === 'optionalOldSelf' || detail.startsWith('oldSelf cannot be used');
    return invalid(`${at}.${field}`, plain ? rule[field] : goRule(rule), detail);
  },
  duplicatesInDefaults: false,
  defaultsInMaps: false,
  costError: ({ field, at, cost }) => forbidden(`${at}.${field}`, excessText(`estimated ${field} cost`, cost, RULE_COST_LIMIT)),
  costSumErrors: (path, total, dearest) => [
    ...dearest.map(({ at, field }) =>
      forbidden(`${at}.${field}`, 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema'),
    ),
    forbidden(
      path,
      excessText('x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema', total, DEFINITION_COST_LIMIT),
    ),
  ],
};

/** Go prints the internal struct, which has no JSON names. */
function goRule(rule: ValidationRule): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>([
    ['Rule', rule.rule],
    ['Message', rule.message ?? ''],
    ['MessageExpression', rule.messageExpression ?? ''],
    ['Reason', rule.reason ?? null],
    ['FieldPath', rule.fieldPath ?? ''],
    ['OptionalOldSelf', rule.optionalOldSelf ?? null],
  ]);
}
