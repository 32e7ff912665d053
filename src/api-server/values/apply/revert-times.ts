import { equalJson, type Json, type ManagedFieldsEntry } from '@keelson/kubernetes/apimachinery';
import { type ApiObject, managedFieldsOf, withManagedFields } from './object-fields.js';

/** A write whose only effect would be the time of an entry gives the live object back, so that it does nothing at all. */
export function revertTimes(live: ApiObject, updated: ApiObject): ApiObject {
  const [old, young] = [managedFieldsOf(live) ?? [], managedFieldsOf(updated) ?? []];
  if (young.length === 0 || old.length !== young.length) return updated;
  const isSame =
    equalJson(withoutTimes(old), withoutTimes(young)) && equalJson(withManagedFields(live, []), withManagedFields(updated, []));
  return isSame ? withManagedFields(updated, old) : updated;
}

function withoutTimes(entries: readonly ManagedFieldsEntry[]): Json {
  return entries.map(({ time: _, ...entry }) => entry) as unknown as Json;
}
