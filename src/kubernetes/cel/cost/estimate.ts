import type { Checked } from '../check/index.js';
import type { CallNode, Expr, FoldNode, ListNode, LiteralValue, MapNode, SelectNode } from '../syntax/index.js';
import { ACCUMULATOR } from '../syntax/index.js';
import { type CelType, DYN, unwrapOptional } from '../types/index.js';
import { libraryCost } from './library-cost.js';
import { listCost } from './list-cost.js';
import type { Call, CallCost, Operand } from './operand.js';
import { append, type FieldPath, NO_PATH, pathOf, stepsOf } from './path.js';
import { add, ENDLESS, exactly, larger, NOTHING, type SizeRange, times, UNKNOWN, union } from './range.js';
import type { SchemaSize } from './schema-size.js';
import { type EntrySize, type LocalVariable, Scopes, unionOfEntries } from './scopes.js';
import { LIST_CREATION, MAP_CREATION, STRUCT_CREATION, standardCost } from './standard-cost.js';

/** A value of the schema whose size an estimate asked for. */
export interface SizedValue {
  /** From the rule's value, as CEL reads it: `self`, `items`, `@items`, `name`. */
  readonly steps: readonly string[];
  readonly size: SchemaSize;
}

export interface CostEstimate {
  /** In the API server's cost units; {@link ENDLESS} where nothing bounds it. */
  readonly cost: bigint;
  /** A value that could be given a bound, or a smaller one. */
  readonly sized: readonly SizedValue[];
}

/**
 * Upper bound of an expression's cost, as the API server estimates it when a rule is created.
 *
 * Flow: a walk in cel-go's order; each node leaves its cost, the path of the value that it reads, and what is known of its size. The order matters, as paths share their cells
 * ({@link FieldPath}) and sizes are remembered when they are first asked for. Only the upper end of a range of costs counts.
 * Source: cel-go 0.26, `checker/cost.go`; apiextensions-apiserver, `pkg/apiserver/schema/cel/compilation.go` (sizeEstimator).
 *
 * @param root - the size of `self`
 */
export function estimateCost(expr: Expr, checked: Checked, root: SchemaSize): CostEstimate {
  const estimator = new Estimator(checked, root);
  const cost = estimator.cost(expr);
  return { cost, sized: [...estimator.sized.values()] };
}

class Estimator {
  readonly #checked: Checked;
  readonly #root: SchemaSize;
  readonly #paths = new Map<Expr, FieldPath>();
  readonly #sizes = new Map<Expr, SizeRange>();
  readonly #entries = new Map<Expr, EntrySize>();
  readonly #scopes = new Scopes();
  readonly sized = new Map<string, SizedValue>();

  constructor(checked: Checked, root: SchemaSize) {
    this.#checked = checked;
    this.#root = root;
  }

  cost(expr: Expr): bigint {
    switch (expr.node) {
      case 'literal':
        return 0n;
      case 'ident':
        return this.#variable(expr, expr.name.startsWith('.') ? expr.name.slice(1) : expr.name);
      case 'select':
        return this.#select(expr);
      case 'call':
        return this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'struct':
        return expr.fields.reduce((sum, { value }) => add(sum, this.cost(value)), STRUCT_CREATION);
      case 'fold':
        return isBinding(expr) ? this.#binding(expr) : this.#fold(expr);
    }
  }

