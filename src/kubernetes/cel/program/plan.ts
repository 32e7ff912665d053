import type { Checked } from '../check/index.js';
import { appendedElement, type Collector, iterator, notIterable } from '../check/index.js';
import { implementationOf } from '../library/index.js';
import type { CallNode, Expr, FoldNode, ListNode, MapNode, SelectNode, StructNode } from '../syntax/index.js';
import { runtimeTypeName, typeIdentifier } from '../types/index.js';
import {
  type CelList,
  type CelMessage,
  type CelOptional,
  type CelValue,
  celError,
  elementsOf,
  fieldOfMessage,
  hasField,
  hasFieldOfMessage,
  isError,
  keyLabel,
  keyText,
  kindOf,
  listValue,
  mapValue,
  newMessage,
  selectField,
  selectOptional,
  uintOf,
} from '../values/index.js';
import { alternative, apply, conditional, logic, strict } from './call-steps.js';
import { isConversion } from './conversions.js';
import { type Frame, type Step, spend } from './frame.js';
import { attribute, computed, conditionalOf, constant, fieldOf, type Planned, presenceOf, qualified } from './planned.js';

const LIST_CREATION = 10;
const MAP_CREATION = 30;
const STRUCT_CREATION = 40;
/** Their regular expressions are compiled once if they are constant. */
const COMPILED_PATTERNS: ReadonlySet<string> = new Set(['matches', 'find', 'findAll']);

/** Turns a checked tree into closures that evaluate it, and count what that costs as cel-go does. Evaluation then decides nothing that was known before. */
export function plan(expr: Expr, checked: Checked): { readonly step: Step; readonly slots: number } {
  const planner = new Planner(checked);
  const { step } = planner.plan(expr);
  return { step, slots: planner.slots };
}

interface ScopeEntry {
  readonly name: string;
  readonly slot: number;
  /** A binding's value, made when it is first read. */
  readonly lazy?: Step;
}

class Planner {
  readonly #checked: Checked;
  /** Variables of the folds around, innermost last. */
  readonly #scope: ScopeEntry[] = [];
  slots = 0;

  constructor(checked: Checked) {
    this.#checked = checked;
  }

  plan(expr: Expr): Planned {
    switch (expr.node) {
      case 'literal': {
        const { literal } = expr;
        return constant(literal.kind === 'null' ? null : literal.kind === 'uint' ? uintOf(literal.value) : literal.value);
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
        return computed(this.#fold(expr));
      case 'struct':
        return this.#struct(expr);
    }
  }

  #variable(name: string): Planned {
    const bare = name.startsWith('.') ? name.slice(1) : name;
    const local = bare === name ? this.#scope.findLast((entry) => entry.name === bare) : undefined;
    if (local !== undefined) return attribute(localVariable(local));
    const type = this.#checked.references.has(bare) ? undefined : typeIdentifier(bare);
    if (type?.kind === 'type') return constant({ kind: 'type', name: type.of === undefined ? 'type' : runtimeTypeName(type.of) });
    const missing = celError(`no such attribute(s): ${bare}`);
    return attribute((frame) => {
      const value = frame.bindings[bare];
      return value === undefined ? missing : value;
    });
  }

  #select(expr: SelectNode): Planned {
    const named = this.#checked.qualified.get(expr);
    if (named !== undefined) return this.#variable(named);
    const operand = this.plan(expr.operand);
    const { field, test } = expr;
    if (this.#checked.types.get(expr.operand)?.kind === 'object')
      return test ? presenceOf(operand, has(field)) : messageFieldOf(operand, field);
    return test ? presenceOf(operand, (value) => hasField(value, field)) : fieldOf(operand, field);
  }

  #call(call: CallNode): Planned {
    const name = this.#checked.namespaced.get(call) ?? (call.name.startsWith('.') ? call.name.slice(1) : call.name);
    const hasTarget = call.target !== undefined && !this.#checked.namespaced.has(call);
    const args = (hasTarget ? [call.target as Expr, ...call.args] : call.args).map((arg) => this.plan(arg));
    const steps = args.map(({ step }) => step);
    const [first, second, third] = args as [Planned, Planned, Planned];
    switch (name) {
      case '_&&_':
        return computed(logic(steps as [Step, Step], false));
      case '_||_':
        return computed(logic(steps as [Step, Step], true));
      case '_?_:_':
        return conditionalOf(conditional([first.step, second.resolve, third.resolve]));
      case '@not_strictly_false':
        return computed(notStrictlyFalse(first.step));
      case '_?._':
        return qualified(first, { optional: true, read: (value, frame) => selectOptional(value, second.step(frame) as string) });
      case '_[_]':
      case '_[?_]':
        return indexed(name, first, second);
      case 'or':
      case 'orValue':
        return computed(alternative(steps as [Step, Step], name === 'or'));
      default:
        return this.#function(call, name, args);
    }
  }

