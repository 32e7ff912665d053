import type { StructuralSchema } from '../../../../src/kubernetes/apimachinery/index.js';
import type { Random } from '../../../api-server/values/apply/differential/random.js';

const FORMATS = ['byte', 'date', 'date-time', 'duration', 'uri', 'ipv4'];

/** Schemas of every kind that has a size of its own: with bounds and without, formats, enumerations, required fields and defaults. */
export function randomSchema(random: Random, depth: number): StructuralSchema {
  if (depth <= 0 || random.chance(0.3)) return leaf(random);
  return random.one([listSchema, mapSchema, objectSchema, objectSchema])(random, depth - 1);
}

export function objectSchema(random: Random, depth: number): StructuralSchema {
  const names = ['s', 't', 'x-y', 'items', 'namespace', 'a', 'b', 'long_name_of_a_field'].slice(0, 2 + random.below(7));
  // Texts are what most functions read.
  const properties = Object.fromEntries(names.map((name) => [name, name === 's' ? text(random) : randomSchema(random, depth)]));
  const required = names.filter(() => random.chance(0.3));
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

function listSchema(random: Random, depth: number): StructuralSchema {
  const bound = random.chance(0.7) ? { maxItems: random.one([0, 1, 5, 20, 100, 1000]) } : {};
  return { type: 'array', items: randomSchema(random, depth), ...bound };
}

function mapSchema(random: Random, depth: number): StructuralSchema {
  const bound = random.chance(0.7) ? { maxProperties: random.one([0, 1, 5, 20, 100, 1000]) } : {};
  return { type: 'object', additionalProperties: randomSchema(random, depth), ...bound };
}

function text(random: Random): StructuralSchema {
  const bound = random.chance(0.7) ? { maxLength: random.one([0, 1, 7, 20, 63, 253, 1000, 100_000]) } : {};
  return { type: 'string', ...bound };
}

function leaf(random: Random): StructuralSchema {
  return random.one<() => StructuralSchema>([
    () => text(random),
    () => text(random),
    () => ({ ...text(random), format: random.one(FORMATS) }),
    () => ({ type: 'string', enum: ['a', 'bcd', 'ü€'] }),
    () => ({ type: 'integer' }),
    () => ({ type: 'integer', default: 3 }),
    () => ({ type: 'number' }),
    () => ({ type: 'boolean' }),
    () => ({ 'x-kubernetes-int-or-string': true }),
    () => ({ 'x-kubernetes-int-or-string': true, maxLength: 5 }),
    () => ({ type: 'array', items: { type: 'string', maxLength: 9 }, maxItems: 10 }),
    () => ({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
    () => ({ 'x-kubernetes-preserve-unknown-fields': true }),
    () => ({
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { spec: text(random) },
    }),
  ])();
}
