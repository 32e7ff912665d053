import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  qualifiedNameProblems,
  quantityAmount,
  required,
} from '@keelson/kubernetes/apimachinery';
import type { ResourceRequirements } from '../drafts.js';
import { dnsLabel, invalidEach } from './field-checks.js';
import {
  compareAmounts,
  hugePageSize,
  isHugePages,
  isNativeResource,
  isNegativeAmount,
  isOvercommitAllowed,
  quantityOf,
  type ResourceList,
} from './resource-list.js';
import { type Errors, those } from './rules.js';

/** Source: kubernetes `pkg/apis/core/validation` (`validateResourceRequirements`), `pkg/apis/core/helper`. */
export interface RequirementRules {
  readonly path: string;
  /** Names of the pod's `resourceClaims`. */
  readonly claimNames: ReadonlySet<string>;
  readonly nameErrors: (name: string, path: string) => Errors;
}

const STANDARD: ReadonlySet<string> = new Set([
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'storage',
  'requests.storage',
  'services.nodeports',
  'services.loadbalancers',
]);
const STANDARD_OF_CONTAINERS: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

export function resourceNameErrors(name: string, path: string): Errors {
  const problems = qualifiedNameProblems(name);
  if (problems.length > 0) return invalidEach(path, name, problems);
  const isStandard = STANDARD.has(name) || isHugePages(name) || name.startsWith('requests.hugepages-');
  return name.includes('/') || isStandard ? [] : [invalid(path, name, 'must be a standard resource type or fully qualified')];
}

export function containerResourceNameErrors(name: string, path: string): Errors {
  const errors = resourceNameErrors(name, path);
  if (!name.includes('/')) {
    const isStandard = STANDARD_OF_CONTAINERS.has(name) || isHugePages(name);
    return isStandard ? errors : [...errors, invalid(path, name, 'must be a standard resource for containers')];
  }
  return isNativeResource(name) || isExtended(name)
    ? errors
    : [...errors, invalid(path, name, "doesn't follow extended resource name standard")];
}

/** Names that a quota can hold too. */
function isExtended(name: string): boolean {
  return !name.startsWith('requests.') && qualifiedNameProblems(`requests.${name}`).length === 0;
}

/** Things that are counted cannot be had in parts. */
export function resourceAmountErrors(name: string, amount: number | string, path: string): Errors {
  const errors: FieldError[] = isNegativeAmount(amount) ? [invalid(path, String(amount), 'must be greater than or equal to 0')] : [];
  const isCounted = COUNTED.has(name) || (!isNativeResource(name) && isExtended(name));
  if (isCounted && quantityAmount(quantityOf(amount), -3) % 1000n !== 0n) errors.push(invalid(path, String(amount), 'must be an integer'));
  return errors;
}

const COUNTED: ReadonlySet<string> = new Set([
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);

export function containerRequirementErrors(
  requirements: ResourceRequirements | undefined,
  path: string,
  claimNames: ReadonlySet<string>,
): Errors {
  return requirementErrors(requirements, { path, claimNames, nameErrors: containerResourceNameErrors });
}

export function requirementErrors(requirements: ResourceRequirements | undefined, rules: RequirementRules): Errors {
  if (requirements === undefined) return [];
  const { limits = {}, requests = {}, claims = [] } = requirements;
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  const needsBase = names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory');
  return those(
    Object.entries(limits).flatMap(([name, amount]) => amountErrors(name, amount, { ...rules, path: `${rules.path}.limits[${name}]` })),
    Object.entries(requests).flatMap(([name, amount]) => [
      ...requestNameErrors(name, amount, rules),
      ...requestErrors(name, amount, { limits, path: rules.path }),
      ...hugePageErrors(name, amount, `${rules.path}.requests[${name}]`),
    ]),
    needsBase && forbidden(rules.path, 'HugePages require cpu or memory'),
    claimErrors(claims, `${rules.path}.claims`, rules.claimNames),
  );
}

function requestNameErrors(name: string, amount: number | string, { path, nameErrors }: RequirementRules): Errors {
  const field = `${path}.requests[${name}]`;
  return [...nameErrors(name, field), ...resourceAmountErrors(name, amount, field)];
}

function amountErrors(name: string, amount: number | string, { path, nameErrors }: RequirementRules): Errors {
  return [...nameErrors(name, path), ...resourceAmountErrors(name, amount, path), ...hugePageErrors(name, amount, path)];
}

function hugePageErrors(name: string, amount: number | string, path: string): Errors {
  if (!isHugePages(name)) return [];
  const size = hugePageSize(name);
  const pages = size === undefined ? 0n : quantityAmount(size);
  const asked = quantityAmount(quantityOf(amount));
  if (pages > 0n && asked >= 0n && asked % pages === 0n) return [];
  return [invalid(path, String(amount), `${amount} is not positive integer multiple of ${name}`)];
}

function requestErrors(name: string, amount: number | string, { limits, path }: { limits: ResourceList; path: string }): Errors {
  const limit = limits[name];
  const mayDiffer = isOvercommitAllowed(name);
  if (limit === undefined) return mayDiffer ? [] : [required(`${path}.limits`, 'Limit must be set for non overcommitable resources')];
  const order = compareAmounts(amount, limit);
  if (order !== 0 && !mayDiffer) return [invalid(`${path}.requests`, String(amount), `must be equal to ${name} limit of ${limit}`)];
  return order > 0 ? [invalid(`${path}.requests`, String(amount), `must be less than or equal to ${name} limit of ${limit}`)] : [];
}

type Claims = NonNullable<ResourceRequirements['claims']>;

function claimErrors(claims: Claims, path: string, podClaims: ReadonlySet<string>): Errors {
  const known = new Set<string>();
  return claims.flatMap(({ name, request = '' }, index) => {
    const field = `${path}[${index}]`;
    if (name === '') return [required(field)];
    const errors: FieldError[] = [];
    const key = request === '' ? name : `${name}/${request}`;
    if (known.has(name)) {
      errors.push(duplicate(field, name));
    } else {
      if (request !== '') errors.push(...dnsLabel(request, `${field}.request`));
      if (known.has(key)) errors.push(duplicate(field, key));
      else if (request === '') for (const other of known) if (other.startsWith(`${name}/`)) errors.push(duplicate(field, name));
      known.add(key);
    }
    return podClaims.has(name) ? errors : [...errors, unknownClaim(field, name, podClaims)];
  });
}

function unknownClaim(field: string, name: string, podClaims: ReadonlySet<string>): FieldError {
  const names = podClaims.size === 0 ? ' which is empty' : `: ${[...podClaims].sort().join(', ')}`;
  const { message } = invalid(field, name, `must be one of the names in pod.spec.resourceClaims${names}`);
  return { reason: 'FieldValueNotFound', field, message: message.replace('Invalid value', 'Not found') };
}
