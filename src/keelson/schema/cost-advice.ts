import type { StructuralSchema } from '@keelson/kubernetes/apimachinery';
import {
  type Bound,
  DEFINITION_COST_LIMIT,
  excessFactor,
  RULE_COST_LIMIT,
  type UnsizedText,
  unescapePropertyName,
  unsizedTexts,
} from '@keelson/kubernetes/cel';
import type { RuleCost } from '@keelson/kubernetes/structural';
import { authorPath } from './author-path.js';

/** Nothing that a request may hold costs as much: the rule makes a value whose size is unknown, and goes through it. */
const BOUNDLESS = 10n ** 17n;
const UNSIZED = 'it reads a text or list of its own making that the API server cannot bound: read the fields of the schema instead';

/** A list, map or text that makes a rule dearer the larger it may be. */
interface Lever {
  readonly path: string;
  readonly bound: Bound;
  /** `undefined`: it has no bound. */
  readonly given: number | undefined;
}

/** Why the API server refuses a rule, and what mends it. */
export function costAdvice(cost: RuleCost): string {
  const refusal = `the API server refuses its estimated cost, ${excess(cost.cost, RULE_COST_LIMIT)} its limit for one rule`;
  const unsized = unsizedIn(cost);
  if (unsized === undefined) return `${refusal}; ${remedyOf([cost])}`;
  const { maker, reader } = unsized;
  const way =
    maker === 'orValue' || maker === 'value' ? 'read the field itself, behind has()' : "put texts together with '…%s'.format([…])";
  return `${refusal}: it cannot bound the length of what ${maker}() makes, which ${reader} reads; ${way}`;
}

/** Texts that the rule makes and reads again: no bound of the schema helps against them. */
function unsizedIn({ node, rule, field }: RuleCost): UnsizedText | undefined {
  return unsizedTexts(rule, node.schema, { isResourceRoot: node.isResourceRoot }).find((text) => text.field === field);
}

/** @returns nothing while single rules are too dear: mending them lowers the sum */
export function costSumAdvice(total: bigint, dearest: readonly RuleCost[]): string | undefined {
  if (dearest.some(({ cost }) => cost > RULE_COST_LIMIT)) return undefined;
  const refusal = `the API server refuses the estimated cost of all rules together, ${excess(total, DEFINITION_COST_LIMIT)} its limit`;
  if (dearest.length === 0) return `${refusal}; have fewer rules, or set bounds on the lists and maps around them`;
  const rules = dearest.map(({ rule, node }) => `"${rule.rule}" at ${authorPath(node.path).path}`).join(', ');
  return `${refusal}; the dearest are ${rules}; ${remedyOf(dearest)}`;
}

function excess(cost: bigint, limit: bigint): string {
  const factor = excessFactor(cost, limit);
  return factor.startsWith('more') ? 'more than 100 times' : `${factor.slice(0, -1)} times`;
}

function remedyOf(costs: readonly RuleCost[]): string {
  const levers = [...new Map(costs.flatMap(leversOf).map((lever) => [`${lever.bound} ${lever.path}`, lever])).values()];
  const missing = levers.filter(({ given }) => given === undefined);
  if (missing.length > 0)
    return `set ${missing.map(({ bound, path }) => `${bound} on ${path}`).join(', ')} (.max(…); k.maxProperties(…) on a record)`;
  if (levers.length === 0) return costs.some(({ estimate }) => estimate.cost > BOUNDLESS) ? UNSIZED : 'write a cheaper rule';
  const given = levers.map(({ bound, path, given: value }) => `${bound} of ${path} (${value})`).join(', ');
  return `lower ${given}, or write a cheaper rule`;
}

/** The lists and maps around a rule, and what it reads. A message is made once, wherever it stands. */
function leversOf({ node, estimate, field }: RuleCost): readonly Lever[] {
  const around = field === 'rule' ? node.containers.flatMap(({ path, schema }) => leverAt(path, schema)) : [];
  const read = estimate.sized.flatMap(({ steps }) => {
    const found = placeBelow(node, steps.slice(1));
    return found === undefined ? [] : leverAt(found.path, found.schema);
  });
  return [...around, ...read];
}

function leverAt(path: string, schema: StructuralSchema): readonly Lever[] {
  const bound = boundOf(schema);
  return [{ path: authorPath(path).path, bound, given: schema[bound] }];
}

function boundOf({ type }: StructuralSchema): Bound {
  if (type === 'array') return 'maxItems';
  return type === 'object' ? 'maxProperties' : 'maxLength';
}

interface Place {
  readonly path: string;
  readonly schema: StructuralSchema;
}

/** `undefined` for what stands in no schema: the fields of metadata that every resource has. */
function placeBelow(start: Place, steps: readonly string[]): Place | undefined {
  let place: Place | undefined = start;
  for (const step of steps) {
    place = stepBelow(place, step);
    if (place === undefined) return undefined;
  }
  return place;
}

function stepBelow({ path, schema }: Place, step: string): Place | undefined {
  if (step === '@items') return schema.items && { path: `${path}.items`, schema: schema.items };
  if (step === '@values') {
    const { additionalProperties: values } = schema;
    return typeof values === 'object' ? { path: `${path}.additionalProperties`, schema: values } : undefined;
  }
  const name = unescapePropertyName(step) ?? step;
  const property = schema.properties?.[name];
  return property && { path: `${path}.properties[${name}]`, schema: property };
}
