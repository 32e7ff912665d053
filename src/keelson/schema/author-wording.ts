import type { FieldError, ValidationRule } from '@keelson/kubernetes/apimachinery';
import type { RuleProblem } from '@keelson/kubernetes/cel';
import { re2Problem, type Wording } from '@keelson/kubernetes/structural';
import { unsupportedIn } from './convert/index.js';
import { costAdvice, costSumAdvice } from './cost-advice.js';

/** The words for the author of a definition: rules by their text, patterns by what RE2 lacks, costs by what mends them. */
export const AUTHOR_WORDING: Wording = {
  // RE2's own word for lookaround and back references is "invalid or unsupported Perl syntax".
  patternProblem: (pattern) => unsupportedIn(pattern) ?? re2Problem(pattern),
  ruleError: (rule, { field, detail }, at) => errorAt(at, `${ruleName(rule, field)}: ${detail}`),
  duplicatesInDefaults: true,
  defaultsInMaps: true,
  costError: (cost) => errorAt(cost.at, `${ruleName(cost.rule, cost.field)}: ${costAdvice(cost)}`),
  costSumErrors(path, total, dearest) {
    const advice = costSumAdvice(total, dearest);
    return advice === undefined ? [] : [errorAt(path, advice)];
  },
};

function ruleName({ rule }: ValidationRule, field: RuleProblem['field']): string {
  return field === 'rule' ? `the rule "${rule}"` : `${field} of the rule "${rule}"`;
}

function errorAt(at: string, message: string): FieldError {
  return { reason: 'FieldValueInvalid', field: at.replace(/\.x-kubernetes-validations\[\d+\]$/, ''), message };
}
