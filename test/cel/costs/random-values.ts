import type { Json, StructuralSchema } from '../../../src/kubernetes/index.js';
import type { Random } from '../../api-server/values/apply/differential/random.js';

const TEXTS = [
  '',
  'a',
  'ab',
  'a longer text, ü',
  '€𝄞 k',
  '10.0.0.1',
  '10.0.0.0/8',
  'fe80::1',
  '1.2.3',
  '100Mi',
  'https://example.com/x?y=z',
  'b,c,a',
  'x'.repeat(120),
];
const FORMATS: Readonly<Record<string, string>> = {
  byte: 'YWJj',
  date: '2024-02-29',
  'date-time': '2024-02-29T10:00:00Z',
  duration: '1h30m',
};

/** A value that fits the schema. */
export function randomValue(random: Random, schema: StructuralSchema, depth = 6): Json {
  if (schema['x-kubernetes-int-or-string'] === true) return random.one<Json>([3, 'http', 80]);
  switch (schema.type) {
    case 'string':
      return schema.enum ? (random.one(schema.enum) as Json) : (FORMATS[schema.format ?? ''] ?? random.one(TEXTS));
    case 'integer':
      return random.below(50) - 5;
    case 'number':
      return random.below(50) + 0.5;
    case 'boolean':
      return random.chance(0.5);
    case 'array':
      return Array.from({ length: depth > 0 ? random.below(5) : 0 }, () => randomValue(random, schema.items ?? {}, depth - 1));
    case 'object':
      return objectValue(random, schema, depth - 1);
    default:
      return { free: 1 };
  }
}

function objectValue(random: Random, { properties, additionalProperties, required = [] }: StructuralSchema, depth: number): Json {
  if (typeof additionalProperties === 'object') {
    const keys = random.some(['k', 'key-two', 'ü'], 0.6);
    return Object.fromEntries(keys.map((key) => [key, randomValue(random, additionalProperties, depth)]));
  }
  const names = Object.keys(properties ?? {}).filter((name) => required.includes(name) || random.chance(0.85));
  return Object.fromEntries(names.map((name) => [name, randomValue(random, properties?.[name] ?? {}, depth)]));
}
