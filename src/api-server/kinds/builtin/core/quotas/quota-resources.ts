import { invalid } from '@keelson/kubernetes/apimachinery';
import { type Errors, isHugePages, type ResourceList, resourceAmountErrors, resourceNameErrors, those } from '../../checks/index.js';

/** Source: kubernetes `pkg/apis/core/helper` (`IsStandardQuotaResourceName`). */
const STANDARD: ReadonlySet<string> = new Set([
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'persistentvolumeclaims',
  'configmaps',
  'services.nodeports',
  'services.loadbalancers',
]);

export function isQuotaResource(name: string): boolean {
  return STANDARD.has(name) || isHugePages(name) || name.startsWith('requests.hugepages-');
}

/** Amounts of what a quota can count. */
export function quotaListErrors(list: ResourceList | undefined, path: string): Errors {
  return Object.entries(list ?? {}).flatMap(([name, amount]): Errors => {
    const field = `${path}[${name}]`;
    const isOther = !name.includes('/') && !isQuotaResource(name);
    return those(
      resourceNameErrors(name, field),
      isOther && invalid(field, name, 'must be a standard resource for quota'),
      resourceAmountErrors(name, amount, field),
    );
  });
}

const OF_PODS = new Set(['pods', 'cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory']);

/** Whether what a scope picks out can be counted as this resource. */
export function isCountedIn(scope: string, resource: string): boolean {
  switch (scope) {
    case 'Terminating':
    case 'NotTerminating':
    case 'NotBestEffort':
    case 'PriorityClass':
    case 'CrossNamespacePodAffinity':
      return OF_PODS.has(resource);
    case 'BestEffort':
      return resource === 'pods';
    case 'VolumeAttributesClass':
      return resource === 'persistentvolumeclaims' || resource === 'requests.storage';
    default:
      return true;
  }
}
