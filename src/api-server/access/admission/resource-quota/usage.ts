import type { ResourceQuota } from '@keelson/kubernetes/kinds';
import type { ClusterView, JsonObject, Resource } from '../../../contract/index.js';
import { type ResourceList, resourceListOf, sumOf, textsOf } from '../pod-resources/index.js';
import { isSameUse, masked, zeroOf } from './amounts.js';
import { isWithinScopes, type QuotaEvaluator } from './evaluator.js';
import { evaluatorOf } from './evaluators.js';

export interface QuotaSurroundings {
  readonly cluster: ClusterView;
  /** All that are served. */
  readonly resources: readonly Resource[];
  /** Milliseconds. */
  readonly now: number;
}

export interface QuotaStatus {
  readonly hard: Readonly<Record<string, string>>;
  readonly used: Readonly<Record<string, string>>;
}

/**
 * The status that a quota should have by the objects that are there.
 *
 * Source: kubernetes `pkg/controller/resourcequota`, apiserver `pkg/quota/v1` (`CalculateUsage`).
 *
 * @returns undefined where it has it
 */
export function quotaUsage(quota: ResourceQuota, surroundings: QuotaSurroundings): QuotaStatus | undefined {
  const hard = resourceListOf(quota.spec?.hard);
  const { status } = quota;
  const known = resourceListOf(status?.used);
  const used = masked(new Map([...known, ...countedNow(quota, surroundings)]), hard.keys());
  const isSame =
    status?.hard !== undefined && status.used !== undefined && isSameUse(hard, resourceListOf(status.hard)) && isSameUse(known, used);
  return isSame ? undefined : { hard: textsOf(hard), used: textsOf(used) };
}

function countedNow(quota: ResourceQuota, surroundings: QuotaSurroundings): ResourceList {
  const names = Object.keys(quota.spec?.hard ?? {});
  let used: ResourceList = new Map();
  for (const resource of surroundings.resources.filter(isCountable)) {
    const evaluator = evaluatorOf(resource);
    const counted = evaluator?.counted(names) ?? [];
    if (evaluator !== undefined && counted.length > 0)
      used = sumOf(used, countedOf(quota, { ...surroundings, resource, evaluator, counted }));
  }
  return used;
}

interface Counting extends QuotaSurroundings {
  readonly resource: Resource;
  readonly evaluator: QuotaEvaluator;
  readonly counted: readonly string[];
}

function countedOf(quota: ResourceQuota, { cluster, resource, evaluator, counted, now }: Counting): ResourceList {
  const objects: readonly JsonObject[] = cluster.list(resource, quota.metadata?.namespace ?? '');
  const usages = objects.filter((object) => isWithinScopes(quota, object, evaluator)).map((object) => evaluator.usage(object, now));
  return masked(sumOf(zeroOf(counted), ...usages), counted);
}

const NEEDED = ['create', 'list', 'watch', 'delete'] as const;

function isCountable({ scope, versions }: Resource): boolean {
  return scope === 'Namespaced' && versions.some(({ verbs }) => NEEDED.every((verb) => verbs.includes(verb)));
}

/** Whether a quota has to be counted again when objects of a resource go or change. */
export function countsResource(quota: ResourceQuota, resource: Pick<Resource, 'group' | 'plural'>): boolean {
  return (evaluatorOf(resource)?.counted(Object.keys(quota.status?.hard ?? {})) ?? []).length > 0;
}
