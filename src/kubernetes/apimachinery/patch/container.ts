import { goQuote } from '../go-format.js';
import { doesNotApply, serverPanic } from './errors.js';
import { COPIED_NULL, type WorkingMap, type WorkingValue } from './working-value.js';

/** Something that has members. The copy of a null is a map that can be asked and not written to. */
export type Container = WorkingMap | WorkingValue[] | typeof COPIED_NULL;

/** Why a member cannot be had; the caller says in which operation. */
export class MemberProblem extends Error {}

/** Undefined: no operation can reach into it, as into a null that the same patch has set. */
export function asContainer(value: WorkingValue): Container | undefined {
  return value === COPIED_NULL || Array.isArray(value) || value instanceof Map ? value : undefined;
}

/** An absent field gives null: only lists have bounds. */
export function getMember(container: Container, key: string): WorkingValue {
  if (container === COPIED_NULL) return null;
  if (container instanceof Map) return container.get(key) ?? null;
  return container[placeOf(container, readIndex(key))] ?? null;
}

/** For a list, only at a place that {@link getMember} has found. */
export function setMember(container: Container, key: string, value: WorkingValue): void {
  if (container === COPIED_NULL) throw serverPanic('a field is set in the copy of a null');
  if (container instanceof Map) container.set(key, value);
  else container[placeOf(container, readIndex(key))] = value;
}

export function addMember(container: Container, key: string, value: WorkingValue): void {
  if (!Array.isArray(container)) {
    setMember(container, key, value);
    return;
  }
  if (key === '-') {
    container.push(value);
    return;
  }
  const index = indexToAdd(key);
  const size = container.length + 1;
  if (index >= size || index < -size) throw outOfBounds(index);
  container.splice(index < 0 ? index + size : index, 0, value);
}

function indexToAdd(key: string): number {
  try {
    return readIndex(key);
  } catch (error) {
    throw error instanceof MemberProblem ? new MemberProblem(`value was not a proper array index: '${key}': ${error.message}`) : error;
  }
}

export function removeMember(container: Container, key: string): void {
  if (Array.isArray(container)) container.splice(placeOf(container, readIndex(key)), 1);
  else if (container === COPIED_NULL || !container.delete(key))
    throw new MemberProblem(`Unable to remove nonexistent key: ${key}: missing value`);
}

/** `strconv.Atoi`: signs and leading zeros are fine. */
function readIndex(key: string): number {
  if (!/^[+-]?[0-9]+$/.test(key)) throw new MemberProblem(`strconv.Atoi: parsing ${goQuote(key)}: invalid syntax`);
  const index = Number(key);
  // Up to int64 an index that no list has is out of bounds; beyond it is not a number to Go. 2^53 and 2^63 are equally far off, so floats do.
  if (index >= 2 ** 63 || index < -(2 ** 63)) throw new MemberProblem(`strconv.Atoi: parsing ${goQuote(key)}: value out of range`);
  return index;
}

/** Negative indexes count from the end. */
function placeOf(list: readonly WorkingValue[], index: number): number {
  if (index >= list.length || index < -list.length) throw outOfBounds(index);
  return index < 0 ? index + list.length : index;
}

function outOfBounds(index: number): MemberProblem {
  return new MemberProblem(`Unable to access invalid index: ${BigInt(index)}: invalid index referenced`);
}

/** Runs an access to a member and says, if it fails, which operation wanted it. */
export function during<T>(operation: string, access: () => T): T {
  try {
    return access();
  } catch (error) {
    throw error instanceof MemberProblem ? doesNotApply(`${operation}: ${error.message}`) : error;
  }
}
