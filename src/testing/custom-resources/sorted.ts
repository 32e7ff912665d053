import { compareUtf8, type Json } from '../../kubernetes/index.js';
import { type Draft, isObject, type MutableJson } from '../resources/index.js';

/** A custom resource is a map to the server, which writes the keys of maps in order. The value itself where it is in order already; otherwise a copy of what is not. */
export function sorted(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    const copies = items.map(sorted);
    return copies.every((item, index) => item === items[index]) ? items : copies;
  }
  const fields = value as { readonly [key: string]: Json };
  const keys = Object.keys(fields);
  const inOrder = keys.every((key, index) => index === 0 || compareUtf8(keys[index - 1] as string, key) < 0);
  const order = inOrder ? keys : keys.sort(compareUtf8);
  let isSame = inOrder;
  const copies = order.map((key) => {
    const copy = sorted(fields[key] as Json);
    if (copy !== fields[key]) isSame = false;
    return [key, copy] as const;
  });
  return isSame ? value : Object.fromEntries(copies);
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

/** The draft's metadata, made where there is none. */
export function metadataOf(draft: Draft): Draft {
  const { metadata } = draft;
  if (isObject(metadata)) return metadata;
  const created: Draft = {};
  draft['metadata'] = created as MutableJson;
  return created;
}