  #variable(expr: Expr, name: string): bigint {
    this.#paths.set(expr, this.#scopes.find(name)?.path ?? pathOf(name));
    return 1n;
  }

  #select(expr: SelectNode): bigint {
    const qualified = this.#checked.qualified.get(expr);
    if (qualified !== undefined) return this.#variable(expr, qualified.startsWith('.') ? qualified.slice(1) : qualified);
    const operand = this.cost(expr.operand);
    // `has()` is free, and so is a field of an optional or of a value without a type.
    if (expr.test) return operand;
    this.#paths.set(expr, append(this.#pathOf(expr.operand), expr.field));
    const { kind } = this.#typeOf(expr.operand);
    return kind === 'map' || kind === 'object' ? add(operand, 1n) : operand;
  }

  #call(expr: CallNode): bigint {
    const name = this.#checked.namespaced.get(expr) ?? (expr.name.startsWith('.') ? expr.name.slice(1) : expr.name);
    if (name === 'dyn') return this.#untyped(expr);
    const argCosts: bigint[] = [];
    const args = expr.args.map((arg) => {
      argCosts.push(this.cost(arg));
      return this.#operand(arg);
    });
    // The target is walked after the arguments.
    const hasTarget = expr.target !== undefined && !this.#checked.namespaced.has(expr);
    const targetCost = hasTarget ? this.cost(expr.target as Expr) : 0n;
    const target = hasTarget ? this.#operand(expr.target as Expr) : undefined;
    const cost = this.#overloads(expr, { name, target, args }, argCosts);
    return add(targetCost, cost);
  }

  /** The dearest of the overloads that a call may mean. */
  #overloads(expr: CallNode, call: Omit<Call, 'signature'>, argCosts: readonly bigint[]): bigint {
    let cost = 0n;
    let resultSize: SizeRange | undefined;
    for (const signature of this.#checked.overloads.get(expr) ?? []) {
      const overload = this.#overload(expr, { ...call, signature }, argCosts);
      cost = larger(cost, overload.cost);
      if (overload.resultSize !== undefined)
        resultSize = resultSize === undefined ? overload.resultSize : union(resultSize, overload.resultSize);
      const container = indexed(call.name, signature);
      const [first] = expr.args;
      if (container !== undefined && first !== undefined) {
        resultSize = this.#entriesOf(first)?.value;
        this.#paths.set(expr, append(this.#pathOf(first), container === 'list' ? '@items' : '@values'));
      }
      resultSize ??= this.#sizeOf(expr);
    }
    if (resultSize !== undefined) this.#sizes.set(expr, resultSize);
    return cost;
  }

  #overload(expr: CallNode, call: Call, argCosts: readonly bigint[]): CallCost {
    const sum = argCosts.reduce(add, 0n);
    const sizeOfPath = (path: FieldPath): SizeRange | undefined => this.#schemaSize(path);
    const known = listCost(call, sizeOfPath) ?? libraryCost(call, sizeOfPath);
    if (known !== undefined) return { cost: add(known.cost, sum), resultSize: known.resultSize };
    if (call.name === '_&&_' || call.name === '_||_') return { cost: sum };
    if (call.name === '_?_:_') return this.#conditional(expr, call.args, argCosts);
    if (call.name === '_+_') this.#joinEntries(expr);
    const standard = standardCost(call);
    return standard === undefined ? { cost: add(sum, 1n) } : { cost: add(standard.cost, sum), resultSize: standard.resultSize };
  }

  #conditional(expr: CallNode, args: readonly Operand[], argCosts: readonly bigint[]): CallCost {
    const [condition, whenTrue, whenFalse] = argCosts as [bigint, bigint, bigint];
    const [, left, right] = args;
    const entries = unionOfEntries(this.#entriesOf(expr.args[1] as Expr), this.#entriesOf(expr.args[2] as Expr));
    if (entries !== undefined) this.#entries.set(expr, entries);
    const resultSize = union(left?.size ?? UNKNOWN, right?.size ?? UNKNOWN);
    return { cost: add(condition, larger(whenTrue, whenFalse)), resultSize };
  }

  #joinEntries(expr: CallNode): void {
    const [left, right] = expr.args as [Expr, Expr];
    const entries = unionOfEntries(this.#entriesOf(left), this.#entriesOf(right));
    if (entries !== undefined) this.#entries.set(expr, entries);
  }

  #untyped(expr: CallNode): bigint {
    const [value] = expr.args as [Expr];
    const cost = this.cost(value);
    this.#copySizes(expr, value);
    return add(cost, 1n);
  }

  #list(expr: ListNode): bigint {
    let cost = 0n;
    let value: SizeRange = { min: expr.elements.length === 0 ? 0n : ENDLESS, max: 0n };
    for (const element of expr.elements) {
      cost = add(cost, this.cost(element));
      value = union(value, this.#sizeOf(element) ?? UNKNOWN);
    }
    this.#entries.set(expr, { container: 'list', key: exactly(1n), value });
    return add(cost, LIST_CREATION);
  }

  #map(expr: MapNode): bigint {
    let cost = 0n;
    const none: SizeRange = { min: expr.entries.length === 0 ? 0n : ENDLESS, max: 0n };
    let key = none;
    let value = none;
    for (const entry of expr.entries) {
      cost = add(add(cost, this.cost(entry.key)), this.cost(entry.value));
      key = union(key, this.#sizeOf(entry.key) ?? UNKNOWN);
      value = union(value, this.#sizeOf(entry.value) ?? UNKNOWN);
    }
    this.#entries.set(expr, { container: 'map', key, value });
    return add(cost, MAP_CREATION);
  }

  #fold(expr: FoldNode): bigint {
    const { range, init, variable, variable2, accumulator } = expr;
    let sum = add(this.cost(range), this.cost(init));
    this.#scopes.push(accumulator, this.#bound(init));
    if (variable2 === undefined) this.#scopes.push(variable, this.#iterated(range, this.#containerOf(range) === 'list' ? 'value' : 'key'));
    else {
      this.#scopes.push(variable, this.#iterated(range, 'key'));
      this.#scopes.push(variable2, this.#iterated(range, 'value'));
    }
    const turn = [expr.condition, expr.step].map((part) => this.cost(part)).reduce(add);
    this.#scopes.pop(variable);
    if (variable2 !== undefined) this.#scopes.pop(variable2);
    sum = add(sum, this.cost(expr.result));
    this.#scopes.pop(accumulator);
    const turns = this.#sizeOf(range) ?? UNKNOWN;
    this.#rememberMade(expr, turns);
    return add(sum, times(turns.max, turn));
  }

  /** The size of what a fold makes: a list or map as large as what it goes through. */
  #rememberMade(expr: FoldNode, turns: SizeRange): void {
    if (expr.init.node === 'literal') {
      const size = this.#sizeOf(expr.init);
      if (size !== undefined) this.#sizes.set(expr, size);
    } else if (expr.init.node === 'list' || expr.init.node === 'map') {
      this.#sizes.set(expr, turns);
      const entries = this.#entriesOf(expr.step);
      if (entries !== undefined) this.#entries.set(expr, entries);
    }
  }

  #binding(expr: FoldNode): bigint {
    const before = add(this.cost(expr.range), this.cost(expr.init));
    this.#scopes.push(expr.accumulator, this.#bound(expr.init));
    const cost = add(before, this.cost(expr.result));
    this.#scopes.pop(expr.accumulator);
    this.#copySizes(expr, expr.result);
    return cost;
  }

  #bound(value: Expr): LocalVariable {
    const path = this.#pathOf(value);
    const entries = this.#entriesOf(value);
    return { path, size: this.#sizeOf(value), entries };
  }

  #iterated(range: Expr, part: 'key' | 'value'): LocalVariable {
    const entries = this.#entriesOf(range);
    const isList = this.#containerOf(range) === 'list';
    const step = part === 'key' ? (isList ? '@indices' : '@keys') : isList ? '@items' : '@values';
    return { path: append(this.#pathOf(range), step), size: entries?.[part], entries: undefined };
  }

  #containerOf(range: Expr): 'list' | 'map' {
    return this.#entriesOf(range)?.container ?? (this.#typeOf(range).kind === 'list' ? 'list' : 'map');
  }

  #operand(expr: Expr): Operand {
    const path = this.#pathOf(expr);
    const readable = path.cells[0] === ACCUMULATOR ? NO_PATH : path;
    return { type: this.#typeOf(expr), path: readable, expr, size: this.#sizeOf(expr) };
  }

  #typeOf(expr: Expr): CelType {
    return this.#checked.types.get(expr) ?? DYN;
  }

  #pathOf(expr: Expr): FieldPath {
    const local = expr.node === 'ident' ? this.#scopes.find(expr.name) : undefined;
    return local?.path ?? this.#paths.get(expr) ?? NO_PATH;
  }

  #entriesOf(expr: Expr): EntrySize | undefined {
    return this.#entries.get(expr) ?? (expr.node === 'ident' ? this.#scopes.find(expr.name)?.entries : undefined);
  }

  #copySizes(to: Expr, from: Expr): void {
    const size = this.#sizeOf(from);
    if (size !== undefined) this.#sizes.set(to, size);
    const entries = this.#entriesOf(from);
    if (entries !== undefined) this.#entries.set(to, entries);
  }

  #sizeOf(expr: Expr): SizeRange | undefined {
    const known = this.#sizes.get(expr) ?? writtenSize(expr);
    if (known !== undefined) return known;
    const described = this.#schemaSize(this.#pathOf(expr));
    if (described !== undefined) {
      this.#sizes.set(expr, described);
      return described;
    }
    if (isScalar(this.#typeOf(expr))) return exactly(1n);
    return expr.node === 'ident' ? this.#scopes.find(expr.name)?.size : undefined;
  }

  #schemaSize(path: FieldPath): SizeRange | undefined {
    if (path.length === 0) return undefined;
    const steps = stepsOf(path);
    let size: SchemaSize | undefined = this.#root;
    for (const step of steps.slice(1)) {
      if (step === '@items' || step === '@values') size = size.element?.();
      else size = step === '@keys' ? size.key : size.field?.(step);
      if (size === undefined) return undefined;
    }
    if (size.bound !== undefined) this.sized.set(steps.join('.'), { steps, size });
    return { ...NOTHING, max: size.max };
  }
}

