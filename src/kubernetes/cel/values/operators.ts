import { compareBytes, compareNumbers, equal, equality, isForeign, isNumber } from './equality.js';
import { formatDouble } from './number-text.js';
import {
  type CelDuration,
  type CelList,
  type CelMap,
  type CelTimestamp,
  type CelUint,
  type CelValue,
  celError,
  durationOf,
  elementsOf,
  isError,
  kindOf,
  type ListMerge,
  listValue,
  timestampOf,
  typeNameOf,
  uintOf,
} from './value.js';

/** A function over evaluated arguments; `undefined`: no overload takes arguments of these kinds. */
export type Implementation = (args: readonly CelValue[]) => CelValue | undefined;

const MAX_INT = 2n ** 63n - 1n;
const MIN_INT = -(2n ** 63n);
const MAX_UINT = 2n ** 64n - 1n;
/** Years 1 to 9999, in nanoseconds since 1970. */
const MIN_TIME = -62_135_596_800_000_000_000n;
const MAX_TIME = 253_402_300_799_999_999_999n;

export function checkedInt(value: bigint): CelValue {
  return value > MAX_INT || value < MIN_INT ? celError('integer overflow') : value;
}

export function checkedUint(value: bigint): CelValue {
  return value > MAX_UINT || value < 0n ? celError('unsigned integer overflow') : uintOf(value);
}

function checkedDuration(nanoseconds: bigint): CelValue {
  return nanoseconds > MAX_INT || nanoseconds < MIN_INT ? celError('integer overflow') : durationOf(nanoseconds);
}

export function checkedTimestamp(nanoseconds: bigint): CelValue {
  return nanoseconds > MAX_TIME || nanoseconds < MIN_TIME ? celError('timestamp overflow') : timestampOf(nanoseconds);
}

/** cel-go's error when an operator's left side knows the operator and the right side is of the wrong type. */
const NO_OVERLOAD = celError('no such overload');

const nanoseconds = (value: CelValue): bigint => (value as CelDuration | CelTimestamp).nanoseconds;

function add(a: CelValue, b: CelValue): CelValue | undefined {
  switch (`${kindOf(a)} ${kindOf(b)}`) {
    case 'int int':
      return checkedInt((a as bigint) + (b as bigint));
    case 'uint uint':
      return checkedUint((a as CelUint).value + (b as CelUint).value);
    case 'double double':
      return (a as number) + (b as number);
    case 'string string':
      return (a as string) + (b as string);
    case 'bytes bytes':
      return Uint8Array.from([...(a as Uint8Array), ...(b as Uint8Array)]);
    case 'list list':
      return concat(a as CelList, b as CelList);
    case 'duration duration':
      return checkedDuration(nanoseconds(a) + nanoseconds(b));
    case 'timestamp duration':
    case 'duration timestamp':
      return checkedTimestamp(nanoseconds(a) + nanoseconds(b));
    default:
      return ['int', 'uint', 'double', 'string', 'bytes', 'list', 'duration', 'timestamp'].includes(kindOf(a)) ? NO_OVERLOAD : undefined;
  }
}

function concat(a: CelList, b: CelList): CelList {
  const { merge } = a;
  if (merge === undefined) return listValue([...elementsOf(a), ...elementsOf(b)]);
  const elements = elementsOf(a);
  const places = new Map(elements.map((element, index) => [merge.keyOf(element), index]));
  for (const element of elementsOf(b)) {
    const key = merge.keyOf(element);
    const place = places.get(key);
    if (place === undefined) {
      elements.push(element);
      // A set takes one of two that are equal and new; a list-map takes both.
      if (merge.type === 'set') places.set(key, elements.length - 1);
    } else if (merge.type === 'map') elements[place] = element;
  }
  return mergedList(elements, merge);
}

/** A list with the identity semantics of its schema. */
export function mergedList(elements: readonly CelValue[], merge: ListMerge | undefined): CelList {
  const list = listValue(elements);
  return merge === undefined ? list : { kind: 'list', size: list.size, at: (index) => list.at(index), merge };
}

