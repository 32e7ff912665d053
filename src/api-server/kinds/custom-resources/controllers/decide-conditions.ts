import {
  approvalOf,
  caBundleProblem,
  conditionOf,
  type Definition,
  isConditionTrue,
  isProtectedGroup,
  isSameCondition,
  type NewCondition,
} from '../crd/index.js';

/** Once its names are accepted a definition is established. Source: apiextensions-apiserver, `pkg/controller/establish`. */
export function decideEstablished(definition: Definition): NewCondition | undefined {
  if (!isConditionTrue(definition, 'NamesAccepted') || isConditionTrue(definition, 'Established')) return undefined;
  const bundle = definition.spec.conversion?.webhook?.clientConfig?.caBundle ?? '';
  const condition: NewCondition =
    caBundleProblem(bundle) === undefined
      ? { type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message: 'the initial names have been accepted' }
      : { type: 'Established', status: 'False', reason: 'InvalidCABundle', message: 'The conversion webhook CABundle is invalid' };
  return changed(definition, condition);
}

const APPROVALS = {
  approved: { status: 'True', reason: 'ApprovedAnnotation' },
  bypassed: { status: 'False', reason: 'UnapprovedAnnotation' },
  invalid: { status: 'False', reason: 'InvalidAnnotation' },
  missing: { status: 'False', reason: 'MissingAnnotation' },
} as const;

/** Only of groups that belong to the Kubernetes project. Source: apiextensions-apiserver, `pkg/controller/apiapproval`. */
export function decideApproval(definition: Definition): NewCondition | undefined {
  if (!isProtectedGroup(definition.spec.group)) return undefined;
  const { state, reason: message } = approvalOf(definition);
  return changed(definition, { type: 'KubernetesAPIApprovalPolicyConformant', ...APPROVALS[state], message });
}

function changed(definition: Definition, condition: NewCondition): NewCondition | undefined {
  return isSameCondition(conditionOf(definition, condition.type), condition) ? undefined : condition;
}
