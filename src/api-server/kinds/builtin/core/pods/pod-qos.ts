import { compareAmounts, isNegativeAmount, isZeroAmount, type ResourceList, sumOfAmounts } from '../../checks/index.js';
import type { PodSpec } from '../../drafts.js';

type QosClass = 'BestEffort' | 'Burstable' | 'Guaranteed';

const RESOURCES = ['cpu', 'memory'];

/** How badly a pod is treated when its node runs short. Source: kubernetes `pkg/apis/core/helper/qos`. */
export function qosClassOf(spec: PodSpec): QosClass {
  const holders =
    spec.resources === undefined ? [...(spec.containers ?? []), ...(spec.initContainers ?? [])] : [{ resources: spec.resources }];
  const requests: ResourceList = {};
  const limits: ResourceList = {};
  let isGuaranteed = true;
  for (const { resources } of holders) {
    add(requests, resources?.requests);
    const limited = add(limits, resources?.limits);
    // For the pod as a whole, limits that are not there say nothing.
    const counts = spec.resources === undefined || Object.keys(resources?.limits ?? {}).length > 0;
    if (counts && limited < RESOURCES.length) isGuaranteed = false;
  }
  const names = Object.keys(requests);
  const limitNames = Object.keys(limits);
  if (names.length === 0 && limitNames.length === 0) return 'BestEffort';
  const areEqual = names.every((name) => {
    const [request, limit] = [requests[name], limits[name]];
    return request !== undefined && limit !== undefined && compareAmounts(request, limit) === 0;
  });
  return isGuaranteed && areEqual && names.length === limitNames.length ? 'Guaranteed' : 'Burstable';
}

/** @returns how many of the resources that count have an amount. */
function add(sum: ResourceList, amounts: ResourceList | undefined): number {
  let found = 0;
  for (const name of RESOURCES) {
    const amount = amounts?.[name];
    if (amount === undefined || isZeroAmount(amount) || isNegativeAmount(amount)) continue;
    const known = sum[name];
    sum[name] = known === undefined ? amount : sumOfAmounts(known, amount);
    found += 1;
  }
  return found;
}