/** Lists and maps read at an index, whose elements have paths of their own. */
function indexed(name: string, signature: string): 'list' | 'map' | undefined {
  if (name !== '_[_]') return undefined;
  if (signature === '(list(A), int)') return 'list';
  return signature === '(map(A, B), A)' ? 'map' : undefined;
}

/** The expansion of `optMap` and its like: a fold over nothing that binds a variable. */
function isBinding({ range, condition }: FoldNode): boolean {
  return range.node === 'list' && range.elements.length === 0 && isFalse(condition);
}

const isFalse = (expr: Expr): boolean => expr.node === 'literal' && expr.literal.kind === 'bool' && !expr.literal.value;

function writtenSize(expr: Expr): SizeRange | undefined {
  switch (expr.node) {
    case 'literal':
      return exactly(literalSize(expr.literal));
    case 'list':
      return exactly(BigInt(expr.elements.length));
    case 'map':
      return exactly(BigInt(expr.entries.length));
    default:
      return undefined;
  }
}

function literalSize(literal: LiteralValue): bigint {
  if (literal.kind === 'string') return BigInt([...literal.value].length);
  return literal.kind === 'bytes' ? BigInt(literal.value.length) : 1n;
}

const SCALARS: ReadonlySet<string> = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

function isScalar(type: CelType): boolean {
  const inner = unwrapOptional(type);
  return inner === undefined ? SCALARS.has(type.kind) : isScalar(inner);
}
