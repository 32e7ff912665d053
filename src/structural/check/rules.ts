import { compileRule, type RuleProblem, type UnsizedText, unboundedTraversals, unsizedTexts } from '../../cel/index.js';
import type { FieldError } from '../../kubernetes/index.js';
import type { VisitedNode } from './walk.js';
import type { Wording } from './wording.js';

/** Compiles the rules of one node, as the API server does when a CRD is made. */
export function ruleErrors({ schema, path, uncorrelated, isResourceRoot }: VisitedNode, wording: Wording): FieldError[] {
  return (schema['x-kubernetes-validations'] ?? []).flatMap((rule, index) => {
    const result = compileRule(rule, schema, { isResourceRoot, ...(uncorrelated !== undefined && { uncorrelatedWithin: uncorrelated }) });
    const unsized = result.ok && wording.costs ? unsizedTexts(rule, schema, { isResourceRoot }).map(costProblem) : [];
    const problems = result.ok ? unsized : result.problems;
    return problems.map((problem) => wording.ruleError(rule, problem, `${path}.x-kubernetes-validations[${index}]`));
  });
}

function costProblem({ field, maker, reader }: UnsizedText): RuleProblem {
  const way =
    maker === 'orValue' || maker === 'value' ? 'read the field itself, behind has()' : "put texts together with '…%s'.format([…])";
  return {
    field,
    detail: `the API server cannot bound the length of what ${maker}() makes, so that ${reader} costs too much for it; ${way}`,
  };
}

/** Rules whose worst case the API server cannot bound: it refuses the CRD when its estimate is too high. */
export function boundWarnings({ schema, path }: VisitedNode): readonly { readonly field: string; readonly message: string }[] {
  return (schema['x-kubernetes-validations'] ?? []).flatMap((rule, index) => {
    const missing = unboundedTraversals(rule, schema);
    if (missing.length === 0) return [];
    const list = missing.map((traversed) => `${traversed.bound} on ${traversed.path}`).join(', ');
    const message = `the rule "${rule.rule}" walks through values without a size limit; the API server may refuse its estimated cost: set ${list}`;
    return [{ field: `${path}.x-kubernetes-validations[${index}].rule`, message }];
  });
}
