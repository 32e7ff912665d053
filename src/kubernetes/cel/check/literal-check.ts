import { compilePattern, implementationOf, parseFormat, refusal } from '../library/index.js';
import type { CallNode, Expr, ListNode, MapNode } from '../syntax/index.js';
import { type CelProblem, childrenOf, positionAt } from '../syntax/index.js';
import { type CelType, DYN, formatType, runtimeTypeName, sameType, unwrapOptional } from '../types/index.js';
import { isError, uintOf } from '../values/index.js';
import type { Checked } from './checked.js';

/**
 * Kubernetes' checks beyond types (since 1.29): literal durations, timestamps, patterns and format strings, and that
 * list and map literals hold one type.
 */
export function checkLiterals(source: string, root: Expr, checked: Checked): readonly CelProblem[] {
  const problems: CelProblem[] = [];
  const report = (at: number, message: string): void => {
    problems.push({ message, ...positionAt(source, at) });
  };
  const nodes: { readonly expr: Expr; readonly inFormat: boolean }[] = [];
  const visit = (expr: Expr, inFormat: boolean): void => {
    nodes.push({ expr, inFormat });
    const below = inFormat || (expr.node === 'call' && expr.name === 'format');
    for (const child of childrenOf(expr)) visit(child, below);
  };
  visit(root, false);
  const seen = new Set<Expr>();
  for (const { expr, inFormat } of nodes) {
    // A macro may use a node several times; one report is enough.
    if (seen.has(expr)) continue;
    seen.add(expr);
    if (expr.node === 'call') {
      checkConstantArgument(expr, report);
      if (expr.name === 'format') checkFormat(expr, { types: checked.types, report });
    } else if (!inFormat && expr.node === 'list') checkList(expr, { types: checked.types, report });
    else if (!inFormat && expr.node === 'map') checkMap(expr, { types: checked.types, report });
  }
  return problems;
}

type Report = (at: number, message: string) => void;
interface Context {
  readonly types: ReadonlyMap<Expr, CelType>;
  readonly report: Report;
}

function checkConstantArgument(call: CallNode, report: Report): void {
  const [argument] = call.args;
  if (argument?.node !== 'literal') return;
  const { literal } = argument;
  const invalid =
    call.name === 'matches'
      ? // cel-go looks at the first argument, which for the global form `matches(text, pattern)` is the text: the mistake is kept.
        literal.kind === 'string' && typeof compilePattern(literal.value) === 'string'
      : (call.name === 'duration' || call.name === 'timestamp') &&
        literal.kind !== 'null' &&
        isError(implementationOf(call.name)?.([literal.kind === 'uint' ? uintOf(literal.value) : literal.value]) ?? null);
  if (invalid) report(argument.at, `invalid ${call.name} argument`);
}

const typeOf = (context: Context, expr: Expr): CelType => context.types.get(expr) ?? DYN;

function checkList(list: ListNode, context: Context): void {
  let first: CelType | undefined;
  for (const [index, element] of list.elements.entries()) {
    const type = typeOf(context, element);
    const actual = list.optional.has(index) ? (unwrapOptional(type) ?? type) : type;
    if (first === undefined) first = actual;
    else if (!sameType(first, actual)) {
      context.report(element.at, `expected type '${formatType(first)}' but found '${formatType(actual)}'`);
      return;
    }
  }
}

function checkMap(map: MapNode, context: Context): void {
  const [head] = map.entries;
  if (head === undefined) return;
  const valueType = (entry: typeof head): CelType =>
    entry.optional ? (unwrapOptional(typeOf(context, entry.value)) ?? DYN) : typeOf(context, entry.value);
  const key = typeOf(context, head.key);
  const value = valueType(head);
  for (const entry of map.entries.slice(1)) {
    const otherKey = typeOf(context, entry.key);
    if (!sameType(key, otherKey)) context.report(entry.key.at, `expected type '${formatType(key)}' but found '${formatType(otherKey)}'`);
    const otherValue = valueType(entry);
    if (!sameType(value, otherValue))
      context.report(entry.value.at, `expected type '${formatType(value)}' but found '${formatType(otherValue)}'`);
  }
}

const VERB_KINDS: Readonly<Record<string, readonly string[]>> = {
  d: ['int', 'uint'],
  o: ['int', 'uint'],
  f: ['double', 'string'],
  e: ['double', 'string'],
  b: ['int', 'uint', 'bool'],
  x: ['int', 'uint', 'string', 'bytes'],
  X: ['int', 'uint', 'string', 'bytes'],
  s: ['list', 'map', 'int', 'uint', 'double', 'bool', 'string', 'timestamp', 'bytes', 'duration', 'type', 'null'],
};

/** `'…'.format([…])`, both literal: the clauses must be well formed and fit the arguments. */
function checkFormat(call: CallNode, context: Context): void {
  const [list] = call.args;
  if (call.target?.node !== 'literal' || call.target.literal.kind !== 'string' || list?.node !== 'list') return;
  const parts = parseFormat(call.target.literal.value, list.elements.length);
  if ('problem' in parts) {
    const misfit = firstMisfit(parseFormatPrefix(call.target.literal.value, parts.after), list.elements, context);
    context.report(misfit?.at ?? call.at, misfit?.problem ?? parts.problem);
    return;
  }
  const clauses = parts.filter((part) => typeof part !== 'string');
  const misfit = firstMisfit(
    clauses.map((clause) => clause.verb),
    list.elements,
    context,
  );
  if (misfit !== undefined) context.report(misfit.at, misfit.problem);
  else if (list.elements.length > clauses.length)
    context.report(call.at, `too many arguments supplied to string.format (expected ${clauses.length}, got ${list.elements.length})`);
}

type Verb = 's' | 'd' | 'f' | 'e' | 'b' | 'x' | 'X' | 'o';

/** The verbs of the first `count` clauses. */
function parseFormatPrefix(format: string, count: number): Verb[] {
  const verbs = [...format.matchAll(/%%|%(?:\.[0-9]*)?([a-zA-Z])/g)].flatMap((match) => (match[1] === undefined ? [] : [match[1] as Verb]));
  return verbs.slice(0, count);
}

function firstMisfit(
  verbs: readonly Verb[],
  elements: readonly Expr[],
  context: Context,
): { readonly at: number; readonly problem: string } | undefined {
  for (const [index, verb] of verbs.entries()) {
    const element = elements[index] as Expr;
    const bad = verb === 's' ? misfitOfString(element, context) : fitsVerb(element, verb, context) ? undefined : element;
    if (bad !== undefined)
      return { at: bad.at, problem: `error during formatting: ${refusal(verb, runtimeTypeName(typeOf(context, bad))).problem}` };
  }
  return undefined;
}

function fitsVerb(element: Expr, verb: Verb, context: Context): boolean {
  const { kind } = typeOf(context, element);
  return kind === 'dyn' || (VERB_KINDS[verb] ?? []).includes(kind);
}

function misfitOfString(element: Expr, context: Context): Expr | undefined {
  if (!fitsVerb(element, 's', context)) return element;
  if (element.node !== 'list' && element.node !== 'map') return undefined;
  for (const child of childrenOf(element)) {
    const bad = misfitOfString(child, context);
    if (bad !== undefined) return bad;
  }
  return undefined;
}
