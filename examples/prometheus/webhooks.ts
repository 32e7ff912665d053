import { validating } from 'keelson';
import { PrometheusRule } from './kinds.js';
import { ruleProblems } from './rules.js';

// #region webhooks
/** A rule that was there before this check stays: the controller leaves it out, and its owner can still label and delete it. */
export const ruleChecks = validating(PrometheusRule, ({ spec }, { old }) =>
  old !== undefined && JSON.stringify(old.spec) === JSON.stringify(spec) ? [] : ruleProblems(spec),
);
// #endregion
