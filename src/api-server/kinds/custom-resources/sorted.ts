import { compareUtf8, type Json } from '@keelson/kubernetes/apimachinery';
import { type Draft, isObject, type MutableJson } from '../../contract/index.js';

/** A custom resource is a map to the server, which writes the keys of maps in order. The value itself where it is in order already; otherwise a copy of what is not. */
export function sorted(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? sortedItems(value as readonly Json[]) : sortedFields(value as Fields);
}

type Fields = { readonly [key: string]: Json };

function sortedItems(items: readonly Json[]): readonly Json[] {
  let copies: Json[] | undefined;
  for (const [index, item] of items.entries()) {
    const copy = sorted(item);
    if (copy === item) continue;
    copies ??= [...items];
    copies[index] = copy;
  }
  return copies ?? items;
}

function sortedFields(fields: Fields): Fields {
  const keys = Object.keys(fields);
  if (!isInOrder(keys)) return Object.fromEntries(keys.sort(compareUtf8).map((key) => [key, sorted(fields[key] as Json)]));
  let copies: Record<string, Json> | undefined;
  for (const key of keys) {
    const item = fields[key] as Json;
    const copy = sorted(item);
    if (copy === item) continue;
    // Spread before writing: `__proto__` is a key like any other.
    copies ??= { ...fields };
    copies[key] = copy;
  }
  return copies ?? fields;
}

/** Keys that JavaScript takes for indexes have an order of their own; nothing can be done about it here. */
function isInOrder(keys: readonly string[]): boolean {
  for (let index = 1; index < keys.length; index += 1) {
    if (compareUtf8(keys[index - 1] as string, keys[index] as string) > 0) return false;
  }
  return true;
}

/** {@link sorted}, in place. */
export function sortDraft(draft: Draft): void {
  replaceFields(draft, sorted(draft) as Draft);
}

/** Makes `draft` have the fields of `fields`, and their order. */
export function replaceFields(draft: Draft, fields: Draft): void {
  if (fields === draft) return;
  for (const key of Object.keys(draft)) delete draft[key];
  Object.assign(draft, fields);
}

/** The draft's metadata, made where it is absent. */
export function metadataOf(draft: Draft): Draft {
  const { metadata } = draft;
  if (isObject(metadata)) return metadata;
  const created: Draft = {};
  draft['metadata'] = created as MutableJson;
  return created;
}
