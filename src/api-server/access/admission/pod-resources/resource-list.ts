import {
  addQuantities,
  compareQuantities,
  compareUtf8,
  parseQuantity,
  type Quantity,
  quantityText,
} from '@keelson/kubernetes/apimachinery';

/** Amounts by the name of the resource. */
export type ResourceList = ReadonlyMap<string, Quantity>;

/** @throws RangeError where a quantity cannot be read: decoding should have refused the object */
export function resourceListOf(list: object = {}): ResourceList {
  const entries = Object.entries(list).sort(([left], [right]) => compareUtf8(left, right));
  return new Map(entries.map(([name, amount]) => [name, quantityOf(String(amount))]));
}

export function quantityOf(text: string): Quantity {
  const parsed = parseQuantity(text);
  if (typeof parsed === 'string') throw new RangeError(`${text} in an object that was decoded is not a quantity: ${parsed}`);
  return parsed;
}

/** As objects carry it, by name. */
export function textsOf(list: ResourceList): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...list].sort(([left], [right]) => compareUtf8(left, right)).map(([name, amount]) => [name, quantityText(amount)]),
  );
}

/** The sum of each resource. */
export function sumOf(...lists: readonly ResourceList[]): ResourceList {
  return combined(lists, addQuantities);
}

/** The larger amount of each resource. */
export function largestOf(...lists: readonly ResourceList[]): ResourceList {
  return combined(lists, (left, right) => (compareQuantities(right, left) > 0 ? right : left));
}

function combined(lists: readonly ResourceList[], combine: (left: Quantity, right: Quantity) => Quantity): ResourceList {
  const result = new Map<string, Quantity>();
  for (const [name, amount] of lists.flatMap((list) => [...list])) {
    const known = result.get(name);
    result.set(name, known === undefined ? amount : combine(known, amount));
  }
  return result;
}
