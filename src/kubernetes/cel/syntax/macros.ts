import { ACCUMULATOR, type CallNode, type Expr, type FoldNode, type ListNode, type LiteralValue, type MapEntry } from './ast.js';

/** A macro call as it was written. */
export interface MacroCall {
  readonly name: string;
  readonly target?: Expr | undefined;
  readonly args: readonly Expr[];
  /** Where the call's `(` stands: all that the macro adds is reported there. */
  readonly at: number;
}

/** The problem with a macro's arguments. */
export interface MacroProblem {
  readonly problem: string;
  readonly at: number;
}

type Expander = (call: MacroCall) => Expr | MacroProblem;

/** `name/number of arguments`; all but `has` are called on a target. */
const MACROS: Readonly<Record<string, Expander>> = {
  'has/1': expandHas,
  'all/2': (call) => quantifier(call, 'all'),
  'exists/2': (call) => quantifier(call, 'exists'),
  'exists_one/2': (call) => quantifier(call, 'one'),
  'map/2': mapMacro,
  'map/3': mapMacro,
  'filter/2': filterMacro,
  'optMap/2': (call) => optionalMap(call, (value, call_) => make(call_).call('optional.of', value)),
  'optFlatMap/2': (call) => optionalMap(call, (value) => value),
  'all/3': (call) => quantifier(call, 'all'),
  'exists/3': (call) => quantifier(call, 'exists'),
  'existsOne/3': (call) => quantifier(call, 'one'),
  'exists_one/3': (call) => quantifier(call, 'one'),
  'transformList/3': transformList,
  'transformList/4': transformList,
  'transformMap/3': transformMap,
  'transformMap/4': transformMap,
  'transformMapEntry/3': transformMap,
  'transformMapEntry/4': transformMap,
};

/** Expands a call that is a macro; `undefined`: it is an ordinary call. */
export function expandMacro(call: MacroCall, lists: boolean): Expr | MacroProblem | undefined {
  const key = `${call.name}/${call.args.length}`;
  if ((call.name === 'has') !== (call.target === undefined)) return undefined;
  if (key === 'sortBy/2') return lists ? sortBy(call) : undefined;
  return Object.hasOwn(MACROS, key) ? MACROS[key]?.(call) : undefined;
}

function make(call: Pick<MacroCall, 'at'>) {
  const { at } = call;
  return {
    literal: (literal: LiteralValue): Expr => ({ node: 'literal', literal, at }),
    ident: (name: string): Expr => ({ node: 'ident', name, at }),
    call: (name: string, ...args: Expr[]): CallNode => ({ node: 'call', name, args, at }),
    member: (name: string, target: Expr, ...args: Expr[]): CallNode => ({ node: 'call', name, target, args, at }),
    list: (...elements: Expr[]): ListNode => ({ node: 'list', elements, optional: new Set(), at }),
    map: (...entries: MapEntry[]): Expr => ({ node: 'map', entries, at }),
    fold: (parts: Omit<FoldNode, 'node' | 'at' | 'accumulator'> & { accumulator?: string }): FoldNode => ({
      node: 'fold',
      at,
      accumulator: ACCUMULATOR,
      ...parts,
    }),
  };
}

const TRUE: LiteralValue = { kind: 'bool', value: true };
const FALSE: LiteralValue = { kind: 'bool', value: false };

function isProblem(value: object): value is MacroProblem {
  return 'problem' in value;
}

interface Variables {
  readonly variable: string;
  readonly variable2?: string;
}

/** The one or two iteration variables, refused as cel-go refuses them. */
function variablesOf(call: MacroCall, count: 1 | 2, notAName: string): Variables | MacroProblem {
  const nodes = call.args.slice(0, count);
  for (const node of nodes) if (node.node !== 'ident') return { problem: notAName, at: node.at };
  const [first, second] = nodes.map((node) => (node.node === 'ident' ? node.name : ''));
  if (second !== undefined && first === second) return { problem: `duplicate variable name: ${first}`, at: nodes[1]?.at ?? call.at };
  for (const [index, name] of [first, second].entries()) {
    if (name === ACCUMULATOR || name === '__result__')
      return { problem: 'iteration variable overwrites accumulator variable', at: nodes[index]?.at ?? call.at };
  }
  return second === undefined ? { variable: first ?? '' } : { variable: first ?? '', variable2: second };
}

function expandHas(call: MacroCall): Expr | MacroProblem {
  const [argument] = call.args as [Expr];
  if (argument.node !== 'select') return { problem: 'invalid argument to has() macro', at: argument.at };
  return { node: 'select', operand: argument.operand, field: argument.field, test: true, at: call.at };
}

