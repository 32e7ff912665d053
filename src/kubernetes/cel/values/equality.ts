import { equalJson, type Json } from '../../apimachinery/index.js';
import { equalMessages } from './message-value.js';
import {
  type CelError,
  type CelList,
  type CelMap,
  type CelMessage,
  type CelOpaque,
  type CelOptional,
  type CelTypeValue,
  type CelUint,
  type CelValue,
  isError,
  kindOf,
} from './value.js';

/** Whether two values are equal in CEL: numbers across types, lists and maps deeply, values of different types never. */
export function equal(a: CelValue, b: CelValue): boolean {
  return equality(a, b) === true;
}

/**
 * CEL's `==`. Where a part of the left side cannot be read, such as a time with a small `t`, the answer is its error.
 *
 * Source: `Err.Equal` in cel-go `common/types/err.go`.
 */
export function equality(a: CelValue, b: CelValue): boolean | CelError {
  if (isError(a)) return a;
  if (a === b) return true;
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b) === 0;
  const kind = kindOf(a);
  if (kind !== kindOf(b)) return false;
  switch (kind) {
    case 'bytes':
      return compareBytes(a as Uint8Array, b as Uint8Array) === 0;
    case 'list':
      return equalLists(a as CelList, b as CelList);
    case 'map':
      return equalMaps(a as CelMap, b as CelMap);
    case 'timestamp':
    case 'duration':
      return (a as { nanoseconds: bigint }).nanoseconds === (b as { nanoseconds: bigint }).nanoseconds;
    case 'type':
      return (a as CelTypeValue).name === (b as CelTypeValue).name;
    case 'optional':
      return equalOptionals(a as CelOptional, b as CelOptional);
    case 'message':
      return equalMessages(a as CelMessage, b as CelMessage, equal);
    case 'opaque':
      return equalOpaque(a as CelOpaque, b as CelOpaque);
    default:
      return false;
  }
}

/** Whether a library's value stands left of one of another type: Kubernetes' types answer that with an error, which every container takes for equal. */
export function isForeign(a: CelValue, b: CelValue): boolean {
  return kindOf(a) === 'opaque' && b !== null && (kindOf(b) !== 'opaque' || (a as CelOpaque).typeName !== (b as CelOpaque).typeName);
}

/** Elements of lists and values of maps. */
function equalWithin(a: CelValue, b: CelValue): boolean | CelError {
  return isForeign(a, b) || equality(a, b);
}

type Numeric = bigint | number | CelUint;

export function isNumber(value: CelValue): value is Numeric {
  return typeof value === 'bigint' || typeof value === 'number' || kindOf(value) === 'uint';
}

/** Negative, 0 or positive; NaN if either is NaN. JavaScript compares bigint and number exactly. */
export function compareNumbers(a: Numeric, b: Numeric): number {
  const left = typeof a === 'object' ? a.value : a;
  const right = typeof b === 'object' ? b.value : b;
  if (Number.isNaN(left) || Number.isNaN(right)) return Number.NaN;
  return left < right ? -1 : left > right ? 1 : 0;
}

export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function equalLists(a: CelList, b: CelList): boolean | CelError {
  if (a.size !== b.size) return false;
  if (a.merge !== undefined) return equalByIdentity(a, b);
  for (let index = 0; index < a.size; index++) {
    const equals = equalWithin(a.at(index), b.at(index));
    if (equals !== true) return equals;
  }
  return true;
}

/** Sets and list-maps: order does not count. */
function equalByIdentity(a: CelList, b: CelList): boolean | CelError {
  const merge = a.merge as NonNullable<CelList['merge']>;
  const elements = new Map<string, CelValue>();
  const seen = new Set<string>();
  for (let index = 0; index < a.size; index++) elements.set(merge.keyOf(a.at(index)), a.at(index));
  for (let index = 0; index < b.size; index++) {
    const element = b.at(index);
    // A fraction in a list of integers, for example: such an element equals no other.
    if (isError(element)) return false;
    const key = merge.keyOf(element);
    const other = elements.get(key);
    if (other === undefined) return false;
    seen.add(key);
    const equals = merge.type !== 'map' || equality(other, element);
    if (equals !== true) return equals;
  }
  return seen.size === elements.size;
}

function equalMaps(a: CelMap, b: CelMap): boolean | CelError {
  if (a.size !== b.size) return false;
  for (const key of a.comparedKeys?.() ?? a.keys()) {
    const left = a.get(key);
    const right = b.get(key);
    // A null field counts as absent, but belongs to the size.
    if (left === undefined && right === undefined) continue;
    if (left === undefined || right === undefined) return false;
    const equals = equalWithin(left, right);
    if (equals !== true) return equals;
  }
  return equalUndescribed(a, b);
}

/** Members of one side alone are let pass, as the API server does: the sizes are equal by now. */
function equalUndescribed({ undescribed: a }: CelMap, { undescribed: b }: CelMap): boolean {
  if (a === undefined || b === undefined) return true;
  return Object.entries(a).every(([name, value]) => !Object.hasOwn(b, name) || equalJson(value, b[name] as Json));
}

function equalOptionals(a: CelOptional, b: CelOptional): boolean | CelError {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equality(a.value, b.value);
}

/** Library values carry what makes them equal as `equalityKey`. */
function equalOpaque(a: CelOpaque, b: CelOpaque): boolean {
  return a.typeName === b.typeName && equalityKey(a.data) === equalityKey(b.data);
}

function equalityKey(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'equalityKey' in data ? data.equalityKey : data;
}
