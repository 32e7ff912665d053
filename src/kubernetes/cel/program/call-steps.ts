import { chargeOf, chargeOfResult } from '../cost/index.js';
import { implementationOf } from '../library/index.js';
import type { Implementation } from '../values/index.js';
import { type CelOptional, type CelValue, celError, isError, kindOf, typeNameOf, type ValueKind } from '../values/index.js';
import { type Step, spend } from './frame.js';

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
    if (kindOf(value) !== 'optional') return celError('no such overload');
    const inner = (value as CelOptional).value;
    if (inner === undefined) return other(frame);
    return keepOptional ? value : inner;
  };
}

export interface StrictCall {
  readonly name: string;
  readonly signatures: readonly string[];
  /** Whether an argument that fails ends the call before the next one, which is then free: calls of more than two arguments, and regular expressions that are compiled before. */
  readonly stopsEarly: boolean;
}

/** A function that wants all of its arguments: an error among them is its result. */
export function strict({ name, signatures, stopsEarly }: StrictCall, args: readonly Step[]): Step {
  const implementation = implementationOf(name);
  const charge = chargeOf(name, signatures);
  const chargeResult = chargeOfResult(name, signatures);
  return (frame) => {
    const values: CelValue[] = [];
    let failed: CelValue | undefined;
    for (const [index, arg] of args.entries()) {
      const value = arg(frame);
      if (isError(value)) failed ??= value;
      if (failed !== undefined && stopsEarly && index < args.length - 1) return failed;
      values.push(value);
    }
    // Before the call: what it costs is what keeps it from running too long.
    spend(frame, charge(values));
    const result = failed ?? apply(name, implementation, values);
    if (chargeResult !== undefined) spend(frame, chargeResult(result));
    return result;
  };
}

/** A function called with values, none of which is an error. */
export function apply(name: string, implementation: Implementation | undefined, values: readonly CelValue[]): CelValue {
  const result = implementation?.(values);
  return result === undefined ? noSuchOverload(name, values) : result;
}

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