function quantifier(call: MacroCall, kind: 'all' | 'exists' | 'one'): Expr | MacroProblem {
  const names = variablesOf(call, call.args.length === 3 ? 2 : 1, 'argument must be a simple name');
  if (isProblem(names)) return names;
  const $ = make(call);
  const predicate = call.args.at(-1) as Expr;
  const accumulated = $.ident(ACCUMULATOR);
  const range = call.target as Expr;
  if (kind === 'one') {
    const one = $.literal({ kind: 'int', value: 1n });
    return $.fold({
      ...names,
      range,
      init: $.literal({ kind: 'int', value: 0n }),
      condition: $.literal(TRUE),
      step: $.call('_?_:_', predicate, $.call('_+_', accumulated, one), accumulated),
      result: $.call('_==_', accumulated, one),
    });
  }
  const all = kind === 'all';
  return $.fold({
    ...names,
    range,
    init: $.literal(all ? TRUE : FALSE),
    condition: $.call('@not_strictly_false', all ? accumulated : $.call('!_', accumulated)),
    step: $.call(all ? '_&&_' : '_||_', accumulated, predicate),
    result: accumulated,
  });
}

function mapMacro(call: MacroCall): Expr | MacroProblem {
  const names = variablesOf(call, 1, 'argument is not an identifier');
  if (isProblem(names)) return names;
  return collect(call, names, { filter: call.args.length === 3 ? call.args[1] : undefined, element: call.args.at(-1) as Expr });
}

function filterMacro(call: MacroCall): Expr | MacroProblem {
  const names = variablesOf(call, 1, 'argument is not an identifier');
  if (isProblem(names)) return names;
  return collect(call, names, { filter: call.args[1], element: call.args[0] as Expr });
}

function transformList(call: MacroCall): Expr | MacroProblem {
  const names = variablesOf(call, 2, 'argument must be a simple name');
  if (isProblem(names)) return names;
  return collect(call, names, { filter: call.args.length === 4 ? call.args[2] : undefined, element: call.args.at(-1) as Expr });
}

function collect(call: MacroCall, names: Variables, parts: { filter: Expr | undefined; element: Expr }): Expr {
  const $ = make(call);
  const accumulated = $.ident(ACCUMULATOR);
  const add = $.call('_+_', accumulated, $.list(parts.element));
  const step = parts.filter === undefined ? add : $.call('_?_:_', parts.filter, add, accumulated);
  return $.fold({ ...names, range: call.target as Expr, init: $.list(), condition: $.literal(TRUE), step, result: accumulated });
}

function transformMap(call: MacroCall): Expr | MacroProblem {
  const names = variablesOf(call, 2, 'argument must be a simple name');
  if (isProblem(names)) return names;
  const $ = make(call);
  const accumulated = $.ident(ACCUMULATOR);
  const transform = call.args.at(-1) as Expr;
  const entry = call.name === 'transformMap' ? [$.ident(names.variable), transform] : [transform];
  const insert = $.call('cel.@mapInsert', accumulated, ...entry);
  const filter = call.args.length === 4 ? call.args[2] : undefined;
  const step = filter === undefined ? insert : $.call('_?_:_', filter, insert, accumulated);
  return $.fold({ ...names, range: call.target as Expr, init: $.map(), condition: $.literal(TRUE), step, result: accumulated });
}

/** A fold over nothing binds a variable: `result` sees `name` as the value of `init`. */
function bind(call: MacroCall, parts: { name: string; value: Expr; body: Expr }): Expr {
  const $ = make(call);
  return $.fold({
    range: $.list(),
    variable: '#unused',
    accumulator: parts.name,
    init: parts.value,
    condition: $.literal(FALSE),
    step: $.ident(parts.name),
    result: parts.body,
  });
}

function optionalMap(call: MacroCall, wrap: (value: Expr, call: MacroCall) => Expr): Expr | MacroProblem {
  const [name, body] = call.args as [Expr, Expr];
  if (name.node !== 'ident') return { problem: `${call.name}() variable name must be a simple identifier`, at: name.at };
  const $ = make(call);
  const target = call.target as Expr;
  const bound = bind(call, { name: name.name, value: $.member('value', target), body });
  return $.call('_?_:_', $.member('hasValue', target), wrap(bound, call), $.call('optional.none'));
}

function sortBy(call: MacroCall): Expr | MacroProblem {
  const target = call.target as Expr;
  if (target.node === 'literal' || target.node === 'map' || target.node === 'struct') {
    return { problem: 'sortBy can only be applied to a list, identifier, comprehension, call or select expression', at: target.at };
  }
  const $ = make(call);
  const input = '@__sortBy_input__';
  const keys = mapMacro({ ...call, target: $.ident(input) });
  if (isProblem(keys)) return keys;
  return bind(call, { name: input, value: target, body: $.member('@sortByAssociatedKeys', $.ident(input), keys) });
}
