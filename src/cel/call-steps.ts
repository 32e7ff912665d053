import { type Step, spend } from './frame.js';
import { implementationOf } from './functions.js';
import type { Implementation } from './operators.js';
import { type CelOptional, type CelValue, celError, isError, kindOf, typeNameOf } from './value.js';

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
    spend(frame, 1 + Math.floor(size / 10));
    return implementation?.(values) ?? noSuchOverload(name, values);
  };
}

function noSuchOverload(name: string, values: readonly CelValue[]): CelValue {
  // Operators and macros' inner calls are reported bare by cel-go, functions with the types they met.
  if (/^[_@!-]/.test(name)) return celError('no such overload');
  return celError(`no such overload: ${name}(${values.map(typeNameOf).join(', ')})`);
}
