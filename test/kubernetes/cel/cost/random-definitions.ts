import type { StructuralSchema, ValidationRule } from '../../../../src/kubernetes/apimachinery/index.js';
import { compileRule } from '../../../../src/kubernetes/cel/index.js';
import { Random } from '../../../api-server/values/apply/differential/random.js';
import { ExpressionMaker, kindOfSchema } from './random-expressions.js';
import { objectSchema, randomSchema } from './random-schemas.js';

const PLACES_PER_DEFINITION = 20;
/** What the API server allows a rule; a factor just above it tells the cost to the digit. */
const LIMIT = 10_000_000;

/** The schema of a custom resource with rules at many places, most of which cost a little too much. */
export function randomDefinition(seed: number): StructuralSchema {
  const random = new Random(seed);
  const places = Array.from({ length: PLACES_PER_DEFINITION }, (_, index) => [`place${index}`, randomPlace(random)] as const);
  const spec: StructuralSchema = { type: 'object', properties: Object.fromEntries(places) };
  return { type: 'object', properties: { spec } };
}

export function rulesIn(schema: StructuralSchema): number {
  const { items, additionalProperties, properties = {} } = schema;
  const below = [
    ...Object.values(properties),
    ...(items ? [items] : []),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ];
  return below.map(rulesIn).reduce((sum, count) => sum + count, schema['x-kubernetes-validations']?.length ?? 0);
}

function randomPlace(random: Random): StructuralSchema {
  for (;;) {
    const schema = random.chance(0.7) ? objectSchema(random, 2) : randomSchema(random, 2);
    if (kindOfSchema(schema) === undefined) continue;
    const rule = randomRule(random, schema);
    const result = compileRule(rule, schema);
    if (!result.ok) continue;
    const cost = Number(result.estimate().rule?.cost ?? 0);
    return around({ ...schema, 'x-kubernetes-validations': [rule] }, cost, random);
  }
}

function randomRule(random: Random, schema: StructuralSchema): ValidationRule {
  const maker = new ExpressionMaker(random);
  const scope = [{ text: 'self', schema }];
  const rule = maker.bool(scope, 1 + random.below(4));
  return random.chance(0.2) ? { rule, messageExpression: maker.string(scope, 3) } : { rule };
}

/** Lists and maps around a value, so that its rule costs about as much as is allowed, or as much as a request may hold. */
function around(schema: StructuralSchema, cost: number, random: Random): StructuralSchema {
  if (cost > LIMIT) return schema;
  const count = Math.ceil((LIMIT * (1 + random.next() * 0.45)) / Math.max(1, cost));
  return random.one<() => StructuralSchema>([
    () => ({ type: 'array', items: schema, maxItems: count }),
    () => ({ type: 'array', items: schema, maxItems: count }),
    () => ({ type: 'object', additionalProperties: schema, maxProperties: count }),
    () => ({
      type: 'array',
      items: { type: 'array', items: schema, maxItems: Math.ceil(Math.sqrt(count)) },
      maxItems: Math.ceil(Math.sqrt(count)),
    }),
    () => ({ type: 'array', items: schema }),
    () => ({ type: 'object', additionalProperties: { type: 'object', properties: { deep: schema } } }),
  ])();
}
