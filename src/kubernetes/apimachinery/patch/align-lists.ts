import { equalJson, fieldOf, isJsonObject, type JsonObject } from '../json.js';
import type { Json } from '../structural-schema.js';
import { fieldsOf, isList } from './json-tree.js';

/** One step from an old list to a new one, in the order of both. */
export type Alignment =
  | { readonly step: 'keep' }
  | { readonly step: 'change'; readonly from: Json; readonly to: Json }
  | { readonly step: 'remove' }
  | { readonly step: 'insert'; readonly to: Json };

/** One for all: a list may have a million items. */
const KEEP: Alignment = { step: 'keep' };
/** Beyond this many pairs the middle of two lists is aligned place by place: the table would cost more than a shorter patch is worth. */
const MAX_PAIRS = 40_000;

/** A change that leaves nothing of an item costs as much as to remove it and to insert another. */
const REPLACED = 2;

/** The cheapest way from one list to the other. Common ends cost nothing; what is between them is aligned by least cost, changes first where it is equal. */
export function alignLists(from: readonly Json[], to: readonly Json[]): Alignment[] {
  const shorter = Math.min(from.length, to.length);
  let head = 0;
  while (head < shorter && equalJson(from[head], to[head])) head += 1;
  let tail = 0;
  while (tail < shorter - head && equalJson(from[from.length - 1 - tail], to[to.length - 1 - tail])) tail += 1;
  const middle = alignMiddle(from.slice(head, from.length - tail), to.slice(head, to.length - tail));
  const kept = (count: number): Alignment[] => new Array<Alignment>(count).fill(KEEP);
  return kept(head).concat(middle, kept(tail));
}

function alignMiddle(from: readonly Json[], to: readonly Json[]): Alignment[] {
  return from.length * to.length > MAX_PAIRS ? placeByPlace(from, to) : alongTable(from, to);
}

function placeByPlace(from: readonly Json[], to: readonly Json[]): Alignment[] {
  const alignment: Alignment[] = from.map((item, index) => {
    const other = to[index];
    return other === undefined ? { step: 'remove' } : pair(item, other);
  });
  return [...alignment, ...to.slice(from.length).map((item): Alignment => ({ step: 'insert', to: item }))];
}

function pair(from: Json, to: Json): Alignment {
  return equalJson(from, to) ? KEEP : { step: 'change', from, to };
}

/** Least cost from each pair of places to the ends, then the way along it. */
function alongTable(from: readonly Json[], to: readonly Json[]): Alignment[] {
  const width = to.length + 1;
  const changes = from.map((item) => to.map((other) => changeCost(item, other)));
  const costs = new Float64Array((from.length + 1) * width);
  const costAt = (row: number, column: number): number => costs[row * width + column] ?? Number.POSITIVE_INFINITY;
  for (let row = from.length; row >= 0; row -= 1) {
    for (let column = to.length; column >= 0; column -= 1) {
      if (row === from.length || column === to.length) costs[row * width + column] = from.length - row + to.length - column;
      else {
        const change = (changes[row]?.[column] ?? REPLACED) + costAt(row + 1, column + 1);
        costs[row * width + column] = Math.min(change, 1 + costAt(row + 1, column), 1 + costAt(row, column + 1));
      }
    }
  }
  const alignment: Alignment[] = [];
  let [row, column] = [0, 0];
  while (row < from.length || column < to.length) {
    const [item, other] = [from[row], to[column]];
    const cost = costAt(row, column);
    if (item !== undefined && other !== undefined && (changes[row]?.[column] ?? REPLACED) + costAt(row + 1, column + 1) === cost) {
      alignment.push(pair(item, other));
      row += 1;
      column += 1;
    } else if (item !== undefined && 1 + costAt(row + 1, column) === cost) {
      alignment.push({ step: 'remove' });
      row += 1;
    } else if (other !== undefined) {
      alignment.push({ step: 'insert', to: other });
      column += 1;
    }
  }
  return alignment;
}

/** 0: equal; less than {@link REPLACED}: something of the item stays. A scalar is as cheaply changed as removed. */
function changeCost(from: Json, to: Json): number {
  if (equalJson(from, to)) return 0;
  if (isJsonObject(from) && isJsonObject(to)) return REPLACED - likeness(from, to);
  return isList(from) && isList(to) ? REPLACED - 0.5 : 1;
}

/** Part of the fields that are equal. Quarters, so that sums of costs stay exact and ties are ties. */
export function likeness(from: JsonObject, to: JsonObject): number {
  const fields = fieldsOf(from);
  const same = fields.filter(([name, value]) => equalJson(value, fieldOf(to, name))).length;
  const most = Math.max(fields.length, fieldsOf(to).length);
  return same === 0 ? 0 : Math.max(1, Math.floor((same * 4) / most)) / 4;
}
