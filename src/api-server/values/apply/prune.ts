import { FieldSet } from './field-set.js';
import type { Managers, OwnedSet, Versions } from './managers.js';
import { removeFields } from './remove-fields.js';
import { toFieldSet } from './to-field-set.js';
import type { TypedValue } from './typed-value.js';

export interface PruneRequest {
  readonly merged: TypedValue;
  /** With the set of the configuration that is being applied. */
  readonly managers: Managers;
  /** The fields that the applying manager held before. */
  readonly last: OwnedSet | undefined;
  /** Version of the configuration. */
  readonly apiVersion: string;
}

/** The words of structured-merge-diff 6.3, `merge/update.go`. */
const FAILURE = 'failed to prune fields: ';
const OWNED_FAILURE = `${FAILURE}failed add back owned items: `;

/** Removes the fields and items that the manager applied the last time, does not apply this time, and that no other manager owns. */
export function prune({ merged, managers, last, apiVersion }: PruneRequest, versions: Versions): TypedValue {
  if (last === undefined || last.set.isEmpty) return merged;
  const atLast = versions.convert(merged, last.apiVersion, `${FAILURE}failed to convert merged object to last applied version: `);
  if (atLast === undefined) return merged;
  const bare = without(atLast, last.set.withNamedFields(atLast.type));
  const owned = addBackOwned({ merged: atLast, pruned: bare }, { managers, first: last.apiVersion }, versions);
  const whole = addBackDangling({ merged: atLast, pruned: owned }, last, versions);
  // The configuration has this version, so it is served.
  return versions.convert(whole, apiVersion, FAILURE) ?? whole;
}

interface Pruning {
  readonly merged: TypedValue;
  readonly pruned: TypedValue;
}

/** Puts back what went although a manager (the new configuration too) owns it, version by version. */
function addBackOwned(start: Pruning, { managers, first }: { managers: Managers; first: string }, versions: Versions): TypedValue {
  const byVersion = new Map<string, FieldSet>();
  for (const { apiVersion, set } of managers.values()) byVersion.set(apiVersion, (byVersion.get(apiVersion) ?? FieldSet.EMPTY).union(set));
  // The pruned version first: what it puts back may be what the conversion to the others needs.
  const order = [first, ...[...byVersion.keys()].filter((version) => version !== first).sort()];
  let state = start;
  for (const apiVersion of order) {
    const owned = byVersion.get(apiVersion);
    if (owned !== undefined) state = addBackAtVersion(state, { apiVersion, owned }, versions);
  }
  return state.pruned;
}

function addBackAtVersion(state: Pruning, { apiVersion, owned }: { apiVersion: string; owned: FieldSet }, versions: Versions): Pruning {
  const merged = versions.convert(state.merged, apiVersion, `${OWNED_FAILURE}failed to convert merged object at version ${apiVersion}: `);
  if (merged === undefined) return state;
  const pruned = versions.convert(state.pruned, apiVersion, `${OWNED_FAILURE}failed to convert pruned object at version ${apiVersion}: `);
  if (pruned === undefined) return { merged, pruned: state.pruned };
  const kept = named(pruned).union(owned.withNamedFields(merged.type));
  return { merged, pruned: without(merged, named(merged).difference(kept)) };
}

/** Puts back what went although the manager did not hold it: fields without a manager, and fields of managers that updated. */
function addBackDangling({ merged, pruned }: Pruning, last: OwnedSet, versions: Versions): TypedValue {
  const converted = versions.convert(pruned, last.apiVersion);
  if (converted === undefined) return merged;
  const gone = named(merged).difference(named(converted));
  return without(merged, gone.intersection(last.set.withNamedFields(merged.type)));
}

/** Field set of a value, with the declared fields on the way. */
function named({ type, value }: TypedValue): FieldSet {
  return toFieldSet(type, value).withNamedFields(type);
}

function without(typed: TypedValue, fields: FieldSet): TypedValue {
  return { ...typed, value: removeFields(typed.type, typed.value, fields) };
}
