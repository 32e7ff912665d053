import { compareAmounts, isHugePages, isOvercommitAllowed, type ResourceList, sumOfAmounts } from '../../checks/index.js';
import type { Container, PodSpec } from '../../drafts.js';

/**
 * Resources of a pod as a whole.
 *
 * Source: kubernetes `pkg/apis/core/v1/defaults.go`, component-helpers `resource/helpers.go`.
 */
export function isPodLevelResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || isHugePages(name);
}

/** The resources that the containers of a pod need together: init containers that do not stay run before the others. */
export function sumOfContainers(spec: PodSpec, kind: 'limits' | 'requests'): ResourceList {
  const sum: ResourceList = {};
  for (const container of spec.containers ?? []) add(sum, container.resources?.[kind]);
  const sidecars: ResourceList = {};
  const peaks: ResourceList = {};
  for (const container of spec.initContainers ?? []) {
    const own = container.resources?.[kind];
    if (isSidecar(container)) {
      add(sum, own);
      add(sidecars, own);
      raise(peaks, sidecars);
      continue;
    }
    const peak: ResourceList = { ...own };
    add(peak, sidecars);
    raise(peaks, peak);
  }
  raise(sum, peaks);
  return sum;
}

export function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === 'Always';
}

function add(sum: ResourceList, amounts: ResourceList | undefined): void {
  for (const [name, amount] of Object.entries(amounts ?? {})) {
    const known = sum[name];
    sum[name] = known === undefined ? amount : sumOfAmounts(known, amount);
  }
}

function raise(list: ResourceList, amounts: ResourceList): void {
  for (const [name, amount] of Object.entries(amounts)) {
    const known = list[name];
    if (known === undefined || compareAmounts(known, amount) < 0) list[name] = amount;
  }
}

export function setPodLevelResourceDefaults(spec: PodSpec): void {
  const { resources } = spec;
  if (resources === undefined) return;
  setHugePageLimits(spec, resources);
  if (Object.keys(resources.limits ?? {}).length === 0) return;
  const requests: ResourceList = { ...resources.requests };
  for (const [name, amount] of Object.entries(sumOfContainers(spec, 'requests'))) {
    if (isPodLevelResource(name) && isOvercommitAllowed(name)) requests[name] ??= amount;
  }
  for (const [name, amount] of Object.entries(resources.limits ?? {})) if (isPodLevelResource(name)) requests[name] ??= amount;
  if (Object.keys(requests).length > 0) resources.requests = requests;
}

function setHugePageLimits(spec: PodSpec, resources: NonNullable<PodSpec['resources']>): void {
  const { limits = {}, requests = {} } = resources;
  if (Object.keys(limits).length === 0 && Object.keys(requests).length === 0) return;
  const completed: ResourceList = { ...limits };
  for (const [name, amount] of Object.entries(sumOfContainers(spec, 'limits'))) {
    if (isHugePages(name) && requests[name] === undefined) completed[name] ??= amount;
  }
  if (Object.keys(completed).length > 0) resources.limits = completed;
}
