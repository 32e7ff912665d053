import type { CallNode, Expr, FoldNode, ListNode, MapNode, SelectNode } from './ast.js';
import type { Checked } from './checker.js';
import { typeIdentifier } from './declarations.js';
import { implementationOf } from './functions.js';
import { type Implementation, keyLabel } from './operators.js';
import { nameOf } from './type.js';
import {
  type CelList,
  type CelMap,
  type CelOptional,
  type CelValue,
  celError,
  elementsOf,
  isError,
  keyText,
  kindOf,
  listValue,
  mapValue,
  optional,
  typeNameOf,
  uintOf,
} from './value.js';

/** One evaluation: the values of variables and what may still be spent. */
export interface Frame {
  readonly bindings: Readonly<Record<string, CelValue | undefined>>;
  readonly slots: (CelValue | undefined)[];
  /** Steps left; below zero the evaluation is over. */
  left: number;
}

export type Step = (frame: Frame) => CelValue;

/** Thrown when the steps are used up. */
export const OUT_OF_STEPS: unique symbol = Symbol('out of steps');

function spend(frame: Frame, steps: number): void {
  frame.left -= steps;
  if (frame.left < 0) throw OUT_OF_STEPS;
}

/** Turns a checked tree into closures: evaluation then decides nothing that was known before. */
export function plan(expr: Expr, checked: Checked): { readonly step: Step; readonly slots: number } {
  const planner = new Planner(checked);
  const step = planner.plan(expr);
  return { step, slots: planner.slots };
}

class Planner {
  readonly #checked: Checked;
  /** Variables of the folds around, innermost last. */
  readonly #scope: { readonly name: string; readonly slot: number }[] = [];
  slots = 0;

  constructor(checked: Checked) {
    this.#checked = checked;
  }

  plan(expr: Expr): Step {
    switch (expr.node) {
      case 'literal': {
        const { literal } = expr;
        const value = literal.kind === 'null' ? null : literal.kind === 'uint' ? uintOf(literal.value) : literal.value;
        return () => value;
      }
      case 'ident':
        return this.#variable(expr.name);
      case 'select':
        return this.#select(expr);
      case 'call':
        return this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'fold':
        return this.#fold(expr);
      case 'struct':
        return () => celError(`unknown type '${expr.name}'`);
    }
  }

