import type { PatchType } from '../../../../src/api-server/values/strategic-merge/index.js';
import type { Json, JsonObject } from '../../../../src/kubernetes/apimachinery/index.js';

/** Brings the merged lists of a value into one order, so that values can be compared whose lists are merged as sets. */
export function sortMergeLists(value: JsonObject, type: PatchType): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, sortField(name, item, type)]));
}

function sortField(name: string, value: Json, type: PatchType): Json {
  if (name.startsWith('$')) return value;
  if (Array.isArray(value)) return sortList(name, value as readonly Json[], type);
  return typeof value === 'object' && value !== null ? sortMergeLists(value as JsonObject, type.rule(name).type) : value;
}

function sortList(name: string, list: readonly Json[], type: PatchType): Json {
  const { strategy, mergeKey, type: itemType } = type.listRule(name);
  if (strategy !== 'merge') return list;
  const items = list.map((item) => (typeof item === 'object' && item !== null ? sortMergeLists(item as JsonObject, itemType) : item));
  const keyOf = (item: Json): string => String(mergeKey === '' ? item : (item as JsonObject)[mergeKey]);
  return items.sort((left, right) => keyOf(left).localeCompare(keyOf(right)));
}
