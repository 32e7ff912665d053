import { isJsonObject, type Json } from '@keelson/kubernetes/apimachinery';
import type { FieldSet } from './field-set.js';
import { isEmptyMap, isList } from './json-value.js';
import { elementOf } from './list-elements.js';
import { fieldElement, type PathElement } from './path-element.js';
import { deduceAtom, fieldType, type ListType, type MapType, type TypeRef } from './type-ref.js';

/** A validated value without the fields and items of a set. A map or list that loses its last entry becomes null. */
export function removeFields(type: TypeRef, value: Json, fields: FieldSet): Json {
  return pick(type, value, { fields, isExtract: false });
}

/** Keeps only the fields and items of a set of a validated value: what `Extract…` of the Go clients gives. */
export function extractFields(type: TypeRef, value: Json, fields: FieldSet): Json {
  return pick(type, value, { fields, isExtract: true });
}

interface Selection {
  readonly fields: FieldSet;
  readonly isExtract: boolean;
}

function pick(type: TypeRef | undefined, value: Json, selection: Selection): Json {
  if (type === undefined) return null;
  const { scalar, list, map } = deduceAtom(type.atom, value);
  if (map !== undefined) return pickFields(map, value, selection);
  if (scalar !== undefined) return value;
  return list === undefined ? null : pickItems(list, value, selection);
}

function pickFields(type: MapType, value: Json, selection: Selection): Json {
  if (!isJsonObject(value) || isEmptyMap(value)) return null;
  if (type.isAtomic) return selection.isExtract ? value : null;
  const kept: [string, Json][] = [];
  for (const [name, field] of Object.entries(value)) {
    for (const picked of pickOne(fieldElement(name), field, { type: fieldType(type, name), selection, isItem: false }))
      kept.push([name, picked]);
  }
  return kept.length > 0 ? Object.fromEntries(kept) : null;
}

function pickItems(type: ListType, value: Json, selection: Selection): Json {
  if (!isList(value) || value.length === 0) return null;
  if (type.isAtomic) return selection.isExtract ? value : null;
  const kept = value.flatMap((item) => pickOne(elementOf(type, item), item, { type: type.elementType, selection, isItem: true }));
  return kept.length > 0 ? kept : null;
}

interface Candidate {
  readonly type: TypeRef | undefined;
  readonly selection: Selection;
  readonly isItem: boolean;
}

/** The rest of one field or item: nothing or one value (two for an extracted item that is a member and has members below, as upstream does). */
function pickOne(element: PathElement, value: Json, { type, selection, isItem }: Candidate): Json[] {
  const { fields, isExtract } = selection;
  const out: Json[] = [];
  if (fields.hasElement(element)) {
    if (!isExtract) return [];
    out.push(pick(type, value, selection));
    if (!isItem) return out;
  }
  const below = fields.below(element);
  if (!below.isEmpty) out.push(pick(type, value, { fields: below, isExtract }));
  else if (!isExtract) out.push(value);
  return out;
}
