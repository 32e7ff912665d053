import type { Json } from '@keelson/kubernetes/apimachinery';
import { TypeMismatch } from './errors.js';
import { isItemProblem, itemElement } from './list-items.js';
import type { PathElement } from './path-element.js';
import type { ListType } from './type-ref.js';

/** The items of an associative list that have one key; more than one: the list has duplicates. */
export interface ListElement {
  readonly element: PathElement;
  readonly items: Json[];
}

/** Element of an item of a list that has been validated. */
export function elementOf(type: ListType, item: Json): PathElement {
  const element = itemElement(type, item);
  if (isItemProblem(element)) throw new TypeMismatch(element.problem);
  return element;
}

/** The items of a validated list by their elements, in the order in which each element comes first. */
export function listElements(type: ListType, list: readonly Json[]): readonly ListElement[] {
  const elements = new Map<string, ListElement>();
  for (const item of list) {
    const element = elementOf(type, item);
    const known = elements.get(element.id);
    if (known === undefined) elements.set(element.id, { element, items: [item] });
    else known.items.push(item);
  }
  return [...elements.values()];
}
