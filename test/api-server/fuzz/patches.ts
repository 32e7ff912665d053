import type { Json } from '../../../src/kubernetes/apimachinery/index.js';
import type { Random } from '../values/apply/differential/random.js';
import { alteredJson, oddString, randomJson } from './json-values.js';
import { mangledText } from './mangle.js';

type JsonMap = { readonly [field: string]: Json };

const isMap = (value: Json | undefined): value is JsonMap => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Some path that the object has. */
function pointerOf(random: Random, value: Json, path = ''): string {
  const members: [string, Json][] = Array.isArray(value)
    ? (value as readonly Json[]).map((item, index) => [`${index}`, item])
    : isMap(value)
      ? Object.entries(value)
      : [];
  if (members.length === 0 || random.chance(0.2)) return path;
  const [name, item] = random.one(members);
  return pointerOf(random, item, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
}

export function jsonPatch(random: Random, target: Json): Json {
  if (random.chance(0.1)) return randomJson(random, 3);
  return Array.from({ length: random.below(5) }, () => operation(random, target));
}

function operation(random: Random, target: Json): Json {
  const pointer = (): string => {
    const path = pointerOf(random, target) + (random.chance(0.3) ? `/${random.one(['-', '0', '-1', '99', 'x', oddString(random)])}` : '');
    return random.chance(0.15) ? mangledText(random, path) : path;
  };
  const one: Json = {
    op: random.one(['add', 'remove', 'replace', 'move', 'copy', 'test', 'x']),
    path: pointer(),
    ...random.maybe('from', pointer, 0.4),
    ...random.maybe('value', () => randomJson(random, 2), 0.8),
  };
  return random.chance(0.1) ? alteredJson(random, one, 0.3) : one;
}

export function mergePatch(random: Random, target: Json): Json {
  if (random.chance(0.1)) return randomJson(random, 4);
  return sparse(random, alteredJson(random, target, 0.15), () => (random.chance(0.1) ? null : undefined));
}

const DIRECTIVES: readonly ((random: Random, name: string) => JsonMap)[] = [
  (random) => ({ $patch: random.one<Json>(['delete', 'replace', 'merge', 'x', null, 5]) }),
  (random, name) => ({ $retainKeys: random.one<Json>([[name], [], 'x', [null], [1]]) }),
  (random, name) => ({
    [`$setElementOrder/${name}`]: random.one<Json>([
      [],
      ['a', 'b'],
      [{ name: 'main' }],
      [{ name: 'x' }, { name: 'main' }],
      'x',
      [null],
      [[]],
    ]),
  }),
  (random, name) => ({ [`$deleteFromPrimitiveList/${name}`]: random.one<Json>([['a'], [], 'x', [{}], [null]]) }),
];

/** A part of the object, changed, with directives here and there. */
export function strategicPatch(random: Random, target: Json): Json {
  return directed(random, mergePatch(random, target));
}

function directed(random: Random, value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => directed(random, item));
  if (!isMap(value)) return value;
  const names = Object.keys(value);
  const fields = Object.fromEntries(Object.entries(value).map(([name, item]): [string, Json] => [name, directed(random, item)]));
  return random.chance(0.12) ? { ...fields, ...random.one(DIRECTIVES)(random, names.length === 0 ? 'a' : random.one(names)) } : fields;
}

/** An apply configuration: a part of the object, with its kind and name. */
export function configuration(random: Random, target: JsonMap): Json {
  const part = sparse(random, random.chance(0.7) ? alteredJson(random, target, 0.05) : target, () => undefined);
  const { apiVersion = '', kind = '', metadata = {} } = target;
  return random.chance(0.9) && isMap(part) ? { ...part, apiVersion, kind, metadata } : part;
}

/** Fewer fields. */
function sparse(random: Random, value: Json, instead: () => Json | undefined): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => sparse(random, item, instead));
  if (!isMap(value)) return value;
  const fields = Object.entries(value).flatMap(([name, item]): [string, Json][] => {
    if (!random.chance(0.3)) return [[name, sparse(random, item, instead)]];
    const other = instead();
    return other === undefined ? [] : [[name, other]];
  });
  return Object.fromEntries(fields);
}
