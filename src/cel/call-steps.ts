import { type Step, spend } from './frame.js';
import { implementationOf } from './functions.js';
import type { Implementation } from './operators.js';
import { type CelOptional, type CelValue, celError, isError, kindOf, typeNameOf, type ValueKind } from './value.js';

/** `&&` and `||` take either side first: a decided side outweighs an error of the other. */
export function logic([left, right]: readonly [Step, Step], decisive: boolean): Step {
  return (frame) => {
    const first = left(frame);
    if (first === decisive) return decisive;
    const second = right(frame);
    if (second === decisive) return decisive;
    if (typeof first === 'boolean' && typeof second === 'boolean') return !decisive;
    if (isError(first)) return first;
    return isError(second) ? second : celError('no such overload');
  };
}

/** `a ? b : c` evaluates the side that counts. */
export function conditional([condition, whenTrue, whenFalse]: readonly [Step, Step, Step]): Step {
  return (frame) => {
    const value = condition(frame);
    if (value === true) return whenTrue(frame);
    if (value === false) return whenFalse(frame);
    return isError(value) ? value : celError('no such overload');
  };
}

/** `a.or(b)` and `a.orValue(b)` evaluate `b` only if `a` is empty. */
export function alternative([target, other]: readonly [Step, Step], keepOptional: boolean): Step {
  return (frame) => {
    const value = target(frame);
    if (isError(value)) return value;
    // Behind dyn: what is no optional is there.
    if (kindOf(value) !== 'optional') return value;
    const inner = (value as CelOptional).value;
    if (inner === undefined) return other(frame);
    return keepOptional ? value : inner;
  };
}

/** A function that wants all of its arguments: an error among them is its result. */
export function strict(name: string, args: readonly Step[]): Step {
  const implementation: Implementation | undefined = implementationOf(name);
  return (frame) => {
    const values: CelValue[] = [];
    let size = 0;
    for (const arg of args) {
      const value = arg(frame);
      if (isError(value)) return value;
      if (typeof value === 'string') size += value.length;
      else if (typeof value === 'object' && value !== null && 'size' in value) size += value.size;
      values.push(value);
    }
    spend(frame, 1 + Math.floor(weightOf(name, size) / 10));
    const result = implementation?.(values);
    return result === undefined ? noSuchOverload(name, values) : result;
  };
}

function weightOf(name: string, size: number): number {
  if (name === 'cel.@mapInsert') return 0;
  return COMPARES_EACH_WITH_EACH.has(name) ? size * size : size;
}

/** What they cost grows with the square of their lists. */
const COMPARES_EACH_WITH_EACH: ReadonlySet<string> = new Set(['sets.contains', 'sets.equivalent', 'sets.intersects', 'distinct']);

/** Kinds whose values know an operator or function: what does not fit beside them is reported bare, and its name where they do not know it. */
const KNOWN_BY: Readonly<Record<string, readonly ValueKind[]>> = {
  '_+_': ['int', 'uint', 'double', 'bytes', 'list'],
  '_-_': ['int', 'uint', 'double'],
  '_*_': ['int', 'uint', 'double'],
  '_/_': ['int', 'uint', 'double'],
  '_%_': ['int', 'uint'],
  '_<_': ['bool', 'int', 'uint', 'double', 'bytes'],
  '_<=_': ['bool', 'int', 'uint', 'double', 'bytes'],
  '_>_': ['bool', 'int', 'uint', 'double', 'bytes'],
  '_>=_': ['bool', 'int', 'uint', 'double', 'bytes'],
  '-_': ['bool', 'int', 'double'],
  size: ['bytes', 'list', 'map'],
  matches: [],
};
/** Kinds that answer for every function, and always bare. */
const RECEIVERS: readonly ValueKind[] = ['string', 'timestamp', 'duration'];
const ALWAYS_BARE: ReadonlySet<string> = new Set(['contains', 'startsWith', 'endsWith']);

/** No overload takes these values, in the three ways in which cel-go says so. */
function noSuchOverload(name: string, values: readonly CelValue[]): CelValue {
  const knownBy = KNOWN_BY[name];
  const [first] = values;
  if (knownBy !== undefined && first !== undefined) {
    const kind = kindOf(first);
    return celError(knownBy.includes(kind) || RECEIVERS.includes(kind) ? 'no such overload' : `no such overload: ${name}`);
  }
  if (ALWAYS_BARE.has(name) || /^[_@!]/.test(name)) return celError('no such overload');
  return celError(`no such overload: ${name}(${values.map(typeNameOf).join(', ')})`);
}
