import { compareQuantities, type Quantity, subtractQuantities } from '@keelson/kubernetes/apimachinery';
import { quantityOf, type ResourceList, textsOf } from '../pod-resources/index.js';

/** Only these names. */
export function masked(list: ResourceList, names: Iterable<string>): ResourceList {
  const kept = new Set(names);
  return new Map([...list].filter(([name]) => kept.has(name)));
}

/** The amounts that were added; never below zero, and without those that stay as they were. */
export function growthOf(list: ResourceList, before: ResourceList = new Map()): ResourceList {
  const grown = [...list].map(([name, amount]) => {
    const old = before.get(name);
    return [name, old === undefined ? amount : subtractQuantities(amount, old)] as const;
  });
  return new Map(grown.filter(([, { unscaled }]) => unscaled > 0n));
}

export function isSameUse(left: ResourceList, right: ResourceList): boolean {
  return left.size === right.size && [...left].every(([name, amount]) => isSameAmount(amount, right.get(name)));
}

function isSameAmount(left: Quantity, right: Quantity | undefined): boolean {
  return right !== undefined && compareQuantities(left, right) === 0;
}

/** Every name, from nothing. */
export function zeroOf(names: readonly string[]): ResourceList {
  return new Map(names.map((name) => [name, quantityOf('0')]));
}

/** `cpu=1,memory=2Gi`. */
export function printed(list: ResourceList): string {
  return Object.entries(textsOf(list))
    .map(([name, amount]) => `${name}=${amount}`)
    .join(',');
}
