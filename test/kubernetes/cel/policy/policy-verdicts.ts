import { compileMatchConditions, compilePolicy, type PolicyValidationExpression } from '../../../../src/kubernetes/cel/index.js';
import { judgedCreation, judgedUpdate, type PolicyVerdict, type PolicyVerdicts, policyVariables } from '../judged-policies.js';

/** What we say of an expression, in the form of the server's record. */
export function policyVerdictOf(group: keyof PolicyVerdicts, expression: string): PolicyVerdict {
  switch (group) {
    case 'validations':
      return verdictOf({ expression });
    case 'messages':
      return verdictOf({ expression: 'false', message: ' fixed ', messageExpression: expression });
    case 'policyConditions':
    case 'webhookConditions': {
      const result = compileMatchConditions([{ name: 'c', expression }], { params: group === 'policyConditions' });
      return result.ok ? {} : { compile: result.problems.map(({ detail }) => detail).join('\n') };
    }
  }
}

function verdictOf(validation: PolicyValidationExpression): PolicyVerdict {
  const result = compilePolicy({ params: true, variables: policyVariables, validations: [validation] });
  if (!result.ok) return { compile: result.problems.map(({ detail }) => detail).join('\n') };
  const [create, update] = [judgedCreation, judgedUpdate].map((request) => result.compiled.check(request)[0]?.message);
  return { ...(create !== undefined && { create }), ...(update !== undefined && { update }) };
}
