import type { Json } from '../../../src/kubernetes/apimachinery/index.js';
import type { Random } from '../values/apply/differential/random.js';
import { ODD_TEXTS } from './mangle.js';

const NAMES = [
  'metadata',
  'name',
  'namespace',
  'labels',
  'spec',
  'status',
  'kind',
  'apiVersion',
  'data',
  'items',
  'a',
  'b',
  'op',
  'path',
  'value',
];
const NUMBERS = [0, -0, 1, -1, 3, 80, 65_536, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 63, 1e21, 1e308, 0.1, -1.5];

export const oddString = (random: Random): string => (random.chance(0.6) ? random.one(NAMES) : random.one(ODD_TEXTS.slice(0, -3)));

/** Any JSON, small, with names that mean something here or there. */
export function randomJson(random: Random, depth = 4): Json {
  const form = random.below(depth <= 0 ? 5 : 8);
  switch (form) {
    case 0:
      return null;
    case 1:
      return random.chance(0.5);
    case 2:
      return random.one(NUMBERS);
    case 3:
    case 4:
      return oddString(random);
    case 5:
      return Array.from({ length: random.below(4) }, () => randomJson(random, depth - 1));
    default:
      return Object.fromEntries(Array.from({ length: random.below(5) }, () => [oddString(random), randomJson(random, depth - 1)]));
  }
}

/** A copy in which one place or more has another value, is gone, or is new. */
export function alteredJson(random: Random, value: Json, probability = 0.08): Json {
  if (random.chance(probability)) return randomJson(random, 2);
  if (Array.isArray(value)) {
    const items = (value as readonly Json[])
      .filter(() => !random.chance(probability / 2))
      .map((item) => alteredJson(random, item, probability));
    return random.chance(probability) && items.length > 0 ? [...items, random.one(items)] : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value)
    .filter(() => !random.chance(probability / 2))
    .map(([name, item]): [string, Json] => [
      random.chance(probability / 4) ? oddString(random) : name,
      alteredJson(random, item, probability),
    ]);
  if (random.chance(probability)) fields.push([oddString(random), randomJson(random, 2)]);
  return Object.fromEntries(fields);
}
