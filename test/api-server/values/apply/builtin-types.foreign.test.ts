import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { schemaTexts } from '../../../../imports/schemas/builtin.js';
import { builtinTypes, type OpenApiSchema, type TypeRef, typesFromSmd } from '../../../../src/api-server/values/apply/index.js';
import type { Json } from '../../../../src/kubernetes/apimachinery/index.js';

const FILE = '../shared/data/smd-schema-builtin-v0.32.4.yaml';

/** Two types each that have one name in different groups: only one of them is stable, and it is the other that the clients call so. */
const NAMESAKES = new Set(['ResourceClaim', 'TokenRequest']);

/** Required since 1.36: the file is of 1.32. */
const REQUIRED_SINCE = /^(?:FlowSchema|PriorityLevelConfiguration)(?:\.status|Status)\.conditions key type: "" vs undefined$/;

describe('types of built-in kinds', () => {
  const texts = schemaTexts();
  const ours = builtinTypes((name) => (texts[name] === undefined ? undefined : (JSON.parse(texts[name]) as OpenApiSchema)));

  test('lists, maps, scalars and defaults of keys are those of the Go clients', () => {
    const schema = parse(readFileSync(FILE, 'utf8')) as Json & { types: readonly { name: string }[] };
    const theirs = typesFromSmd(schema);
    const stable = schema.types.map(({ name }) => ({ name, local: /\.v[12]\.([^.]+)$/.exec(name)?.[1] ?? '' }));
    const comparable = stable.filter(
      ({ local }) => texts[local] !== undefined && !NAMESAKES.has(local) && stable.filter((other) => other.local === local).length === 1,
    );
    expect(comparable.length).toBeGreaterThan(350);
    const differences = comparable.flatMap(({ name, local }) => compareTypes(local, [ours(local), theirs(name)], new Set()));
    // The server's own document gives int-or-string no type, so that it takes anything; the clients call it a scalar. Validation refuses the rest.
    const others = differences.filter((line) => !line.endsWith(' kinds: ["list","map","scalar"] vs ["scalar"]'));
    expect(others.filter((line) => !REQUIRED_SINCE.test(line))).toEqual([]);
    const intOrStrings = differences.filter((line) => !REQUIRED_SINCE.test(line)).map((line) => line.split(' ')[0]?.split('.').at(-1));
    expect(new Set(intOrStrings)).toEqual(new Set(['maxSurge', 'maxUnavailable', 'port', 'targetPort']));
  });
});

function compareTypes(at: string, [ours, theirs]: readonly [TypeRef, TypeRef], seen: Set<string>): string[] {
  const key = `${ours.name} ${theirs.name}`;
  if (ours.name !== undefined && theirs.name !== undefined) {
    if (seen.has(key)) return [];
    seen.add(key);
  }
  const [mine, its] = [ours.atom, theirs.atom];
  const out: string[] = [];
  const differ = (what: string, a: unknown, b: unknown): void => {
    if (JSON.stringify(a) !== JSON.stringify(b)) out.push(`${at} ${what}: ${JSON.stringify(a)} vs ${JSON.stringify(b)}`);
  };
  differ('kinds', Object.keys(mine).sort(), Object.keys(its).sort());
  differ('scalar', mine.scalar, its.scalar);
  if (mine.list && its.list) {
    differ('list', [mine.list.isAtomic, mine.list.keys], [its.list.isAtomic, its.list.keys]);
    const elements = its.list.elementType?.atom.map;
    for (const name of mine.list.keys) {
      differ(`key ${name}`, mine.list.elementType?.atom.map?.fields.get(name)?.default, elements?.fields.get(name)?.default);
    }
    if (mine.list.elementType && its.list.elementType)
      out.push(...compareTypes(`${at}[]`, [mine.list.elementType, its.list.elementType], seen));
  }
  if (mine.map && its.map) {
    differ('map', mine.map.isAtomic, its.map.isAtomic);
    for (const [name, field] of its.map.fields) {
      const own = mine.map.fields.get(name);
      if (own === undefined) out.push(`${at}.${name} missing`);
      else out.push(...compareTypes(`${at}.${name}`, [own.type, field.type], seen));
    }
    differ('element', mine.map.elementType === undefined, its.map.elementType === undefined);
    if (mine.map.elementType && its.map.elementType)
      out.push(...compareTypes(`${at}{}`, [mine.map.elementType, its.map.elementType], seen));
  }
  return out;
}
