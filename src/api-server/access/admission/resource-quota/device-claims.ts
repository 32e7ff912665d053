import type { JsonObject } from '../../../contract/index.js';
import { quantityOf, type ResourceList } from '../pod-resources/index.js';
import type { QuotaEvaluator } from './evaluator.js';

const COUNT = 'count/resourceclaims.resource.k8s.io';
const OF_CLASS = '.deviceclass.resource.k8s.io/devices';
/** The most devices that a claim can get. Source: api `resource/v1` (`AllocationResultsMaxSize`). */
const MOST_DEVICES = 32;

interface DeviceRequest {
  readonly deviceClassName?: string;
  readonly allocationMode?: string;
  readonly count?: number;
}

/** A request as every version has it: the betas have the fields of `exactly` beside it. */
interface StoredRequest extends DeviceRequest {
  readonly exactly?: DeviceRequest;
  readonly firstAvailable?: readonly DeviceRequest[];
}

/** Source: kubernetes `pkg/quota/v1/evaluator/core/resource_claims.go`. */
export const resourceClaims: QuotaEvaluator = {
  counted: (names) => names.filter((name) => name === COUNT || name.endsWith(OF_CLASS)),
  handles: ({ subresource, operation }) => subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
  usage: usageOf,
};

function usageOf(object: JsonObject): ResourceList {
  const { devices } = (object['spec'] ?? {}) as { readonly devices?: { readonly requests?: readonly StoredRequest[] } };
  const counts = new Map<string, number>([[COUNT, 1]]);
  for (const request of devices?.requests ?? []) {
    for (const [name, count] of devicesOf(request)) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  return new Map([...counts].map(([name, count]) => [name, quantityOf(String(count))]));
}

/** The dearest of several ways to fulfil a request counts, for each class. */
function devicesOf({ exactly, firstAvailable = [], ...flat }: StoredRequest): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  if (firstAvailable.length === 0) {
    const request = exactly ?? flat;
    if (request.deviceClassName !== undefined) counts.set(request.deviceClassName + OF_CLASS, countOf(request));
    return counts;
  }
  for (const request of firstAvailable) {
    const name = (request.deviceClassName ?? '') + OF_CLASS;
    const count = Math.max(counts.get(name) ?? 0, countOf(request));
    if (count > 0) counts.set(name, count);
  }
  return counts;
}

function countOf({ allocationMode, count = 0 }: DeviceRequest): number {
  return allocationMode === 'ExactCount' ? count : allocationMode === 'All' ? MOST_DEVICES : 0;
}
