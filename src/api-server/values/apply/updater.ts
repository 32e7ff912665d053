import { equalJson } from '@keelson/kubernetes/apimachinery';
import { type Comparison, compareTyped, excludeFields } from './compare.js';
import { FieldSet } from './field-set.js';
import type { Managers, OwnedSet, Versions } from './managers.js';
import { mergeValues } from './merge.js';
import type { Path } from './path-element.js';
import { prune } from './prune.js';
import { reconcileSet } from './reconcile-set.js';
import { toFieldSet } from './to-field-set.js';
import type { TypedValue } from './typed-value.js';

/** One field that a manager could not take from another. */
export interface Conflict {
  readonly manager: string;
  readonly path: Path;
}

export interface UpdateRequest {
  readonly live: TypedValue;
  readonly now: TypedValue;
  readonly managers: Managers;
  readonly manager: string;
}

/** Attributes a change that is already made: the writer of a field owns it alone, a field that is gone has no owner. */
export function updateManagers({ live, now, managers, manager }: UpdateRequest, versions: Versions): Managers {
  const reconciled = reconcileManagers(live, managers, versions);
  const { comparison, losses } = compareForAll({ live, now, managers: reconciled, manager }, versions);
  const next = new Map(withoutLosses(losses));
  const mine = reconciled.get(manager)?.set ?? FieldSet.EMPTY;
  const written = mine.difference(comparison.removed).union(comparison.modified).union(comparison.added);
  const reset = versions.resetFields(now.apiVersion);
  const set = reset === undefined ? written : written.recursiveDifference(reset);
  if (set.isEmpty) next.delete(manager);
  else next.set(manager, { set, apiVersion: now.apiVersion, applied: false });
  return next;
}

export interface ApplyRequest {
  readonly live: TypedValue;
  readonly config: TypedValue;
  readonly managers: Managers;
  readonly manager: string;
  readonly force: boolean;
}

export type ApplyOutcome =
  | { readonly conflicts: readonly Conflict[] }
  | {
      readonly conflicts?: undefined;
      readonly managers: Managers;
      /** Undefined: the object stays as it is. */
      readonly merged: TypedValue | undefined;
    };

/** Merges a configuration into the live object, removes what its manager applied before and no longer names, and returns who now owns what. */
export function applyConfig({ live, config, managers, manager, force }: ApplyRequest, versions: Versions): ApplyOutcome {
  const reconciled = new Map(reconcileManagers(live, managers, versions));
  const merged = { ...live, value: mergeValues(live.type, live.value, config.value) };
  const last = reconciled.get(manager);
  const reset = versions.resetFields(config.apiVersion);
  const named = toFieldSet(config.type, config.value);
  const set = reset === undefined ? named : named.recursiveDifference(reset);
  reconciled.set(manager, { set, apiVersion: config.apiVersion, applied: true });
  const now = prune({ merged, managers: reconciled, last, apiVersion: config.apiVersion }, versions);
  const { losses } = compareForAll({ live, now, managers: reconciled, manager }, versions);
  const conflicts = losses.flatMap(({ manager: holder, taken }) => taken.paths().map((path) => ({ manager: holder, path })));
  if (!force && conflicts.length > 0) return { conflicts };
  const next = new Map(withoutLosses(losses));
  if (!set.isEmpty) next.set(manager, { set, apiVersion: config.apiVersion, applied: true });
  return { managers: next, merged: equalJson(live.value, now.value) ? undefined : now };
}

/** The fields that a change takes from a manager other than the one who makes it. */
interface Loss {
  readonly manager: string;
  readonly owned: OwnedSet;
  /** Changed by another manager: a conflict if it is applied without force. */
  readonly taken: FieldSet;
  /** No longer there. */
  readonly removed: FieldSet;
}

interface ForAll {
  /** At the version of the change. */
  readonly comparison: Comparison;
  readonly losses: readonly Loss[];
}

/** Compares old and new at every manager's own version. Managers of a version that is gone have no loss: they are dropped. */
function compareForAll({ live, now, managers, manager }: UpdateRequest, versions: Versions): ForAll {
  const comparison = excludeFields(compareTyped(live.type, live.value, now.value), versions.resetFields(now.apiVersion));
  const byVersion = new Map<string, Comparison | undefined>([[now.apiVersion, comparison]]);
  const comparisonAt = (apiVersion: string): Comparison | undefined => {
    if (!byVersion.has(apiVersion)) byVersion.set(apiVersion, compareAt(apiVersion, { live, now }, versions));
    return byVersion.get(apiVersion);
  };
  const losses: Loss[] = [];
  for (const [other, owned] of managers) {
    if (other === manager) continue;
    const changes = comparisonAt(owned.apiVersion);
    if (changes === undefined) continue;
    const taken = owned.set.intersection(changes.modified.union(changes.added));
    losses.push({ manager: other, owned, taken, removed: changes.removed });
  }
  return { comparison, losses };
}

function compareAt(apiVersion: string, { live, now }: Pick<UpdateRequest, 'live' | 'now'>, versions: Versions): Comparison | undefined {
  const old = versions.convert(live, apiVersion, 'failed to convert old object: ');
  const young = versions.convert(now, apiVersion, 'failed to convert new object: ');
  if (old === undefined || young === undefined) return undefined;
  return excludeFields(compareTyped(old.type, old.value, young.value), versions.resetFields(apiVersion));
}

function* withoutLosses(losses: readonly Loss[]): Iterable<[string, OwnedSet]> {
  for (const { manager, owned, taken, removed } of losses) {
    const set = owned.set.difference(taken).difference(removed);
    if (!set.isEmpty) yield [manager, { ...owned, set }];
  }
}

function reconcileManagers(live: TypedValue, managers: Managers, versions: Versions): Managers {
  const result = new Map<string, OwnedSet>();
  for (const [manager, owned] of managers) {
    const versioned = versions.convert(live, owned.apiVersion);
    if (versioned !== undefined) result.set(manager, { ...owned, set: reconcileSet(versioned.type, owned.set) });
  }
  return result;
}
