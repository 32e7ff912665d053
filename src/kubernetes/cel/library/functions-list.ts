import {
  type CelList,
  type CelMap,
  type CelOptional,
  type CelUint,
  type CelValue,
  celError,
  compare,
  durationOf,
  elementsOf,
  equal,
  type Implementation,
  isError,
  keyText,
  kindOf,
  listValue,
  OPERATORS,
  optional,
  uintOf,
} from '../values/index.js';

const isList = (value: CelValue | undefined): value is CelList => value !== undefined && kindOf(value) === 'list';

function ofList(run: (elements: CelValue[], args: readonly CelValue[]) => CelValue | undefined): Implementation {
  return (args) => (isList(args[0]) ? run(elementsOf(args[0]), args.slice(1)) : undefined);
}

function ofTwoLists(run: (a: CelValue[], b: CelValue[]) => CelValue): Implementation {
  return ([a, b]) => (isList(a) && isList(b) ? run(elementsOf(a), elementsOf(b)) : undefined);
}

const has = (elements: readonly CelValue[], wanted: CelValue): boolean => elements.some((element) => equal(element, wanted));
const containsAll = (elements: readonly CelValue[], wanted: readonly CelValue[]): boolean => wanted.every((value) => has(elements, value));

function sum(elements: readonly CelValue[]): CelValue | undefined {
  const [first] = elements;
  if (first !== undefined && !['int', 'uint', 'double', 'duration'].includes(kindOf(first))) return undefined;
  let total: CelValue =
    first === undefined || typeof first === 'bigint'
      ? 0n
      : typeof first === 'number'
        ? 0
        : kindOf(first) === 'uint'
          ? uintOf(0n)
          : durationOf(0n);
  for (const element of elements) {
    total = OPERATORS['_+_']?.([total, element]) ?? celError('no such overload');
    if (isError(total)) return total;
  }
  return total;
}

function extreme(name: 'min' | 'max'): Implementation {
  const wanted = name === 'min' ? -1 : 1;
  return ofList((elements) => {
    if (isUnordered(elements)) return undefined;
    let best: CelValue | undefined;
    for (const element of elements) {
      const order = best === undefined ? wanted : compare(element, best);
      if (order === undefined) return celError('no such overload');
      // Values that cannot be compared (NaN, other types) are passed over, as cel-go does.
      if (typeof order === 'number' && Math.sign(order) === wanted) best = element;
    }
    return best === undefined ? celError(`${name} called on empty list`) : best;
  });
}

/** Whether elements are of a kind that has no order, as the first one shows. */
function isUnordered([first]: readonly CelValue[]): boolean {
  return first !== undefined && typeof compare(first, first) !== 'number' && !Number.isNaN(first);
}

function isSorted(elements: readonly CelValue[]): CelValue | undefined {
  if (isUnordered(elements)) return undefined;
  for (let index = 1; index < elements.length; index++) {
    const order = compare(elements[index - 1] as CelValue, elements[index] as CelValue);
    if (order === undefined) return celError('no such overload');
    if (typeof order === 'number' && order > 0) return false;
  }
  return true;
}

/** Sorts by the keys beside the elements, stably. */
function sortByKeys(elements: readonly CelValue[], keys: readonly CelValue[]): CelValue {
  for (const key of keys) {
    const order = compare(keys[0] as CelValue, key);
    if (typeof order !== 'number') return celError('list elements must have the same type');
  }
  const places = elements.map((element, index) => ({ element, key: keys[index] as CelValue }));
  places.sort((a, b) => compare(a.key, b.key) as number);
  return listValue(places.map((place) => place.element));
}

function slice(elements: readonly CelValue[], [start, end]: readonly CelValue[]): CelValue | undefined {
  if (typeof start !== 'bigint' || typeof end !== 'bigint') return undefined;
  if (start < 0n || end < 0n) return celError(`cannot slice(${start}, ${end}), negative indexes not supported`);
  if (start > end) return celError(`cannot slice(${start}, ${end}), start index must be less than or equal to end index`);
  if (BigInt(elements.length) < end) return celError(`cannot slice(${start}, ${end}), list is length ${elements.length}`);
  return listValue(elements.slice(Number(start), Number(end)));
}

function flatten(elements: readonly CelValue[], depth: bigint): CelValue[] {
  return elements.flatMap((element) => (isList(element) && depth > 0n ? flatten(elementsOf(element), depth - 1n) : [element]));
}

function distinct(elements: readonly CelValue[]): CelValue[] {
  const kept: CelValue[] = [];
  for (const element of elements) if (!has(kept, element)) kept.push(element);
  return kept;
}

function size([value]: readonly CelValue[]): CelValue | undefined {
  if (typeof value === 'string') return BigInt([...value].length);
  if (value !== undefined && kindOf(value) === 'bytes') return BigInt((value as Uint8Array).length);
  return value !== undefined && ['list', 'map'].includes(kindOf(value)) ? BigInt((value as CelList | CelMap).size) : undefined;
}

/** The map that `transformMap` fills: nothing else holds it while it grows, so that it need not be copied at each step. */
class GrowingMap implements CelMap {
  readonly kind = 'map';
  readonly #entries = new Map<string, readonly [CelValue, CelValue]>();

