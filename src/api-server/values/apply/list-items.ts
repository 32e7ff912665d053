import { fieldOf, goQuote, isJsonObject, type Json } from '@keelson/kubernetes/apimachinery';
import { isList } from './json-value.js';
import { keyElement, type PathElement, valueElement } from './path-element.js';
import type { ListType } from './type-ref.js';

/** Why an item has no path element: text of the server. */
export interface ItemProblem {
  readonly problem: string;
}

export function isItemProblem(result: PathElement | ItemProblem): result is ItemProblem {
  return 'problem' in result;
}

/** The identity of an item of an associative list: its keys, or, in a set, its value. */
export function itemElement(list: ListType, item: Json): PathElement | ItemProblem {
  if (list.isAtomic) return { problem: 'invalid indexing of non-associative list' };
  return list.keys.length > 0 ? keyedItemElement(list, item) : setItemElement(item);
}

function keyedItemElement(list: ListType, item: Json): PathElement | ItemProblem {
  if (item === null) return { problem: 'associative list with keys may not have a null element' };
  if (!isJsonObject(item)) return { problem: 'associative list with keys may not have non-map elements' };
  const map = list.elementType?.atom.map;
  const keys: (readonly [string, Json])[] = [];
  for (const name of list.keys) {
    const value = fieldOf(item, name);
    if (value !== undefined) {
      keys.push([name, value]);
      continue;
    }
    if (map === undefined) {
      return { problem: `couldn't find default value for ${name}: associative list may not have non-map types` };
    }
    // A key without a value is left out: items that carry different keys are different items.
    const substitute = map.fields.get(name)?.default ?? null;
    if (substitute !== null) keys.push([name, substitute]);
  }
  if (keys.length > 0) return keyElement(keys);
  const names = `[${list.keys.map(goQuote).join(' ')}]`;
  return {
    problem: `associative list with keys has an element that omits all key fields ${names} (and doesn't have default values for any key fields)`,
  };
}

function setItemElement(item: Json): PathElement | ItemProblem {
  if (isJsonObject(item)) return { problem: "associative list without keys has an element that's a map type" };
  if (isList(item)) return { problem: 'not supported: associative list with lists as elements' };
  if (item === null) return { problem: "associative list without keys has an element that's an explicit null" };
  return valueElement(item);
}
