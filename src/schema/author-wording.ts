import { re2Problem, type Wording } from '../structural/index.js';
import { unsupportedIn } from './convert/index.js';

/** The words for the author of a definition: rules by their text, patterns by what RE2 lacks. */
export const AUTHOR_WORDING: Wording = {
  // RE2's own word for lookaround and back references is "invalid or unsupported Perl syntax".
  patternProblem: (pattern) => unsupportedIn(pattern) ?? re2Problem(pattern),
  ruleError(rule, { field, detail }, at) {
    const text = field === 'rule' ? `the rule "${rule.rule}"` : `${field} of the rule "${rule.rule}"`;
    return { reason: 'FieldValueInvalid', field: at.replace(/\.x-kubernetes-validations\[\d+\]$/, ''), message: `${text}: ${detail}` };
  },
  duplicatesInDefaults: true,
  costs: true,
};
