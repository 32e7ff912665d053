import type { CallNode, Expr, FoldNode, ListNode, MapNode, SelectNode, StructNode } from '../syntax/index.js';
import { type CelProblem, positionAt, qualifiedName } from '../syntax/index.js';
import {
  acceptedSince,
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DYN,
  ERROR,
  fieldTypeOf,
  formatType,
  INT,
  type Libraries,
  listOf,
  mapOf,
  messageType,
  mostGeneral,
  NULL,
  type ObjectType,
  type Overload,
  optionalOf,
  overloadsOf,
  patchOverloadsOf,
  resolveOverload,
  STRING,
  typeIdentifier,
  typeOf,
  UINT,
  Unifier,
  unwrapOptional,
} from '../types/index.js';
import type { Checked } from './checked.js';

export interface CheckOptions {
  readonly variables: ReadonlyMap<string, CelType>;
  readonly libraries: Libraries;
  /** Whether the expression makes a patch: `Object`, `JSONPatch` and their functions are known. @defaultValue false */
  readonly patches?: boolean;
}

/** Types an expression. */
export function check(source: string, expr: Expr, options: CheckOptions): Checked {
  const checker = new Checker(source, options);
  return checker.run(expr);
}

interface Scope {
  readonly variables: ReadonlyMap<string, CelType>;
  readonly parent?: Scope;
}

const LITERAL_TYPES = { int: INT, uint: UINT, double: DOUBLE, string: STRING, bytes: BYTES, bool: BOOL, null: NULL } as const;

class Checker {
  readonly #source: string;
  readonly #libraries: Libraries;
  readonly #patches: boolean;
  readonly #unifier = new Unifier();
  readonly #types = new Map<Expr, CelType>();
  readonly #overloads = new Map<Expr, readonly string[]>();
  readonly #problems: CelProblem[] = [];
  readonly #references = new Set<string>();
  readonly #namespaced = new Map<Expr, string>();
  readonly #qualified = new Map<Expr, string>();
  #scope: Scope;

  constructor(source: string, options: CheckOptions) {
    this.#source = source;
    this.#libraries = options.libraries;
    this.#patches = options.patches ?? false;
    this.#scope = { variables: options.variables };
  }

  run(expr: Expr): Checked {
    this.#check(expr);
    for (const [node, type] of this.#types) this.#types.set(node, this.#unifier.substitute(type, true));
    return {
      problems: this.#problems,
      types: this.#types,
      overloads: this.#overloads,
      references: this.#references,
      namespaced: this.#namespaced,
      qualified: this.#qualified,
    };
  }

  #report(at: number, message: string, more: Pick<CelProblem, 'undefinedField'> = {}): void {
    this.#problems.push({ message, ...positionAt(this.#source, at), ...more });
  }

