import type { StructuralSchema, ValidationRule } from '../../apimachinery/index.js';
import type { Checked } from '../check/index.js';
import { check } from '../check/index.js';
import type { CallNode, Expr } from '../syntax/index.js';
import { childrenOf, parse } from '../syntax/index.js';
import { celTypeOf, optionalOf } from '../types/index.js';

/** A text whose length nothing bounds, given to a function that the API server charges by the length. */
export interface UnsizedText {
  readonly field: 'rule' | 'messageExpression';
  /** The function that made the text, for example `string`. */
  readonly maker: string;
  /** The function or operator that reads it, for example `+`. */
  readonly reader: string;
}

/** Results that the API server takes for infinitely long, whatever they are made of. */
const MAKERS: ReadonlySet<string> = new Set([
  'format',
  'charAt',
  'getHost',
  'getHostname',
  'getEscapedPath',
  'getScheme',
  'getPort',
  'orValue',
  'value',
]);
const MAKER_CALL = new RegExp(`\\b(?:string|${[...MAKERS].join('|')})\\s*\\(`);
const TARGET: readonly number[] = [0];
const ARGUMENT: readonly number[] = [1];
const BOTH: readonly number[] = [0, 1];
/** Functions that are charged by the length of a text, and the operand that is the text (the target is the first). */
const READERS: ReadonlyMap<string, readonly number[]> = new Map([
  ...['_+_', 'contains', 'matches'].map((name) => [name, BOTH] as const),
  ...'split substring indexOf lastIndexOf find findAll trim replace lowerAscii upperAscii'
    .split(' ')
    .map((name) => [name, TARGET] as const),
  ...'isQuantity isIP isCIDR isSemver quantity ip cidr semver url bytes'.split(' ').map((name) => [name, TARGET] as const),
  ...'startsWith join quote isCanonical validate containsIP containsCIDR'.split(' ').map((name) => [name, ARGUMENT] as const),
]);

/**
 * Where a rule makes a text and reads it again in a way that the API server cannot bound: `'was ' + string(self.size)`.
 *
 * Its estimate of such a rule is infinite, so that it refuses the CRD; no `maxLength` helps. Whether other rules cost too much is not checked here.
 *
 * @returns nothing for a rule that does not compile
 * @see apiserver, `pkg/cel/library/cost.go`
 */
export function unsizedTexts(
  rule: ValidationRule,
  schema: StructuralSchema,
  options: { readonly isResourceRoot?: boolean } = {},
): readonly UnsizedText[] {
  // Most rules call none of them, and need not be compiled again.
  const fields = (['rule', 'messageExpression'] as const).filter((field) => MAKER_CALL.test(rule[field] ?? ''));
  const self = fields.length === 0 ? undefined : celTypeOf(schema, options);
  if (self === undefined) return [];
  const variables = new Map([
    ['self', self],
    ['oldSelf', rule.optionalOldSelf === true ? optionalOf(self) : self],
  ]);
  return fields.flatMap((field) => {
    const source = rule[field] ?? '';
    const parsed = parse(source, { lists: false, backticks: true });
    if (!parsed.ok) return [];
    const checked = check(source, parsed.expr, { variables, libraries: 'new' });
    return checked.problems.length > 0 ? [] : readersIn(parsed.expr, checked).map((found) => ({ field, ...found }));
  });
}

function readersIn(root: Expr, checked: Checked): { readonly maker: string; readonly reader: string }[] {
  const found = new Map<string, { readonly maker: string; readonly reader: string }>();
  const seen = new Set<Expr>();
  const visit = (expr: Expr): void => {
    if (seen.has(expr)) return;
    seen.add(expr);
    for (const text of expr.node === 'call' ? readBy(expr) : []) {
      const maker = makerOf(text, checked);
      const reader = (expr as CallNode).name.replaceAll('_', '');
      if (maker !== undefined) found.set(`${maker} ${reader}`, { maker, reader });
    }
    for (const child of childrenOf(expr)) visit(child);
  };
  visit(root);
  return [...found.values()];
}

/** The operands that are walked through. */
function readBy({ name, target, args }: CallNode): readonly Expr[] {
  const operands = target === undefined ? args : [target, ...args];
  return (READERS.get(name) ?? []).flatMap((position) => operands[position] ?? []);
}

/** The name of the function that made a text of unknown length. */
function makerOf(expr: Expr, checked: Checked): string | undefined {
  if (expr.node !== 'call' || checked.types.get(expr)?.kind !== 'string') return undefined;
  if (expr.name === '_?_:_') return expr.args.map((arg) => makerOf(arg, checked)).find((maker) => maker !== undefined);
  if (expr.name !== 'string') return MAKERS.has(expr.name) ? expr.name : undefined;
  // An int-or-string has no type, and then the text counts as short.
  return checked.types.get(expr.args[0] as Expr)?.kind === 'dyn' ? undefined : 'string';
}
