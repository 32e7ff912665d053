import type { Json } from '../../kubernetes/index.js';
import { type FieldSet, FieldSetBuilder } from './field-set.js';
import { equalValues, fieldOf, isEmptyMap, isList, isMap, type JsonMap } from './json-value.js';
import { type ListElement, listElements } from './list-elements.js';
import type { Sides } from './merge.js';
import { fieldElement, type Path } from './path-element.js';
import { refuseProblems } from './problems.js';
import { type Atom, deduceAtom, fieldType, type ListType, type MapType, type ScalarType, sameDeduction, type TypeRef } from './type-ref.js';
import { scalarProblems, schemaProblem } from './validate.js';

/** What makes the new value differ from the old; no path is in two of the sets. */
export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

/**
 * Compares two validated values: leaves, and the items and maps that came or went.
 *
 * @throws TypeMismatch where neither side fits the type.
 */
export function compareTyped(type: TypeRef, old: Json, now: Json): Comparison {
  const builders = { removed: new FieldSetBuilder(), modified: new FieldSetBuilder(), added: new FieldSetBuilder() };
  visit([], type, { left: old, right: now, builders });
  return { removed: builders.removed.build(), modified: builders.modified.build(), added: builders.added.build() };
}

/** Leaves out some fields and what lies below them. */
export function excludeFields(comparison: Comparison, fields: FieldSet | undefined): Comparison {
  if (fields === undefined) return comparison;
  return {
    removed: comparison.removed.recursiveDifference(fields),
    modified: comparison.modified.recursiveDifference(fields),
    added: comparison.added.recursiveDifference(fields),
  };
}

interface Visit extends Sides {
  readonly builders: Readonly<Record<keyof Comparison, FieldSetBuilder>>;
}

function visit(path: Path, type: TypeRef, visited: Visit): void {
  const left = deduceAtom(type.atom, visited.left);
  const right = deduceAtom(type.atom, visited.right);
  const isLeft = visited.right === undefined;
  if (!isLeft && visited.left !== undefined && !sameDeduction(left, right)) visitAtom(path, left, { ...visited, type });
  const wasLeaf = visitAtom(path, isLeft ? left : right, { ...visited, type });
  if (wasLeaf) return;
  if (visited.left === undefined) visited.builders.added.insert(path);
  else if (visited.right === undefined) visited.builders.removed.insert(path);
}

/** Tells whether it was compared as one leaf. */
function visitAtom(path: Path, { scalar, list, map }: Atom, visited: Visit & { readonly type: TypeRef }): boolean {
  if (map !== undefined) return visitMaps(path, map, visited);
  if (scalar !== undefined) return visitScalars(path, scalar, visited);
  if (list !== undefined) return visitLists(path, list, visited);
  refuseProblems([{ path, message: schemaProblem(visited.type) }]);
  return false;
}

function visitLeaf(path: Path, { left, right, builders }: Visit): true {
  if (left === undefined) builders.added.insert(path);
  else if (right === undefined) builders.removed.insert(path);
  else if (!equalValues(left, right)) builders.modified.insert(path);
  return true;
}

function visitScalars(path: Path, scalar: ScalarType, visited: Visit): boolean {
  const left = scalarProblems(scalar, visited.left, 'lhs: ');
  const right = scalarProblems(scalar, visited.right, 'rhs: ');
  if (left.length > 0 && right.length > 0) refuseProblems([...left, ...right].map((message) => ({ path, message })));
  return visitLeaf(path, visited);
}

function visitMaps(path: Path, type: MapType, visited: Visit): boolean {
  const left: JsonMap = isMap(visited.left) ? visited.left : {};
  const right: JsonMap = isMap(visited.right) ? visited.right : {};
  if (type.isAtomic || (isEmptyMap(left) && isEmptyMap(right))) return visitLeaf(path, visited);
  for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const its = fieldType(type, name);
    if (its === undefined) continue;
    visit([...path, fieldElement(name)], its, { left: fieldOf(left, name), right: fieldOf(right, name), builders: visited.builders });
  }
  return false;
}

function visitLists(path: Path, type: ListType, visited: Visit): boolean {
  const left = isList(visited.left) ? visited.left : [];
  const right = isList(visited.right) ? visited.right : [];
  if (type.isAtomic || (left.length === 0 && right.length === 0)) return visitLeaf(path, visited);
  const olds = listElements(type, left);
  const news = new Map(listElements(type, right).map((entry) => [entry.element.id, entry]));
  for (const old of olds) {
    visitItems(path, { old, now: news.get(old.element.id) }, { type, builders: visited.builders });
    news.delete(old.element.id);
  }
  for (const now of news.values()) visitItems(path, { old: undefined, now }, { type, builders: visited.builders });
  return false;
}

type Pair = { readonly old: ListElement; readonly now: ListElement | undefined } | { readonly old: undefined; readonly now: ListElement };

/** One key on both sides. Items of a key that a side has twice are compared as a block; one that becomes or stops being such goes and comes whole. */
function visitItems(path: Path, { old, now }: Pair, { type, builders }: { type: ListType; builders: Visit['builders'] }): void {
  const below = [...path, (old ?? now).element];
  const [lefts, rights] = [old?.items ?? [], now?.items ?? []];
  const compareItems = (left: Json | undefined, right: Json | undefined): void => {
    if ((left !== undefined || right !== undefined) && type.elementType !== undefined) {
      visit(below, type.elementType, { left, right, builders });
    }
  };
  if (lefts.length <= 1 && rights.length <= 1) compareItems(lefts[0], rights[0]);
  else if (lefts.length >= 2 && rights.length >= 2) {
    if (!equalValues(lefts, rights)) builders.modified.insert(below);
  } else if (lefts.length >= 2) {
    compareItems(undefined, rights[0]);
    builders.removed.insert(below);
  } else {
    compareItems(lefts[0], undefined);
    builders.added.insert(below);
  }
}