  #variable(name: string): Step {
    const bare = name.startsWith('.') ? name.slice(1) : name;
    const local = this.#scope.findLast((entry) => entry.name === bare);
    if (local !== undefined) {
      const { slot } = local;
      return (frame) => frame.slots[slot] as CelValue;
    }
    const type = this.#checked.references.has(bare) ? undefined : typeIdentifier(bare);
    if (type?.kind === 'type') {
      const value: CelValue = { kind: 'type', name: type.of === undefined ? 'type' : typeValueName(nameOf(type.of)) };
      return () => value;
    }
    const missing = celError(`no such attribute(s): ${bare}`);
    return (frame) => {
      const value = frame.bindings[bare];
      return value === undefined ? missing : value;
    };
  }

  #select(expr: SelectNode): Step {
    const qualified = this.#checked.qualified.get(expr);
    if (qualified !== undefined) return this.#variable(qualified);
    const operand = this.plan(expr.operand);
    const { field } = expr;
    if (expr.test) return (frame) => hasField(operand(frame), field);
    return (frame) => selectField(operand(frame), field);
  }

  #call(call: CallNode): Step {
    const name = this.#checked.namespaced.get(call) ?? (call.name.startsWith('.') ? call.name.slice(1) : call.name);
    const hasTarget = call.target !== undefined && !this.#checked.namespaced.has(call);
    const args = (hasTarget ? [call.target as Expr, ...call.args] : call.args).map((arg) => this.plan(arg));
    switch (name) {
      case '_&&_':
        return logic(args as [Step, Step], false);
      case '_||_':
        return logic(args as [Step, Step], true);
      case '_?_:_':
        return conditional(args as [Step, Step, Step]);
      case '@not_strictly_false':
        return (frame) => (args[0] as Step)(frame) !== false;
      case '_?._':
        return (frame) => selectOptional((args[0] as Step)(frame), (args[1] as Step)(frame) as string);
      case 'or':
      case 'orValue':
        return alternative(args as [Step, Step], name === 'or');
      default:
        return strict(name, args);
    }
  }

  #list(list: ListNode): Step {
    const elements = list.elements.map((element, index) => ({ step: this.plan(element), optional: list.optional.has(index) }));
    return (frame) => {
      spend(frame, 1);
      const values: CelValue[] = [];
      for (const { step, optional: isOptional } of elements) {
        const value = step(frame);
        if (isError(value)) return value;
        if (!isOptional) values.push(value);
        else if (kindOf(value) !== 'optional')
          return celError(`cannot initialize optional list element from non-optional value ${keyLabel(value)}`);
        else if ((value as CelOptional).value !== undefined) values.push((value as CelOptional).value as CelValue);
      }
      return listValue(values);
    };
  }

  #map(map: MapNode): Step {
    const entries = map.entries.map((entry) => ({ key: this.plan(entry.key), value: this.plan(entry.value), optional: entry.optional }));
    return (frame) => {
      spend(frame, 1);
      const values = new Map<string, readonly [CelValue, CelValue]>();
      for (const entry of entries) {
        const key = entry.key(frame);
        if (isError(key)) return key;
        const value = entry.value(frame);
        if (isError(value)) return value;
        // A key of another type than string, int, uint or bool is kept, but nothing can find it.
        const text = keyText(key) ?? `?${values.size}`;
        if (!entry.optional) values.set(text, [key, value]);
        else if (kindOf(value) !== 'optional')
          return celError(`cannot initialize optional entry '${keyLabel(key)}' from non-optional value ${keyLabel(value)}`);
        else if ((value as CelOptional).value !== undefined) values.set(text, [key, (value as CelOptional).value as CelValue]);
      }
      return mapValue(values);
    };
  }

  #slot(name: string): number {
    const slot = this.slots++;
    this.#scope.push({ name, slot });
    return slot;
  }

  #fold(fold: FoldNode): Step {
    const range = this.plan(fold.range);
    const init = this.plan(fold.init);
    const accumulator = this.#slot(fold.accumulator);
    const variable = this.#slot(fold.variable);
    const variable2 = fold.variable2 === undefined ? undefined : this.#slot(fold.variable2);
    const condition = this.plan(fold.condition);
    const body = this.#foldStep(fold, accumulator);
    this.#scope.length -= variable2 === undefined ? 1 : 2;
    const result = this.plan(fold.result);
    this.#scope.length -= 1;
    return (frame) => {
      const over = range(frame);
      if (isError(over)) return over;
      const { slots } = frame;
      slots[accumulator] = body.start?.() ?? init(frame);
      const iterate = iterator(over, variable2 !== undefined);
      if (iterate === undefined) return celError(`got '${GO_TYPES[kindOf(over)] ?? 'ref.Val'}', expected iterable type`);
      for (const [first, second] of iterate) {
        spend(frame, 1);
        slots[variable] = first;
        if (variable2 !== undefined) slots[variable2] = second;
        if (condition(frame) !== true) break;
        slots[accumulator] = body.step(frame);
      }
      if (body.finish !== undefined) return body.finish(slots[accumulator] as unknown as Collector);
      return result(frame);
    };
  }

  /** `map`, `filter` and their like append in place: copying the list at each step would make them quadratic. */
  #foldStep(fold: FoldNode, accumulator: number): { step: Step; start?: () => CelValue; finish?: (collected: Collector) => CelValue } {
    const appended = appendedElement(fold);
    if (appended === undefined) return { step: this.plan(fold.step) };
    const filter = appended.filter === undefined ? undefined : this.plan(appended.filter);
    const element = this.plan(appended.element);
    return {
      start: () => ({ kind: 'list', size: 0, at: () => null, collected: [] }) as Collector,
      finish: (collected) => collected.error ?? listValue(collected.collected),
      step: (frame) => {
        const collector = frame.slots[accumulator] as Collector;
        if (collector.error !== undefined) return collector;
        const keep = filter === undefined ? true : filter(frame);
        if (keep === false) return collector;
        const value = keep === true ? element(frame) : isError(keep) ? keep : celError('no such overload');
        if (isError(value)) collector.error = value;
        else collector.collected.push(value);
        return collector;
      },
    };
  }
}