  #check(expr: Expr): CelType {
    const type = this.#typeOf(expr);
    this.#types.set(expr, type);
    return type;
  }

  #typeOf(expr: Expr): CelType {
    switch (expr.node) {
      case 'literal':
        return LITERAL_TYPES[expr.literal.kind];
      case 'ident':
        return this.#lookup(expr.name) ?? this.#undeclared(expr.at, expr.name);
      case 'select':
        return this.#checkSelect(expr);
      case 'call':
        return this.#checkCall(expr);
      case 'list':
        return this.#checkList(expr);
      case 'map':
        return this.#checkMap(expr);
      case 'struct':
        return this.#checkStruct(expr);
      case 'fold':
        return this.#checkFold(expr);
    }
  }

  #undeclared(at: number, name: string): CelType {
    // The author of a definition learns which clusters have the function; the API server knows of no other release.
    const since = this.#libraries === 'portable' ? acceptedSince(name) : undefined;
    const hint = since === undefined ? '' : `: Kubernetes accepts ${name} since ${since}`;
    this.#report(at, `undeclared reference to '${name}' (in container '')${hint}`);
    return ERROR;
  }

  #lookup(name: string): CelType | undefined {
    const isGlobal = name.startsWith('.');
    const bare = isGlobal ? name.slice(1) : name;
    const [first = ''] = bare.split('.', 1);
    let scope: Scope = this.#scope;
    // A variable of a macro hides all global names that start with it, unless a dot in front asks for those.
    for (; scope.parent !== undefined; scope = scope.parent) {
      if (isGlobal || !scope.variables.has(first)) continue;
      if (first === bare) this.#references.add(bare);
      return first === bare ? scope.variables.get(bare) : undefined;
    }
    const type = scope.variables.get(bare);
    if (type !== undefined) {
      this.#references.add(bare);
      return type;
    }
    return this.#lookupType(bare);
  }

  #lookupType(name: string): CelType | undefined {
    const bare = name.startsWith('.') ? name.slice(1) : name;
    const message = this.#patches ? messageType(bare) : undefined;
    return message === undefined ? typeIdentifier(bare) : typeOf(message);
  }

  #checkSelect(expr: SelectNode): CelType {
    const name = expr.test ? undefined : qualifiedName(expr);
    const named = name === undefined ? undefined : this.#lookup(name);
    if (name !== undefined && named !== undefined) {
      this.#qualified.set(expr, name);
      return named;
    }
    const result = this.#selectField(expr, expr.operand, { field: expr.field, optional: false });
    return expr.test ? BOOL : this.#unifier.substitute(result, false);
  }

  #selectField(expr: Expr, operand: Expr, access: { field: string; optional: boolean }): CelType {
    const operandType = this.#unifier.substitute(this.#check(operand), false);
    const unwrapped = unwrapOptional(operandType);
    const target = unwrapped ?? operandType;
    if (target.kind === 'parameter') this.#unifier.assign(DYN, target);
    const { type, problem } = fieldTypeOf(target, access.field);
    if (problem !== undefined) this.#report(expr.at, problem, target.kind === 'object' ? { undefinedField: access.field } : {});
    return unwrapped !== undefined || access.optional ? optionalOf(type) : type;
  }

  #checkCall(call: CallNode): CelType {
    if (call.name === '_?._') {
      const [operand, field] = call.args as [Expr, Expr];
      const name = field.node === 'literal' && field.literal.kind === 'string' ? field.literal.value : '';
      this.#overloads.set(call, ['(dyn, string)']);
      return this.#unifier.substitute(this.#selectField(call, operand, { field: name, optional: true }), false);
    }
    const argTypes = call.args.map((arg) => this.#check(arg));
    const prefix = call.target === undefined ? undefined : qualifiedName(call.target);
    const bare = call.name.startsWith('.') ? call.name.slice(1) : call.name;
    const fullName = prefix === undefined ? bare : `${prefix.replace(/^\./, '')}.${call.name}`;
    if (call.target === undefined || prefix !== undefined) {
      const overloads = this.#overloadsOf(fullName);
      if (overloads !== undefined) {
        if (call.target !== undefined) this.#namespaced.set(call, fullName);
        return this.#resolve(call, { name: fullName, overloads, member: false, argTypes });
      }
      if (call.target === undefined) return this.#undeclared(call.at, call.name);
    }
    const targetType = this.#check(call.target as Expr);
    const overloads = this.#overloadsOf(call.name);
    if (overloads === undefined) return this.#undeclared(call.at, call.name);
    return this.#resolve(call, { name: call.name, overloads, member: true, argTypes: [targetType, ...argTypes] });
  }

  #overloadsOf(name: string): readonly Overload[] | undefined {
    return overloadsOf(name, this.#libraries) ?? (this.#patches ? patchOverloadsOf(name) : undefined);
  }

  #resolve(
    call: CallNode,
    candidate: { name: string; overloads: readonly Overload[]; member: boolean; argTypes: readonly CelType[] },
  ): CelType {
    const { name, overloads, member, argTypes } = candidate;
    if (name === '_&&_' || name === '_||_') return this.#checkLogic(call, argTypes);
    const result = resolveOverload(overloads, { member, argTypes }, this.#unifier);
    if (result !== undefined) {
      this.#overloads.set(call, result.signatures);
      return result.result;
    }
    const shown = argTypes.map((type) => formatType(this.#unifier.substitute(type, true)));
    const signature = member ? `${shown[0]}.(${shown.slice(1).join(', ')})` : `(${shown.join(', ')})`;
    this.#report(call.at, `found no matching overload for '${name}' applied to '${signature}'`);
    return ERROR;
  }

  #checkLogic(call: CallNode, argTypes: readonly CelType[]): CelType {
    this.#overloads.set(call, ['(bool, bool)']);
    let failed = false;
    for (const [index, type] of argTypes.entries()) {
      if (this.#unifier.assign(type, BOOL)) continue;
      failed = true;
      this.#report(call.args[index]?.at ?? call.at, `expected type 'bool' but found '${formatType(type)}'`);
    }
    return failed ? ERROR : BOOL;
  }

  #checkList(list: ListNode): CelType {
    let joined: CelType | undefined;
    for (const [index, element] of list.elements.entries()) {
      const type = this.#check(element);
      joined = this.#join(joined, list.optional.has(index) ? this.#unwrap(element, type) : type);
    }
    return listOf(joined ?? this.#unifier.fresh());
  }

  #unwrap(element: Expr, type: CelType): CelType {
    const inner = unwrapOptional(type);
    if (inner === undefined && type.kind !== 'dyn')
      this.#report(element.at, `expected type '${formatType(optionalOf(type))}' but found '${formatType(type)}'`);
    return inner ?? type;
  }

  #checkMap(map: MapNode): CelType {
    let key: CelType | undefined;
    let value: CelType | undefined;
    for (const entry of map.entries) {
      key = this.#join(key, this.#check(entry.key));
      const type = this.#check(entry.value);
      value = this.#join(value, entry.optional ? this.#unwrap(entry.value, type) : type);
    }
    return mapOf(key ?? this.#unifier.fresh(), value ?? this.#unifier.fresh());
  }

  #join(previous: CelType | undefined, current: CelType): CelType {
    if (previous === undefined) return current;
    if (this.#unifier.assign(previous, current)) return mostGeneral(previous, current);
    // Mixed literals are refused by a later check, which spares the arguments of `format`.
    return DYN;
  }

  #checkStruct(struct: StructNode): CelType {
    const type = this.#lookupType(struct.name);
    if (type === undefined) return this.#undeclared(struct.at, struct.name);
    if (type.kind === 'type' && type.of?.kind === 'object') return this.#checkFields(struct, type.of);
    this.#report(struct.at, `'${formatType(type.kind === 'type' ? (type.of ?? DYN) : type)}' is not a message type`);
    for (const field of struct.fields) this.#check(field.value);
    return ERROR;
  }

  #checkFields(struct: StructNode, type: ObjectType): CelType {
    for (const { name, value, optional, at } of struct.fields) {
      const checked = this.#check(value);
      const given = optional ? this.#unwrap(value, checked) : checked;
      const declared = type.fields.get(name) ?? (type.isOpen === true ? DYN : undefined);
      if (declared !== undefined && this.#unifier.assign(declared, given)) continue;
      // cel-go has no type to name for a field that the message lacks.
      const wanted = declared === undefined ? '' : formatType(declared);
      const found = formatType(this.#unifier.substitute(given, true));
      this.#report(at, `expected type of field '${name}' is '${wanted}' but provided type is '${found}'`);
    }
    return type;
  }

  #checkFold(fold: FoldNode): CelType {
    this.#check(fold.range);
    const accumulator = this.#check(fold.init);
    const range = this.#unifier.substitute(this.#types.get(fold.range) ?? DYN, false);
    const outer = this.#scope;
    const accumulated: Scope = { variables: new Map([[fold.accumulator, accumulator]]), parent: outer };
    const [first, second] = this.#variableTypes(fold, range);
    const variables = new Map([[fold.variable, first]]);
    if (fold.variable2 !== undefined) variables.set(fold.variable2, second);
    this.#scope = { variables, parent: accumulated };
    this.#check(fold.condition);
    this.#assert(fold.condition, BOOL);
    this.#check(fold.step);
    this.#assert(fold.step, accumulator);
    this.#scope = accumulated;
    const result = this.#check(fold.result);
    this.#scope = outer;
    return this.#unifier.substitute(result, false);
  }

  /** The types of the iteration variables: element, or index and element; key, or key and value. */
  #variableTypes(fold: FoldNode, range: CelType): readonly [CelType, CelType] {
    const two = fold.variable2 !== undefined;
    switch (range.kind) {
      case 'list':
        return two ? [INT, range.item] : [range.item, DYN];
      case 'map':
        return [range.key, range.value];
      case 'dyn':
      case 'error':
      case 'parameter':
        this.#unifier.assign(DYN, range);
        return [DYN, DYN];
      default:
        this.#report(
          fold.range.at,
          `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        );
        return [ERROR, ERROR];
    }
  }

  #assert(expr: Expr, wanted: CelType): void {
    const actual = this.#types.get(expr) ?? DYN;
    if (!this.#unifier.assign(wanted, actual))
      this.#report(expr.at, `expected type '${formatType(wanted)}' but found '${formatType(actual)}'`);
  }
}
