import { equalJson, fieldOf, isJsonObject, type Json, type JsonObject } from '@keelson/kubernetes/apimachinery';
import { type FieldSet, FieldSetBuilder } from './field-set.js';
import { isEmptyMap, isList } from './json-value.js';
import { type ListElement, listElements } from './list-elements.js';
import type { Sides } from './merge.js';
import { fieldElement, type PathElement } from './path-element.js';
import { refuseProblems } from './problems.js';
import { type Atom, deduceAtom, fieldType, type ListType, type MapType, type ScalarType, sameDeduction, type TypeRef } from './type-ref.js';
import { scalarProblems, schemaProblem } from './validate.js';

/** The paths at which the new value differs from the old; no path is in two of the sets. */
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
  const comparing = new Comparing();
  comparing.visit(type, old, now);
  return comparing.result();
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

/** The way through two values at once. It keeps one path, which grows and shrinks: a copy for each field would cost more than all else. */
class Comparing {
  readonly #removed = new FieldSetBuilder();
  readonly #modified = new FieldSetBuilder();
  readonly #added = new FieldSetBuilder();
  readonly #path: PathElement[] = [];

  result(): Comparison {
    return { removed: this.#removed.build(), modified: this.#modified.build(), added: this.#added.build() };
  }

  visit(type: TypeRef, left: Json | undefined, right: Json | undefined): void {
    const now = right === undefined ? deduceAtom(type.atom, left) : deduceAtom(type.atom, right);
    if (left !== undefined && right !== undefined) {
      const old = deduceAtom(type.atom, left);
      if (!sameDeduction(old, now)) this.#visitAtom(type, old, { left, right });
    }
    const wasLeaf = this.#visitAtom(type, now, { left, right });
    if (wasLeaf) return;
    if (left === undefined) this.#added.insert(this.#path);
    else if (right === undefined) this.#removed.insert(this.#path);
  }

  /** Tells whether it was compared as one leaf. */
  #visitAtom(type: TypeRef, { scalar, list, map }: Atom, sides: Sides): boolean {
    if (map !== undefined) return this.#visitMaps(map, sides);
    if (scalar !== undefined) return this.#visitScalars(scalar, sides);
    if (list !== undefined) return this.#visitLists(list, sides);
    refuseProblems([{ path: [...this.#path], message: schemaProblem(type) }]);
    return false;
  }

  #visitLeaf({ left, right }: Sides): true {
    if (left === undefined) this.#added.insert(this.#path);
    else if (right === undefined) this.#removed.insert(this.#path);
    else if (!equalJson(left, right)) this.#modified.insert(this.#path);
    return true;
  }

  #visitScalars(scalar: ScalarType, sides: Sides): boolean {
    const left = scalarProblems(scalar, sides.left, 'lhs: ');
    const right = scalarProblems(scalar, sides.right, 'rhs: ');
    if (left.length > 0 && right.length > 0) refuseProblems([...left, ...right].map((message) => ({ path: [...this.#path], message })));
    return this.#visitLeaf(sides);
  }

  #visitMaps(type: MapType, sides: Sides): boolean {
    const left: JsonObject = isJsonObject(sides.left) ? sides.left : NOTHING;
    const right: JsonObject = isJsonObject(sides.right) ? sides.right : NOTHING;
    if (type.isAtomic || (isEmptyMap(left) && isEmptyMap(right))) return this.#visitLeaf(sides);
    for (const name of Object.keys(left)) this.#visitField(type, name, { left: left[name], right: fieldOf(right, name) });
    for (const name of Object.keys(right))
      if (!Object.hasOwn(left, name)) this.#visitField(type, name, { left: undefined, right: right[name] });
    return false;
  }

  #visitField(map: MapType, name: string, { left, right }: Sides): void {
    const type = fieldType(map, name);
    if (type === undefined) return;
    this.#path.push(fieldElement(name));
    this.visit(type, left, right);
    this.#path.pop();
  }

  #visitLists(type: ListType, sides: Sides): boolean {
    const left = isList(sides.left) ? sides.left : [];
    const right = isList(sides.right) ? sides.right : [];
    if (type.isAtomic || (left.length === 0 && right.length === 0)) return this.#visitLeaf(sides);
    const olds = listElements(type, left);
    const news = new Map(listElements(type, right).map((entry) => [entry.element.id, entry]));
    for (const old of olds) {
      this.#visitItems(type, { old, now: news.get(old.element.id) });
      news.delete(old.element.id);
    }
    for (const now of news.values()) this.#visitItems(type, { old: undefined, now });
    return false;
  }

  /** One key on both sides. Items of a key that a side has twice are compared as a block; one that becomes or stops being such goes and comes whole. */
  #visitItems({ elementType }: ListType, { old, now }: Pair): void {
    const [lefts, rights] = [old?.items ?? [], now?.items ?? []];
    const compareItems = (left: Json | undefined, right: Json | undefined): void => {
      if ((left !== undefined || right !== undefined) && elementType !== undefined) this.visit(elementType, left, right);
    };
    this.#path.push((old ?? now).element);
    if (lefts.length <= 1 && rights.length <= 1) compareItems(lefts[0], rights[0]);
    else if (lefts.length >= 2 && rights.length >= 2) {
      if (!equalJson(lefts, rights)) this.#modified.insert(this.#path);
    } else if (lefts.length >= 2) {
      compareItems(undefined, rights[0]);
      this.#removed.insert(this.#path);
    } else {
      compareItems(lefts[0], undefined);
      this.#added.insert(this.#path);
    }
    this.#path.pop();
  }
}

const NOTHING: JsonObject = {};

type Pair = { readonly old: ListElement; readonly now: ListElement | undefined } | { readonly old: undefined; readonly now: ListElement };