interface Collector extends CelList {
  readonly collected: CelValue[];
  error?: CelValue;
}

/** `accumulator + [element]`, perhaps under a condition; `undefined` for any other fold. */
function appendedElement(fold: FoldNode): { readonly filter?: Expr; readonly element: Expr } | undefined {
  const { step } = fold;
  if (fold.init.node !== 'list' || step.node !== 'call' || fold.variable === '#unused') return undefined;
  const [first, second] = step.args;
  if (step.name === '_+_' && second?.node === 'list' && second.elements.length === 1) return { element: second.elements[0] as Expr };
  if (step.name !== '_?_:_' || first === undefined || second?.node !== 'call' || second.name !== '_+_') return undefined;
  const list = second.args[1];
  return list?.node === 'list' ? { filter: first, element: list.elements[0] as Expr } : undefined;
}

/** How cel-go's implementation calls the types of values. */
const GO_TYPES: Readonly<Record<string, string>> = {
  int: 'types.Int',
  uint: 'types.Uint',
  double: 'types.Double',
  bool: 'types.Bool',
  string: 'types.String',
  bytes: 'types.Bytes',
  null: 'types.Null',
  timestamp: 'types.Timestamp',
  duration: 'types.Duration',
  optional: '*types.Optional',
  type: '*types.Type',
};

/** Elements or keys; with two variables index and element, or key and value. */
function iterator(over: CelValue, pairs: boolean): Iterable<readonly [CelValue, CelValue]> | undefined {
  if (kindOf(over) === 'list') {
    const elements = elementsOf(over as CelList);
    return elements.map((element, index) => (pairs ? [BigInt(index), element] : [element, null]));
  }
  if (kindOf(over) !== 'map') return undefined;
  const map = over as CelMap;
  return [...map.keys()].map((key) => [key, pairs ? (map.get(key) ?? null) : null]);
}

/** `&&` and `||` take either side first: a decided side outweighs an error of the other. */
function logic([left, right]: readonly [Step, Step], decisive: boolean): Step {
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

function conditional([condition, whenTrue, whenFalse]: readonly [Step, Step, Step]): Step {
  return (frame) => {
    const value = condition(frame);
    if (value === true) return whenTrue(frame);
    if (value === false) return whenFalse(frame);
    return isError(value) ? value : celError('no such overload');
  };
}

/** `a.or(b)` and `a.orValue(b)` evaluate `b` only if `a` is empty. */
function alternative([target, other]: readonly [Step, Step], keepOptional: boolean): Step {
  return (frame) => {
    const value = target(frame);
    if (isError(value)) return value;
    if (kindOf(value) !== 'optional') return celError('no such overload');
    const inner = (value as CelOptional).value;
    if (inner === undefined) return other(frame);
    return keepOptional ? value : inner;
  };
}

function strict(name: string, args: readonly Step[]): Step {
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

function selectField(value: CelValue, field: string): CelValue {
  switch (kindOf(value)) {
    case 'error':
      return value;
    case 'map':
      return (value as CelMap).get(field) ?? celError(`no such key: ${field}`);
    case 'optional':
      return selectOptional(value, field);
    case 'list':
      return celError("unsupported index type 'string' in list");
    default:
      return celError(`no such key: ${field}`);
  }
}

function selectOptional(value: CelValue, field: string): CelValue {
  if (isError(value)) return value;
  const inner = kindOf(value) === 'optional' ? (value as CelOptional).value : value;
  if (inner === undefined) return value;
  if (kindOf(inner) !== 'map') return celError('no such overload');
  return optional((inner as CelMap).get(field));
}

function hasField(value: CelValue, field: string): CelValue {
  switch (kindOf(value)) {
    case 'error':
      return value;
    case 'map':
      return (value as CelMap).get(field) !== undefined;
    case 'optional': {
      const inner = (value as CelOptional).value;
      return inner === undefined ? false : hasField(inner, field);
    }
    default:
      return false;
  }
}

function typeValueName(name: string): string {
  return { null: 'null_type', timestamp: 'google.protobuf.Timestamp', duration: 'google.protobuf.Duration' }[name] ?? name;
}