  get size(): number {
    return this.#entries.size;
  }

  get(key: CelValue): CelValue | undefined {
    const text = keyText(key);
    return text === undefined ? undefined : this.#entries.get(text)?.[1];
  }

  *keys(): Iterable<CelValue> {
    for (const [key] of this.#entries.values()) yield key;
  }

  /** Whether the key is a new one. */
  insert(key: CelValue, value: CelValue): boolean {
    const text = keyText(key);
    if (text === undefined || this.#entries.has(text)) return false;
    this.#entries.set(text, [key, value]);
    return true;
  }
}

function mapInsert([target, key, value]: readonly CelValue[]): CelValue | undefined {
  const map = target instanceof GrowingMap ? target : growing(target as CelMap);
  if (value !== undefined) return map.insert(key as CelValue, value) ? map : alreadyThere(key as CelValue);
  const added = key as CelMap;
  for (const name of added.keys()) if (!map.insert(name, added.get(name) ?? null)) return alreadyThere(name);
  return map;
}

function growing(source: CelMap): GrowingMap {
  const map = new GrowingMap();
  for (const key of source.keys()) map.insert(key, source.get(key) ?? null);
  return map;
}

function alreadyThere(key: CelValue): CelValue {
  return celError(`insert failed: key ${String(key)} already exists`);
}

function isZero(value: CelValue): boolean {
  switch (kindOf(value)) {
    case 'list':
    case 'map':
      return (value as CelList).size === 0;
    case 'bytes':
      return (value as Uint8Array).length === 0;
    case 'uint':
      return (value as CelUint).value === 0n;
    case 'duration':
      return (value as { nanoseconds: bigint }).nanoseconds === 0n;
    case 'optional':
      return (value as CelOptional).value === undefined;
    default:
      return value === null || value === '' || value === 0 || value === 0n || value === false;
  }
}

const ofOptional = (run: (value: CelValue | undefined) => CelValue): Implementation => {
  return ([target]) => (target !== undefined && kindOf(target) === 'optional' ? run((target as CelOptional).value) : undefined);
};

const unwrap: Implementation = ofList((elements) =>
  listValue(
    elements.flatMap((element) =>
      kindOf(element) === 'optional' && (element as CelOptional).value !== undefined ? [(element as CelOptional).value as CelValue] : [],
    ),
  ),
);

export const LIST_FUNCTIONS: Readonly<Record<string, Implementation>> = {
  size,
  indexOf: ofList((elements, [wanted]) => BigInt(elements.findIndex((element) => equal(element, wanted as CelValue)))),
  includes: ([target, wanted]) =>
    isList(target) ? has(elementsOf(target), wanted as CelValue) : equal(target as CelValue, wanted as CelValue),
  lastIndexOf: ofList((elements, [wanted]) => BigInt(elements.findLastIndex((element) => equal(element, wanted as CelValue)))),
  isSorted: ofList(isSorted),
  sum: ofList(sum),
  min: extreme('min'),
  max: extreme('max'),
  'sets.contains': ofTwoLists(containsAll),
  'sets.equivalent': ofTwoLists((a, b) => containsAll(a, b) && containsAll(b, a)),
  'sets.intersects': ofTwoLists((a, b) => a.some((element) => has(b, element))),
  slice: ofList(slice),
  flatten: ofList((elements, [depth]) => {
    if (depth === undefined) return listValue(flatten(elements, 1n));
    if (typeof depth !== 'bigint') return undefined;
    return depth < 0n ? celError('level must be non-negative') : listValue(flatten(elements, depth));
  }),
  sort: ofList((elements) => sortByKeys(elements, elements)),
  '@sortByAssociatedKeys': ofTwoLists(sortByKeys),
  distinct: ofList((elements) => listValue(distinct(elements))),
  reverse: ofList((elements) => listValue(elements.reverse())),
  first: ofList((elements) => optional(elements[0])),
  last: ofList((elements) => optional(elements.at(-1))),
  'lists.range': ([count]) => (typeof count === 'bigint' ? range(count) : undefined),
  'cel.@mapInsert': mapInsert,
  'optional.of': ([value]) => optional(value),
  'optional.ofNonZeroValue': ([value]) => optional(isZero(value as CelValue) ? undefined : value),
  'optional.none': () => optional(undefined),
  'optional.unwrap': unwrap,
  unwrapOpt: unwrap,
  hasValue: ofOptional((value) => value !== undefined),
  value: ofOptional((value) => (value === undefined ? celError('optional.none() dereference') : value)),
};

/** Source: cel-go, `ext/lists.go` (defaultMaxRangeSize). */
const MAX_RANGE = 1_000_000n;

function range(count: bigint): CelValue {
  if (count < 0n) return celError(`lists.range: size must be non-negative, got ${count}`);
  if (count > MAX_RANGE) return celError(`lists.range: size ${count} exceeds maximum allowed (${MAX_RANGE})`);
  return listValue(Array.from({ length: Number(count) }, (_, index) => BigInt(index)));
}
