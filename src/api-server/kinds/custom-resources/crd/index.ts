/** CustomResourceDefinitions themselves: what the server has against them, and what it reads from them. */
export { type Approval, approvalOf, isProtectedGroup } from './api-approval.js';
export { customResourceDefinitionBehaviour, DEFINITION_FINALIZER } from './behaviour.js';
export { caBundleProblem, webhookServiceErrors, webhookUrlErrors } from './check-conversion.js';
export {
  type ConditionType,
  conditionOf,
  isConditionTrue,
  isSameCondition,
  type NewCondition,
  setCondition,
} from './conditions.js';
export {
  type Columns,
  DEFINITIONS,
  type Definition,
  type DefinitionNames,
  type DefinitionSpec,
  type DefinitionStatus,
  type DefinitionVersion,
  schemaOf,
  storageVersionOf,
  versionsOf,
} from './definition.js';
export { deprecationWarningOf } from './deprecation.js';
export { definitionErrors, definitionUpdateErrors } from './validate-definition.js';
