import type { ResourceQuota } from '@keelson/kubernetes/kinds';
import type { AdmissionRequest, JsonObject } from '../../../contract/index.js';
import type { ResourceList } from '../pod-resources/index.js';

/** The things that a quota can count in the objects of one resource. */
export interface QuotaEvaluator {
  /** Those of the names in a quota that objects of the resource use up. */
  counted(names: readonly string[]): readonly string[];
  /** Whether a write can change what is used. */
  handles(request: AdmissionRequest): boolean;
  /** The amounts that one object uses. `now`: milliseconds. */
  usage(object: JsonObject, now: number): ResourceList;
  /** Whether an object is within a scope. Without: objects are in none. */
  isInScope?(requirement: ScopeRequirement, object: JsonObject): boolean;
  /** The fields that an object must set and does not, where these names are counted. */
  missing?(names: readonly string[], object: JsonObject): string | undefined;
}

export interface ScopeRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}

/** All of them have to hold. */
function scopesOf({ spec }: ResourceQuota): readonly ScopeRequirement[] {
  const scopes = (spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' }));
  return [...scopes, ...(spec?.scopeSelector?.matchExpressions ?? [])];
}

export function isWithinScopes(quota: ResourceQuota, object: JsonObject, evaluator: QuotaEvaluator): boolean {
  return scopesOf(quota).every((requirement) => evaluator.isInScope?.(requirement, object) === true);
}

/** Whether any of the names has what a requirement asks for. `names` is empty for an object without names. */
export function meetsRequirement({ operator, values = [] }: ScopeRequirement, names: readonly string[]): boolean {
  const candidates: readonly (string | undefined)[] = names.length === 0 ? [undefined] : names;
  return candidates.some((name) => {
    switch (operator) {
      case 'In':
        return name !== undefined && values.includes(name);
      case 'NotIn':
        return name === undefined || !values.includes(name);
      case 'Exists':
        return name !== undefined;
      default:
        return name === undefined;
    }
  });
}
