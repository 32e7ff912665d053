/** Checks that several kinds share: names, labels, addresses, counts, quantities, with the API server's errors. */
export { conditionErrors } from './condition-checks.js';
export { declared, declaredErrors, settledErrors } from './declared.js';
export { domainPathErrors, fullDomainErrors, hostErrors } from './domain-checks.js';
export {
  configMapKeyProblems,
  csiDriverName,
  descendingPath,
  dnsLabel,
  dnsSubdomain,
  dnsSubdomainPrefix,
  envVarNameProblems,
  fileMode,
  headerNameProblems,
  id,
  immutable,
  invalidEach,
  labelName,
  noBacksteps,
  nonNegative,
  nonNegativeAmount,
  nonReservedPath,
  pathSegment,
  portName,
  portNameProblems,
  portNumber,
  portNumberOrName,
  positive,
  positiveAmount,
  quotedList,
  tokenSeconds,
} from './field-checks.js';
export { intOrPercentValue, notMoreThan100Percent, positiveIntOrPercent } from './int-or-percent.js';
export { internalValue } from './internal-json.js';
export { cidrErrors, cidrWarnings, type EndpointIpRules, endpointIpErrors, ipErrors, ipWarnings } from './ip-checks.js';
export { type Cidr, ipText, isIn, parseCidr, parseIp } from './ip-values.js';
export { isEmptySelector, labelSelectorErrors, printedSelector, selects } from './label-selectors.js';
export { labelNames, pathNames, subdomainNames } from './name-rules.js';
export { collisionCountErrors, countErrors, counters, replicaStatus } from './replica-counts.js';
export {
  compareAmounts,
  isHugePages,
  isNativeResource,
  isNegativeAmount,
  isOvercommitAllowed,
  isZeroAmount,
  quantityOf,
  type ResourceList,
  roundResourceList,
  sumOfAmounts,
} from './resource-list.js';
export {
  containerRequirementErrors,
  containerResourceNameErrors,
  requirementErrors,
  resourceAmountErrors,
  resourceNameErrors,
} from './resource-requirements.js';
export {
  absent,
  all,
  atLeast,
  atMost,
  atMostItems,
  between,
  distinct,
  type Errors,
  each,
  eachAt,
  filled,
  inclusiveRange,
  mustBeOneOf,
  needed,
  neededThen,
  oneOf,
  type Rule,
  refuse,
  refuseAmount,
  shape,
  texts,
  those,
  unique,
  when,
} from './rules.js';
