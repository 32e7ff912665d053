import type { Json } from '../../../../src/kubernetes/apimachinery/index.js';
import type { Random } from '../../../api-server/values/apply/differential/random.js';

/** What patches of a subject speak of. */
export interface PatchGround {
  /** Pointer of the object under which everything happens. */
  readonly root: string;
  readonly keys: readonly string[];
  readonly value: (random: Random) => Json;
}

/** Free values under names that mean something to JavaScript or to a JSON pointer. */
export function freeGround(): PatchGround {
  const keys = ['a', 'b', 'c', 'x/y', '0', '__proto__', 'constructor'];
  return { root: '/spec', keys, value: (random) => freeValue(random, { keys, depth: 2 }) };
}

/** A map of texts, and now and then what is none. */
export function textGround(root: string): PatchGround {
  return {
    root,
    keys: ['a', 'b', 'c', 'd'],
    value: (random) => (random.chance(0.8) ? random.one(['x', 'y', '']) : random.one<Json>([null, 1, {}, ['x']])),
  };
}

function freeValue(random: Random, { keys, depth }: { keys: readonly string[]; depth: number }): Json {
  const below = (): Json => freeValue(random, { keys, depth: depth - 1 });
  if (depth > 0 && random.chance(0.3)) return Object.fromEntries(random.some(keys, 0.4).map((key) => [key, below()]));
  if (depth > 0 && random.chance(0.4)) return Array.from({ length: random.below(4) }, below);
  return random.one<Json>([null, 0, 1, 's', '', true, {}, []]);
}

const OPERATIONS = ['add', 'add', 'add', 'remove', 'replace', 'replace', 'move', 'test', 'test', 'copy'];

export function randomJsonPatch(random: Random, live: Json, ground: PatchGround): Json {
  if (random.chance(0.03)) return random.one<Json>([null, {}, 'x', 1, [1], [null], []]);
  return Array.from({ length: 1 + random.below(3) }, () => randomOperation(random, live, ground));
}

function randomOperation(random: Random, live: Json, ground: PatchGround): Json {
  const op = random.chance(0.02) ? random.one<Json>(['nope', null, 1]) : random.one(OPERATIONS);
  const path = randomPath(random, live, ground);
  const value = op === 'test' && random.chance(0.6) ? (valueAt(live, path) ?? ground.value(random)) : ground.value(random);
  return {
    op,
    ...random.maybe<Json>('path', () => (random.chance(0.01) ? 7 : path), 0.98),
    ...(op === 'move' || op === 'copy' ? random.maybe('from', () => randomPath(random, live, ground), 0.97) : {}),
    ...(op === 'move' || op === 'copy' || op === 'remove' ? {} : random.maybe('value', () => value, 0.96)),
  };
}

function randomPath(random: Random, live: Json, { root, keys }: PatchGround): string {
  if (random.chance(0.02)) return random.one(['', 'a', '/', `x${root}/a`]);
  const there =
    random.one(pathsIn(valueAt(live, root) ?? null)) + (random.chance(0.3) ? `/${random.one(['-', '0', '1', '-1', '9', 'x'])}` : '');
  const path = random.chance(0.4) ? `/${escaped(random.one(keys))}` : there;
  return root + (path === '' ? `/${escaped(random.one(keys))}` : path);
}

function pathsIn(value: Json): string[] {
  if (typeof value !== 'object' || value === null) return [''];
  return ['', ...Object.entries(value).flatMap(([key, item]) => pathsIn(item as Json).map((path) => `/${escaped(key)}${path}`))];
}

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

function valueAt(value: Json, path: string): Json | undefined {
  let found: unknown = value;
  for (const segment of path.split('/').slice(1)) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[key];
  }
  return found as Json;
}

export function randomMergePatch(random: Random, { root, keys, value }: PatchGround): Json {
  if (random.chance(0.04)) return random.one<Json>([null, [], [{ a: null }], 1, 'x', true]);
  const fields = Object.fromEntries(random.some(keys, 0.5).map((key) => [key, random.chance(0.25) ? null : value(random)]));
  return root
    .split('/')
    .slice(1)
    .reduceRight<Json>((inner, name) => ({ [name]: inner }), random.chance(0.03) ? null : fields);
}
