import { fieldOf, isJsonObject, type Json, type JsonObject } from '@keelson/kubernetes/apimachinery';
import { isEmptyMap, isList } from './json-value.js';
import { mergeLists } from './merge-lists.js';
import { refuseProblems } from './problems.js';
import { type Atom, deduceAtom, fieldType, type ListType, type MapType, type ScalarType, sameDeduction, type TypeRef } from './type-ref.js';
import { scalarProblems, schemaProblem } from './validate.js';

/** A value that is there on at least one side; undefined: absent, which is not null. */
export interface Sides {
  readonly left: Json | undefined;
  readonly right: Json | undefined;
}

/**
 * Merges a configuration into a live value: the configuration's leaves win, nothing is removed.
 *
 * Both have been validated. The result shares unchanged parts with them.
 *
 * @throws TypeMismatch where neither side fits the type.
 */
export function mergeValues(type: TypeRef, live: Json, config: Json): Json {
  return mergeSides(type, { left: live, right: config }) ?? null;
}

/** Undefined: nothing is left that could stand in the result. */
function mergeSides(type: TypeRef, sides: Sides): Json | undefined {
  const left = deduceAtom(type.atom, sides.left);
  const right = deduceAtom(type.atom, sides.right);
  if (sides.right === undefined) return mergeAtom(type, left, sides);
  // Where the kinds differ, the left side's reading still has to be a legal one.
  if (sides.left !== undefined && !sameDeduction(left, right)) mergeAtom(type, left, sides);
  return mergeAtom(type, right, sides);
}

function mergeAtom(type: TypeRef, { scalar, list, map }: Atom, sides: Sides): Json | undefined {
  if (map !== undefined) return mergeMaps(map, sides);
  if (scalar !== undefined) return mergeScalars(scalar, sides);
  if (list !== undefined) return mergeListSides(list, sides);
  refuseProblems([{ path: [], message: schemaProblem(type) }]);
  return undefined;
}

function leaf({ left, right }: Sides): Json | undefined {
  return right === undefined ? left : right;
}

function mergeScalars(scalar: ScalarType, sides: Sides): Json | undefined {
  const left = scalarProblems(scalar, sides.left, 'lhs: ');
  const right = scalarProblems(scalar, sides.right, 'rhs: ');
  if (left.length > 0 && right.length > 0) refuseProblems([...left, ...right].map((message) => ({ path: [], message })));
  return leaf(sides);
}

function mergeMaps(type: MapType, sides: Sides): Json | undefined {
  const left: JsonObject = isJsonObject(sides.left) ? sides.left : {};
  const right: JsonObject = isJsonObject(sides.right) ? sides.right : {};
  // Nothing on both sides is a leaf: so the difference between nothing and null stays.
  if (type.isAtomic || (isEmptyMap(left) && isEmptyMap(right))) return leaf(sides);
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  const fields: [string, Json][] = [];
  for (const name of names) {
    const its = fieldType(type, name);
    if (its === undefined) continue;
    const merged = mergeSides(its, { left: fieldOf(left, name), right: fieldOf(right, name) });
    if (merged !== undefined) fields.push([name, merged]);
  }
  return fields.length > 0 ? Object.fromEntries(fields) : undefined;
}

function mergeListSides(type: ListType, sides: Sides): Json | undefined {
  const left = isList(sides.left) ? sides.left : [];
  const right = isList(sides.right) ? sides.right : [];
  const { elementType } = type;
  if (type.isAtomic || elementType === undefined || (left.length === 0 && right.length === 0)) return leaf(sides);
  const merged = mergeLists(type, { left, right }, (item) => mergeSides(elementType, item));
  return merged.length > 0 ? merged : undefined;
}