  #function(call: CallNode, name: string, args: readonly Planned[]): Planned {
    const signatures = this.#checked.overloads.get(call) ?? [];
    const [value, list] = args;
    const stopsEarly = args.length > 2 || (COMPILED_PATTERNS.has(name) && list?.kind === 'constant');
    const step = strict(
      { name, signatures, stopsEarly },
      args.map((arg) => arg.step),
    );
    if (isConversion(name) && args.length === 1 && value?.kind === 'constant') return folded(step);
    if (name === '@in' && signatures.length === 1 && value !== undefined && list?.kind === 'constant')
      return memberOf(value, valueOfConstant(list)) ?? computed(step);
    return computed(step);
  }

  #list(list: ListNode): Planned {
    const elements = list.elements.map((element, index) => ({ planned: this.plan(element), optional: list.optional.has(index) }));
    const step: Step = (frame) => {
      const values: CelValue[] = [];
      let failed: CelValue | undefined;
      for (const { planned, optional: isOptional } of elements) {
        const value = planned.step(frame);
        failed = isError(value) ? value : isOptional ? addOptional(value, values) : addPlain(value, values);
        if (failed !== undefined) break;
      }
      spend(frame, LIST_CREATION);
      return failed ?? listValue(values);
    };
    return elements.every(({ planned }) => planned.kind === 'constant') ? folded(step) : computed(step);
  }

  #map(map: MapNode): Planned {
    const entries = map.entries.map((entry) => ({ key: this.plan(entry.key), value: this.plan(entry.value), optional: entry.optional }));
    const step: Step = (frame) => {
      const values = new Map<string, readonly [CelValue, CelValue]>();
      let failed: CelValue | undefined;
      for (const entry of entries) {
        failed = addEntry(entry, values, frame);
        if (failed !== undefined) break;
      }
      spend(frame, MAP_CREATION);
      return failed ?? mapValue(values);
    };
    const isConstant = entries.every(({ key, value }) => key.kind === 'constant' && value.kind === 'constant');
    return isConstant ? folded(step) : computed(step);
  }

  #struct({ name, fields }: StructNode): Planned {
    const typeName = name.startsWith('.') ? name.slice(1) : name;
    const planned = fields.map((field) => ({ name: field.name, value: this.plan(field.value), optional: field.optional }));
    return computed((frame) => {
      const values = new Map<string, CelValue>();
      let failed: CelValue | undefined;
      for (const field of planned) {
        failed = addField(field, values, frame);
        if (failed !== undefined) break;
      }
      spend(frame, STRUCT_CREATION);
      return failed ?? newMessage(typeName, values);
    });
  }

  #slot(name: string, lazy?: Step): number {
    const slot = this.slots++;
    this.#scope.push(lazy === undefined ? { name, slot } : { name, slot, lazy });
    return slot;
  }

  #fold(fold: FoldNode): Step {
    const init = this.plan(fold.init).step;
    if (fold.variable === '#unused') return this.#binding(fold, init);
    const range = this.plan(fold.range).step;
    const accumulator = this.#slot(fold.accumulator);
    const variable = this.#slot(fold.variable);
    const variable2 = fold.variable2 === undefined ? undefined : this.#slot(fold.variable2);
    const condition = this.plan(fold.condition).step;
    const body = this.#foldStep(fold, accumulator);
    this.#scope.length -= variable2 === undefined ? 1 : 2;
    const result = this.plan(fold.result).step;
    this.#scope.length -= 1;
    return (frame) => {
      const over = range(frame);
      if (isError(over)) return over;
      const { slots } = frame;
      slots[accumulator] = body.start?.() ?? init(frame);
      const iterate = iterator(over, variable2 !== undefined);
      if (iterate === undefined) return notIterable(over);
      for (const [first, second] of iterate) {
        slots[variable] = first;
        if (variable2 !== undefined) slots[variable2] = second;
        if (condition(frame) !== true) break;
        slots[accumulator] = body.step(frame);
      }
      const value = result(frame);
      return body.finish === undefined ? value : body.finish(slots[accumulator] as unknown as Collector);
    };
  }

  #binding(fold: FoldNode, init: Step): Step {
    const slot = this.#slot(fold.accumulator, init);
    const result = this.plan(fold.result).step;
    this.#scope.length -= 1;
    return (frame) => {
      frame.slots[slot] = undefined;
      return result(frame);
    };
  }

  /** `map`, `filter` and their like append in place: copying the list at each step would make them quadratic. */
  #foldStep(fold: FoldNode, accumulator: number): { step: Step; start?: () => CelValue; finish?: (collected: Collector) => CelValue } {
    const appended = appendedElement(fold);
    if (appended === undefined) return { step: this.plan(fold.step).step };
    const filter = appended.filter === undefined ? undefined : this.plan(appended.filter).step;
    const element = this.plan(appended.element);
    // Read the accumulator, make a list of the element unless it is constant, put both together.
    const appending = element.kind === 'constant' ? 2 : LIST_CREATION + 2;
    return {
      start: () => ({ kind: 'list', size: 0, at: () => null, collected: [] }) as Collector,
      finish: (collected) => collected.error ?? listValue(collected.collected),
      step: (frame) => {
        const collector = frame.slots[accumulator] as Collector;
        const keep = filter === undefined ? true : filter(frame);
        // A filter that fails takes the place of what there is; an element that fails does not replace an earlier error.
        if (keep === true) append(element.step(frame), collector);
        else if (keep !== false) collector.error = isError(keep) ? keep : celError('no such overload');
        if (keep === true) spend(frame, appending);
        return collector;
      },
    };
  }
}

