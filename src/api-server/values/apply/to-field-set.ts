import { isJsonObject, type Json } from '@keelson/kubernetes/apimachinery';
import { type FieldSet, FieldSetBuilder } from './field-set.js';
import { isEmptyMap, isList } from './json-value.js';
import { listElements } from './list-elements.js';
import { fieldElement, type Path } from './path-element.js';
import { deduceAtom, fieldType, type ListType, type MapType, type TypeRef } from './type-ref.js';

/** Every leaf and every item that a value names. The value has been validated. */
export function toFieldSet(type: TypeRef, value: Json): FieldSet {
  const builder = new FieldSetBuilder();
  visit([], type, { value, builder });
  return builder.build();
}

interface Visit {
  readonly value: Json;
  readonly builder: FieldSetBuilder;
}

function visit(path: Path, type: TypeRef, visited: Visit): void {
  const { scalar, list, map } = deduceAtom(type.atom, visited.value);
  if (map !== undefined) visitMap(path, map, visited);
  else if (scalar !== undefined) visited.builder.insert(path);
  else if (list !== undefined) visitList(path, list, visited);
}

function visitMap(path: Path, type: MapType, { value, builder }: Visit): void {
  if (type.isAtomic) {
    builder.insert(path);
    return;
  }
  if (!isJsonObject(value)) return;
  for (const [name, field] of Object.entries(value)) {
    const below = [...path, fieldElement(name)];
    const its = fieldType(type, name);
    if (its !== undefined) visit(below, its, { value: field, builder });
    // The keys of a free map are data: they are owned. A declared field is owned only where nothing below it could be.
    const isNothing = field === null || (isJsonObject(field) && isEmptyMap(field));
    if (isNothing || !type.fields.has(name)) builder.insert(below);
  }
}

function visitList(path: Path, type: ListType, { value, builder }: Visit): void {
  if (type.isAtomic) {
    builder.insert(path);
    return;
  }
  if (!isList(value)) return;
  for (const { element, items } of listElements(type, value)) {
    const below = [...path, element];
    builder.insert(below);
    // Two items of one key are owned as one block.
    const [item] = items;
    if (items.length === 1 && item !== undefined && type.elementType !== undefined)
      visit(below, type.elementType, { value: item, builder });
  }
}