function subtract(a: CelValue, b: CelValue): CelValue | undefined {
  switch (`${kindOf(a)} ${kindOf(b)}`) {
    case 'int int':
      return checkedInt((a as bigint) - (b as bigint));
    case 'uint uint':
      return checkedUint((a as CelUint).value - (b as CelUint).value);
    case 'double double':
      return (a as number) - (b as number);
    case 'duration duration':
    case 'timestamp timestamp':
      return checkedDuration(nanoseconds(a) - nanoseconds(b));
    case 'timestamp duration':
      return checkedTimestamp(nanoseconds(a) - nanoseconds(b));
    default:
      return ['int', 'uint', 'double', 'duration', 'timestamp'].includes(kindOf(a)) ? NO_OVERLOAD : undefined;
  }
}

type Arithmetic = {
  readonly int: (a: bigint, b: bigint) => CelValue;
  readonly uint: (a: bigint, b: bigint) => CelValue;
  readonly double?: (a: number, b: number) => CelValue;
};

function arithmetic(operations: Arithmetic): Implementation {
  return ([a, b]) => {
    const kind = kindOf(a as CelValue);
    const same = kind === kindOf(b as CelValue);
    if (kind === 'int') return same ? operations.int(a as bigint, b as bigint) : NO_OVERLOAD;
    if (kind === 'uint') return same ? operations.uint((a as CelUint).value, (b as CelUint).value) : NO_OVERLOAD;
    if (kind === 'double' && operations.double !== undefined) return same ? operations.double(a as number, b as number) : NO_OVERLOAD;
    return undefined;
  };
}

const DIVISION_BY_ZERO = celError('division by zero');
const MODULUS_BY_ZERO = celError('modulus by zero');

/** Negative, 0 or positive; an error value if the two cannot be ordered; `undefined` if the left one cannot be ordered at all. */
export function compare(a: CelValue, b: CelValue): number | CelValue | undefined {
  if (isNumber(a)) {
    if (!isNumber(b)) return NO_OVERLOAD;
    const order = compareNumbers(a, b);
    return Number.isNaN(order) ? celError('NaN values cannot be ordered') : order;
  }
  const kind = kindOf(a);
  if (!['bool', 'string', 'bytes', 'timestamp', 'duration'].includes(kind)) return undefined;
  if (kind !== kindOf(b)) return NO_OVERLOAD;
  switch (kind) {
    case 'bool':
      return Number(a) - Number(b);
    case 'string':
      return compareStrings(a as string, b as string);
    case 'bytes':
      return compareBytes(a as Uint8Array, b as Uint8Array);
    default:
      return nanoseconds(a) < nanoseconds(b) ? -1 : nanoseconds(a) > nanoseconds(b) ? 1 : 0;
  }
}

/** By code points, as UTF-8 sorts; JavaScript's `<` sorts by UTF-16 units and differs above U+FFFF. */
function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  if (!/[\ud800-\udfff]/.test(a) && !/[\ud800-\udfff]/.test(b)) return a < b ? -1 : 1;
  return compareBytes(new TextEncoder().encode(a), new TextEncoder().encode(b));
}

function ordering(holds: (order: number) => boolean): Implementation {
  return ([a, b]) => {
    const order = compare(a as CelValue, b as CelValue);
    return typeof order === 'number' ? holds(order) : order;
  };
}

function negate([a]: readonly CelValue[]): CelValue | undefined {
  if (typeof a === 'bigint') return checkedInt(-a);
  if (typeof a === 'number') return -a;
  // The checker knows no `-duration`, so this is met behind dyn only.
  return kindOf(a as CelValue) === 'duration' ? checkedDuration(-nanoseconds(a as CelValue)) : undefined;
}

