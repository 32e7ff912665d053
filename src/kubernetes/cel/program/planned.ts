import { type CelOptional, type CelValue, isError, kindOf, selectField } from '../values/index.js';
import { type Step, spend } from './frame.js';

/**
 * An expression ready to run.
 *
 * cel-go reads a variable and the fields behind it as one attribute, and charges once for the variable and once for each field. A branch of a condition is resolved without being
 * looked at: there the variable itself is free. Source: `interpreter/planner.go` and `interpreter/runtimecost.go`.
 */
export interface Planned {
  readonly kind: 'constant' | 'attribute' | 'conditional' | 'value';
  /** Evaluates it and charges for all of it. */
  readonly step: Step;
  /** Evaluates it as the beginning of a longer attribute, as a branch or as an index. */
  readonly resolve: Step;
}

export const computed = (step: Step): Planned => ({ kind: 'value', step, resolve: step });

export function constant(value: CelValue): Planned {
  const step = () => value;
  return { kind: 'constant', step, resolve: step };
}

export function attribute(resolve: Step): Planned {
  const step: Step = (frame) => {
    const value = resolve(frame);
    spend(frame, 1);
    return value;
  };
  return { kind: 'attribute', step, resolve };
}

/** `a ? b : c` evaluates the side that counts, and costs nothing itself. */
export const conditionalOf = (step: Step): Planned => ({ kind: 'conditional', step, resolve: step });

interface Access {
  /** `.?` and `[?]`: what is absent is not charged for. */
  readonly optional: boolean;
  readonly read: (value: CelValue, frame: Parameters<Step>[0]) => CelValue;
}

/** One more step behind an attribute, for a unit. */
export function qualified(operand: Planned, { optional, read }: Access): Planned {
  const resolve: Step = (frame) => {
    const value = operand.resolve(frame);
    if (isError(value)) return value;
    const result = read(value, frame);
    const lenient = optional || kindOf(value) === 'optional';
    if (!lenient || isPresent(result)) spend(frame, 1);
    return result;
  };
  return operand.kind === 'conditional' ? conditionalOf(resolve) : attribute(resolve);
}

function isPresent(result: CelValue): boolean {
  return result === true || (kindOf(result) === 'optional' && (result as CelOptional).value !== undefined);
}

export function fieldOf(operand: Planned, field: string): Planned {
  return qualified(operand, { optional: false, read: (value) => selectField(value, field) });
}

/** `has(a.b)`: the fields are charged for, the variable is not. */
export function presenceOf(operand: Planned, read: (value: CelValue) => CelValue): Planned {
  const { kind, resolve } = qualified(operand, { optional: false, read });
  if (kind !== 'conditional') return { kind: 'attribute', step: resolve, resolve };
  // Here cel-go takes off the variable that it never charged for.
  const step: Step = (frame) => {
    const value = resolve(frame);
    spend(frame, -1);
    return value;
  };
  return { kind, step, resolve };
}
