import { compareUtf8 } from '@keelson/kubernetes/apimachinery';
import type { Container, Pod } from '@keelson/kubernetes/kinds';
import type { AdmissionRequest, JsonObject } from '../../../contract/index.js';
import { heldByStatus, podResources, quantityOf, type ResourceList, resourceListOf } from '../pod-resources/index.js';
import type { QuotaEvaluator } from './evaluator.js';
import { isPodInScope, isTerminating } from './pod-scopes.js';

const COUNT = 'count/pods';
const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'] as const;
const REQUESTS = 'requests.';
const HUGE_PAGES = 'hugepages-';

const COUNTED: ReadonlySet<string> = new Set([COUNT, 'pods', ...COMPUTE.flatMap((name) => [name, `${REQUESTS}${name}`, `limits.${name}`])]);

/** The resources that every container must name where a quota counts them. */
const DEMANDED: ReadonlySet<string> = new Set(['cpu', 'memory'].flatMap((name) => [name, `${REQUESTS}${name}`, `limits.${name}`]));

/** Source: kubernetes `pkg/quota/v1/evaluator/core/pods.go`. */
export const pods: QuotaEvaluator = {
  counted: (names) => names.filter(isCounted),
  handles,
  usage: (object, now) => usageOf(object as unknown as Pod, now),
  isInScope: (requirement, object) => isPodInScope(requirement, object as unknown as Pod),
  missing: (names, object) => missingIn(names, object as unknown as Pod),
};

function isCounted(name: string): boolean {
  const isHuge = name.startsWith(HUGE_PAGES) || name.startsWith(REQUESTS + HUGE_PAGES);
  return COUNTED.has(name) || isHuge || (!isNative(name) && name.startsWith(REQUESTS));
}

function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

function handles({ subresource, operation, object, oldObject }: AdmissionRequest): boolean {
  if (subresource === 'resize') return operation === 'UPDATE';
  if (subresource !== '') return false;
  if (operation !== 'UPDATE') return operation === 'CREATE';
  const terminates = (pod: JsonObject | undefined): boolean => pod !== undefined && isTerminating(pod as unknown as Pod);
  return terminates(object) !== terminates(oldObject);
}

/** Objects are counted as long as they are there, resources only as long as the pod can run. */
function usageOf(pod: Pod, now: number): ResourceList {
  const { spec } = pod;
  const count = [COUNT, quantityOf('1')] as const;
  if (spec === undefined || !isActive(pod, now)) return new Map([count]);
  const isPodLevel = (name: string): boolean => name === 'cpu' || name === 'memory' || name.startsWith(HUGE_PAGES);
  const options = { isPodLevel, held: heldByStatus(pod), withOverhead: true };
  return new Map([count, ...computed(podResources(spec, 'requests', options), podResources(spec, 'limits', options))]);
}

function isActive({ metadata, status }: Pod, now: number): boolean {
  if (status?.phase === 'Failed' || status?.phase === 'Succeeded') return false;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata ?? {};
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return true;
  // A pod that is never ended (its node is lost) must not keep others from taking its place.
  return now <= Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000;
}

function computed(requests: ResourceList, limits: ResourceList): ResourceList {
  const usage = new Map([['pods', quantityOf('1')]]);
  for (const name of COMPUTE) {
    const [request, limit] = [requests.get(name), limits.get(name)];
    if (request !== undefined) usage.set(name, request).set(REQUESTS + name, request);
    if (limit !== undefined) usage.set(`limits.${name}`, limit);
  }
  for (const [name, request] of requests) {
    if (name.startsWith(HUGE_PAGES)) usage.set(name, request).set(REQUESTS + name, request);
    if (!isNative(name) && !name.startsWith(REQUESTS)) usage.set(REQUESTS + name, request);
  }
  return usage;
}

function missingIn(names: readonly string[], { spec }: Pod): string | undefined {
  const own = Object.keys({ ...spec?.resources?.requests, ...spec?.resources?.limits });
  if (own.some((name) => name === 'cpu' || name === 'memory' || name.startsWith(HUGE_PAGES))) return undefined;
  const containers = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
  const demands = names
    .filter((name) => DEMANDED.has(name))
    .sort(compareUtf8)
    .map((name) => [name, containers.filter((container) => !says(container, name)).map((container) => container.name)] as const)
    .filter(([, silent]) => silent.length > 0);
  const texts = demands.map(([name, silent]) => `${name} for: ${silent.sort(compareUtf8).join(',')}`);
  return texts.length === 0 ? undefined : `must specify ${texts.join('; ')}`;
}

function says({ resources }: Container, name: string): boolean {
  return computed(resourceListOf(resources?.requests), resourceListOf(resources?.limits)).has(name);
}