/** A message knows its fields only where its type is known: as dyn it has none. */
function messageFieldOf(operand: Planned, field: string): Planned {
  const read = (value: CelValue): CelValue =>
    kindOf(value) === 'message' ? fieldOfMessage(value as CelMessage, field) : selectField(value, field);
  return qualified(operand, { optional: false, read });
}

function has(field: string): (value: CelValue) => CelValue {
  return (value) => (kindOf(value) === 'message' ? hasFieldOfMessage(value as CelMessage, field) : hasField(value, field));
}

function append(value: CelValue, collector: Collector): void {
  if (!isError(value)) collector.collected.push(value);
  else collector.error ??= value;
}

function localVariable({ slot, lazy }: ScopeEntry): Step {
  if (lazy === undefined) return (frame) => frame.slots[slot] as CelValue;
  return (frame) => {
    const known = frame.slots[slot];
    if (known !== undefined) return known;
    const value = lazy(frame);
    frame.slots[slot] = value;
    return value;
  };
}

function notStrictlyFalse(operand: Step): Step {
  return (frame) => {
    const value = operand(frame);
    spend(frame, 1);
    return value !== false;
  };
}

/** `a[b]`: what stands in the brackets is resolved like a part of the path. */
function indexed(name: '_[_]' | '_[?_]', container: Planned, index: Planned): Planned {
  const implementation = implementationOf(name);
  return qualified(container, {
    optional: name === '_[?_]',
    read(value, frame) {
      const key = index.resolve(frame);
      return isError(key) ? key : apply(name, implementation, [value, key]);
    },
  });
}

/** A value of constants is made once, and free. */
function folded(step: Step): Planned {
  return constant(step({ bindings: {}, slots: [], cost: 0, limit: Number.POSITIVE_INFINITY }));
}

const valueOfConstant = ({ step }: Planned): CelValue => step({ bindings: {}, slots: [], cost: 0, limit: Number.POSITIVE_INFINITY });

const PRIMITIVES: ReadonlySet<string> = new Set(['bool', 'int', 'uint', 'double', 'string']);

/** `x in [1, 2]` looks into a set of constants, for the price of `x`; `undefined` where cel-go compares one by one. */
function memberOf(value: Planned, list: CelValue): Planned | undefined {
  const elements = kindOf(list) === 'list' ? elementsOf(list as CelList) : undefined;
  if (elements === undefined || !elements.every((element) => PRIMITIVES.has(kindOf(element)))) return undefined;
  if (elements.length === 0) return constant(false);
  const implementation = implementationOf('@in');
  return computed((frame) => {
    const found = value.step(frame);
    return isError(found) ? found : apply('@in', implementation, [found, list]);
  });
}

function addPlain(value: CelValue, values: CelValue[]): undefined {
  values.push(value);
}

function addOptional(value: CelValue, values: CelValue[]): CelValue | undefined {
  if (kindOf(value) !== 'optional') return celError(`cannot initialize optional list element from non-optional value ${keyLabel(value)}`);
  const { value: inner } = value as CelOptional;
  if (inner !== undefined) values.push(inner);
  return undefined;
}

function addEntry(
  entry: { readonly key: Planned; readonly value: Planned; readonly optional: boolean },
  values: Map<string, readonly [CelValue, CelValue]>,
  frame: Frame,
): CelValue | undefined {
  const key = entry.key.step(frame);
  if (isError(key)) return key;
  const value = entry.value.step(frame);
  if (isError(value)) return value;
  // A key of another type than string, int, uint or bool is kept, but nothing can find it.
  const text = keyText(key) ?? `?${values.size}`;
  if (!entry.optional) values.set(text, [key, value]);
  else if (kindOf(value) !== 'optional')
    return celError(`cannot initialize optional entry '${keyLabel(key)}' from non-optional value ${keyLabel(value)}`);
  else if ((value as CelOptional).value !== undefined) values.set(text, [key, (value as CelOptional).value as CelValue]);
  return undefined;
}

function addField(
  field: { readonly name: string; readonly value: Planned; readonly optional: boolean },
  values: Map<string, CelValue>,
  frame: Frame,
): CelValue | undefined {
  const value = field.value.step(frame);
  if (isError(value)) return value;
  if (!field.optional) values.set(field.name, value);
  else if (kindOf(value) !== 'optional')
    return celError(`cannot initialize optional entry '${field.name}' from non-optional value ${keyLabel(value)}`);
  else if ((value as CelOptional).value === undefined) values.delete(field.name);
  else values.set(field.name, (value as CelOptional).value as CelValue);
  return undefined;
}
