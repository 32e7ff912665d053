import type { CallNode, Expr, FoldNode, ListNode, MapNode, SelectNode } from './ast.js';
import { alternative, conditional, logic, strict } from './call-steps.js';
import type { Checked } from './checked.js';
import { typeIdentifier } from './declarations.js';
import { hasField, selectField, selectOptional } from './field-access.js';
import { appendedElement, type Collector, iterator, notIterable } from './fold.js';
import { type Step, spend } from './frame.js';
import { keyLabel } from './operators.js';
import { runtimeTypeName } from './type.js';
import { type CelOptional, type CelValue, celError, isError, keyText, kindOf, listValue, mapValue, uintOf } from './value.js';

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
      const value: CelValue = { kind: 'type', name: type.of === undefined ? 'type' : runtimeTypeName(type.of) };
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
      if (iterate === undefined) return notIterable(over);
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
