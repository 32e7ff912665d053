import type { StructuralSchema, ValidationRule } from '../kubernetes/index.js';
import type { Expr } from './ast.js';
import { childrenOf } from './expression-tree.js';
import { parse } from './parser.js';
import { unescapePropertyName } from './property-name.js';

/** A value without a size bound that a rule walks through. */
export interface TraversedPath {
  /** From the rule's value: `self.items`, `self.items[*].name`. */
  readonly path: string;
  /** The keyword that would bound it. */
  readonly bound: 'maxItems' | 'maxProperties' | 'maxLength';
}

/** Functions whose time grows with the text they are called on or given. */
const READS_TEXT = new Set(
  'contains startsWith endsWith matches find findAll split replace indexOf lastIndexOf lowerAscii upperAscii trim substring charAt join _+_ url isURL ip isIP cidr isCIDR quantity isQuantity semver isSemver validate format'.split(
    ' ',
  ),
);

/** What a variable of a macro stands for. */
interface Place {
  readonly path: string;
  readonly schema: StructuralSchema;
}

/**
 * The lists, maps and strings that a rule traverses although their schema sets no limit.
 *
 * The API server estimates the worst cost of each rule and refuses a CRD whose estimate is too high; without `maxItems`, `maxProperties` and
 * `maxLength` it has to assume the largest request. This is a warning, not a verdict: one unbounded list is usually accepted, nested ones are not.
 *
 * @returns nothing for a rule that does not parse
 */
export function unboundedTraversals(
  rule: Pick<ValidationRule, 'rule' | 'messageExpression'>,
  schema: StructuralSchema,
): readonly TraversedPath[] {
  const found = new Map<string, TraversedPath>();
  for (const source of [rule.rule, rule.messageExpression]) {
    const parsed = source === undefined ? undefined : parse(source, { lists: true });
    if (parsed?.ok === true)
      visit(
        parsed.expr,
        new Map([
          ['self', { path: 'self', schema }],
          ['oldSelf', { path: 'self', schema }],
        ]),
        found,
      );
  }
  return [...found.values()];
}

type Scope = ReadonlyMap<string, Place>;

function visit(expr: Expr, scope: Scope, found: Map<string, TraversedPath>): void {
  if (expr.node === 'fold') {
    const range = placeOf(expr.range, scope);
    note(range, found);
    visit(expr.range, scope, found);
    visit(expr.init, scope, found);
    const inner = new Map(scope);
    // The element is the second of two variables, or the only one of a list; the key of a map is a string of its own.
    inner.delete(expr.variable);
    const element = range === undefined ? undefined : elementOf(range);
    if (element !== undefined && (expr.variable2 !== undefined || range?.schema.type === 'array'))
      inner.set(expr.variable2 ?? expr.variable, element);
    for (const part of [expr.condition, expr.step, expr.result]) visit(part, inner, found);
    return;
  }
  if (expr.node === 'call') {
    const operands = expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    if (expr.name === '@in') note(placeOf(expr.args[1] as Expr, scope), found);
    else if (expr.name === '_==_' || expr.name === '_!=_') for (const operand of operands) noteIfContainer(placeOf(operand, scope), found);
    else if (READS_TEXT.has(expr.name) || /^(?:sets\.|sum$|min$|max$|isSorted$)/.test(expr.name) || qualifiesSets(expr))
      for (const operand of operands) note(placeOf(operand, scope), found);
  }
  for (const child of childrenOf(expr)) visit(child, scope, found);
}

function qualifiesSets(expr: Expr): boolean {
  return expr.node === 'call' && expr.target?.node === 'ident' && expr.target.name === 'sets';
}

function noteIfContainer(place: Place | undefined, found: Map<string, TraversedPath>): void {
  if (place?.schema.type === 'array' || place?.schema.type === 'object') note(place, found);
}

function note(place: Place | undefined, found: Map<string, TraversedPath>): void {
  const bound = place === undefined ? undefined : missingBound(place.schema);
  if (place !== undefined && bound !== undefined) found.set(place.path, { path: place.path, bound });
}

function missingBound(schema: StructuralSchema): TraversedPath['bound'] | undefined {
  if (schema.type === 'array') return schema.maxItems === undefined ? 'maxItems' : undefined;
  if (schema.type === 'object')
    return typeof schema.additionalProperties === 'object' && schema.maxProperties === undefined ? 'maxProperties' : undefined;
  const isText = schema.type === 'string' || schema['x-kubernetes-int-or-string'] === true;
  // Enumerations and dates are as long as their longest value.
  if (
    !isText ||
    schema.maxLength !== undefined ||
    schema.enum !== undefined ||
    ['date', 'date-time', 'duration'].includes(schema.format ?? '')
  )
    return undefined;
  return 'maxLength';
}

function elementOf({ path, schema }: Place): Place | undefined {
  if (schema.items !== undefined) return { path: `${path}[*]`, schema: schema.items };
  return typeof schema.additionalProperties === 'object' ? { path: `${path}[*]`, schema: schema.additionalProperties } : undefined;
}

/** The place in the schema that a chain of fields and indexes leads to. */
function placeOf(expr: Expr, scope: Scope): Place | undefined {
  if (expr.node === 'ident') return scope.get(expr.name);
  if (expr.node === 'select') return fieldOf(placeOf(expr.operand, scope), expr.field);
  if (expr.node !== 'call') return undefined;
  const [first, second] = expr.args;
  if (expr.name === '_?._' && first !== undefined && second?.node === 'literal' && second.literal.kind === 'string')
    return fieldOf(placeOf(first, scope), second.literal.value);
  if ((expr.name === '_[_]' || expr.name === '_[?_]') && first !== undefined) {
    const container = placeOf(first, scope);
    return container === undefined ? undefined : elementOf(container);
  }
  return ['orValue', 'value'].includes(expr.name) && expr.target !== undefined ? placeOf(expr.target, scope) : undefined;
}

function fieldOf(place: Place | undefined, field: string): Place | undefined {
  if (place === undefined) return undefined;
  if (typeof place.schema.additionalProperties === 'object') return elementOf(place);
  const name = unescapePropertyName(field) ?? field;
  const schema = place.schema.properties?.[name];
  return schema === undefined ? undefined : { path: `${place.path}.${name}`, schema };
}
