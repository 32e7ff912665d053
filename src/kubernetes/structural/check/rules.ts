import type { FieldError } from '../../apimachinery/index.js';
import { compileRule } from '../../cel/index.js';
import type { RuleCosts } from './costs.js';
import type { VisitedNode } from './walk.js';
import type { Wording } from './wording.js';

/** Compiles the rules of one node and asks what they cost, as the API server does when a CRD is made. */
export function ruleErrors(
  node: VisitedNode,
  { wording, libraries }: { readonly wording: Wording; readonly libraries: 'new' | 'portable' },
  costs: RuleCosts,
): FieldError[] {
  const { schema, path, uncorrelated, isResourceRoot } = node;
  return (schema['x-kubernetes-validations'] ?? []).flatMap((rule, index) => {
    const result = compileRule(rule, schema, {
      isResourceRoot,
      libraries,
      ...(uncorrelated !== undefined && { uncorrelatedWithin: uncorrelated }),
    });
    const at = `${path}.x-kubernetes-validations[${index}]`;
    const estimates = result.estimate();
    const place = { node, rule, at };
    const problems = result.ok ? [] : result.problems;
    const uncorrelatable = problems.filter(({ detail, field }) => field === 'optionalOldSelf' || detail.startsWith('oldSelf cannot'));
    const others = problems.filter((problem) => !uncorrelatable.includes(problem));
    return [
      ...costs.errorsOf(place, 'rule', estimates),
      ...others.map((problem) => wording.ruleError(rule, problem, at)),
      ...costs.errorsOf(place, 'messageExpression', estimates),
      ...uncorrelatable.map((problem) => wording.ruleError(rule, problem, at)),
    ];
  });
}
