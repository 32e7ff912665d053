import { compareQuantities, compareUtf8 } from '@keelson/kubernetes/apimachinery';
import type { ResourceQuota } from '@keelson/kubernetes/kinds';
import type { AdmissionRequest, JsonObject } from '../../../contract/index.js';
import { type ResourceList, resourceListOf, sumOf, textsOf } from '../pod-resources/index.js';
import { refused } from '../refusal.js';
import { growthOf, isSameUse, masked, printed } from './amounts.js';
import { isWithinScopes, type QuotaEvaluator } from './evaluator.js';

/** A write that uses something up. */
export interface Charge {
  readonly request: AdmissionRequest;
  readonly evaluator: QuotaEvaluator;
}

/**
 * The quotas that a write changes, with what is used after it.
 *
 * Source: apiserver `pkg/admission/plugin/resourcequota/controller.go` (`CheckRequest`).
 *
 * @throws StatusError 403 where one of them has too little left
 */
export function chargedQuotas(quotas: readonly ResourceQuota[], charge: Charge): readonly ResourceQuota[] {
  const { request, evaluator } = charge;
  const object = request.object as JsonObject;
  const interested = quotas.filter((quota) => concerns(quota, object, evaluator));
  for (const quota of interested) checkQuota(quota, charge);
  if (interested.length === 0) return [];
  const usage = evaluator.usage(object, request.context.now().getTime());
  const negative = [...usage].filter(([, { unscaled }]) => unscaled < 0n).map(([name]) => name);
  if (negative.length > 0) throw refused(request, `quota usage is negative for resource(s): ${namesText(negative)}`);
  return interested.flatMap((quota) => {
    const used = resourceListOf(quota.status?.used);
    const after = usedAfter(quota, usage, charge);
    return isSameUse(used, after) ? [] : [{ ...quota, status: { ...quota.status, used: textsOf(after) } }];
  });
}

function concerns(quota: ResourceQuota, object: JsonObject, evaluator: QuotaEvaluator): boolean {
  return evaluator.counted(hardNames(quota)).length > 0 && isWithinScopes(quota, object, evaluator);
}

/** Only what the controller has taken up counts: a quota whose status is empty limits nothing. */
function hardNames({ status }: ResourceQuota): readonly string[] {
  return Object.keys(status?.hard ?? {});
}

function checkQuota(quota: ResourceQuota, { request, evaluator }: Charge): void {
  const name = quota.metadata?.name ?? '';
  const counted = evaluator.counted(hardNames(quota));
  const missing = evaluator.missing?.(counted, request.object as JsonObject);
  if (missing !== undefined) throw refused(request, `failed quota: ${name}: ${missing}`);
  if (counted.every((one) => quota.status?.used?.[one] !== undefined)) return;
  throw refused(request, `status unknown for quota: ${name}, resources: ${namesText(counted)}`);
}

function usedAfter(quota: ResourceQuota, usage: ResourceList, charge: Charge): ResourceList {
  const { request } = charge;
  const [hard, used] = [resourceListOf(quota.status?.hard), resourceListOf(quota.status?.used)];
  const requested = masked(growthOf(usage, usageBefore(quota, charge)), hard.keys());
  const after = sumOf(used, requested);
  if (request.subresource === 'status') return after;
  const exceeded = [...requested.keys()].filter((name) => {
    const [wanted, limit] = [after.get(name), hard.get(name)];
    return wanted !== undefined && limit !== undefined && compareQuantities(wanted, limit) > 0;
  });
  if (exceeded.length === 0) return after;
  const [asked, has, limited] = [requested, used, hard].map((list) => printed(masked(list, exceeded)));
  throw refused(request, `exceeded quota: ${quota.metadata?.name}, requested: ${asked}, used: ${has}, limited: ${limited}`);
}

/** The amounts of this quota that the object has used before; nothing for an object that has come into the quota's scopes by this change. */
function usageBefore(quota: ResourceQuota, { request, evaluator }: Charge): ResourceList | undefined {
  const { operation, oldObject, context } = request;
  if (operation !== 'UPDATE' || oldObject === undefined || !concerns(quota, oldObject, evaluator)) return undefined;
  return evaluator.usage(oldObject, context.now().getTime());
}

function namesText(names: readonly string[]): string {
  return [...names].sort(compareUtf8).join(',');
}
