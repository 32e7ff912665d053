import type { RuleProblem } from '../../cel/index.js';
import { compileGoPattern, type FieldError, invalid, messageOf, type ValidationRule } from '../../kubernetes/index.js';

/** Who reads the errors: clients of an API server, byte by byte, or the author of a definition. */
export interface Wording {
  /** Why RE2 cannot read a pattern; `undefined` when it can. */
  patternProblem(pattern: string): string | undefined;
  ruleError(rule: ValidationRule, problem: RuleProblem, at: string): FieldError;
  /** The API server does not look for duplicates in defaults: it refuses every object that then holds them. */
  readonly duplicatesInDefaults: boolean;
  /** Whether rules that always cost too much are told; the API server's words on costs come from its estimate of the whole schema, which is not reproduced. */
  readonly costs: boolean;
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
  costs: false,
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