function contains([element, container]: readonly CelValue[]): CelValue | undefined {
  const kind = kindOf(container as CelValue);
  if (kind === 'map') return (container as CelMap).get(element as CelValue) !== undefined;
  if (kind !== 'list') return NO_OVERLOAD;
  const list = container as CelList;
  for (let index = 0; index < list.size; index++) if (equal(list.at(index), element as CelValue)) return true;
  return false;
}

/** An element of a list or map; optional containers are looked into. */
function index([container, key]: readonly CelValue[]): CelValue | undefined {
  if (container === undefined || key === undefined) return undefined;
  switch (kindOf(container)) {
    case 'map':
      return entryOf(container as CelMap, key);
    case 'list':
      return elementAt(container as CelList, key);
    case 'optional': {
      const inner = (container as { value: CelValue | undefined }).value;
      return optionalIndex([inner === undefined ? container : inner, key]);
    }
    default:
      return celError(`no such key: ${keyLabel(key)}`);
  }
}

function entryOf(map: CelMap, key: CelValue): CelValue {
  const value = map.get(key);
  return value === undefined ? celError(`no such key: ${keyLabel(key)}`) : value;
}

function elementAt(list: CelList, key: CelValue): CelValue {
  const position = isNumber(key) ? Number(typeof key === 'object' ? key.value : key) : Number.NaN;
  if (typeof key === 'number' && !Number.isInteger(position)) return celError(`unsupported index value ${formatDouble(key, 21)} in list`);
  if (!Number.isInteger(position)) return celError(`unsupported index type '${typeNameOf(key)}' in list`);
  return position >= 0 && position < list.size ? list.at(position) : celError(`index out of bounds: ${position}`);
}

/** `container[?key]`. */
function optionalIndex([container, key]: readonly CelValue[]): CelValue | undefined {
  if (container === undefined || key === undefined) return undefined;
  if (kindOf(container) === 'optional') {
    const inner = (container as { value: CelValue | undefined }).value;
    return inner === undefined ? container : optionalIndex([inner, key]);
  }
  const found = index([container, key]);
  if (found === undefined) return undefined;
  if (isError(found)) return /^(?:no such key|index out of bounds)/.test(found.message) ? { kind: 'optional', value: undefined } : found;
  return { kind: 'optional', value: found };
}

export function keyLabel(key: CelValue): string {
  return kindOf(key) === 'uint' ? `${(key as CelUint).value}` : String(key);
}

export const OPERATORS: Readonly<Record<string, Implementation>> = {
  '_+_': ([a, b]) => add(a as CelValue, b as CelValue),
  '_-_': ([a, b]) => subtract(a as CelValue, b as CelValue),
  '_*_': arithmetic({ int: (a, b) => checkedInt(a * b), uint: (a, b) => checkedUint(a * b), double: (a, b) => a * b }),
  '_/_': arithmetic({
    int: (a, b) => (b === 0n ? DIVISION_BY_ZERO : checkedInt(a / b)),
    uint: (a, b) => (b === 0n ? DIVISION_BY_ZERO : checkedUint(a / b)),
    double: (a, b) => a / b,
  }),
  '_%_': arithmetic({
    int: (a, b) => (b === 0n ? MODULUS_BY_ZERO : b === -1n && a === MIN_INT ? celError('integer overflow') : a % b),
    uint: (a, b) => (b === 0n ? MODULUS_BY_ZERO : uintOf(a % b)),
  }),
  '-_': negate,
  '!_': ([a]) => (typeof a === 'boolean' ? !a : undefined),
  '_==_': ([a, b]) => (isForeign(a as CelValue, b as CelValue) ? NO_OVERLOAD : equality(a as CelValue, b as CelValue)),
  '_!=_': ([a, b]) => !equal(a as CelValue, b as CelValue),
  '_<_': ordering((order) => order < 0),
  '_<=_': ordering((order) => order <= 0),
  '_>_': ordering((order) => order > 0),
  '_>=_': ordering((order) => order >= 0),
  '@in': contains,
  '_[_]': index,
  '_[?_]': optionalIndex,
};
