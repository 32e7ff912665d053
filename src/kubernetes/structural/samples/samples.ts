import type { Json, StructuralSchema } from '../../apimachinery/index.js';
import { type Random, textForPattern } from './text-for-pattern.js';

/** The fullness of a sample: required fields alone, all fields, or those that are drawn. */
export type Fullness = 'least' | 'most' | 'drawn';

/** Optional fields of one sample, shared out among its parts: a Pod has thousands, of which each sample shows some. */
const MOST_FIELDS = 150;

/**
 * Values that fit a structural schema, drawn with a seed: the same ones each time. Texts and numbers of one value differ from each other, so that a value that
 * gets into a wrong field shows.
 *
 * Rules, `not`, and patterns with unusual parts are not followed: the validator sorts out what does not fit.
 */
export class Sampler {
  readonly #random: Random;
  #count = 0;

  constructor(seed: number) {
    this.#random = randomOf(seed);
  }

  /** @returns `undefined` if no value can be made up */
  sample(schema: StructuralSchema, fullness: Fullness): Json | undefined {
    return this.#value(schema, fullness, fullness === 'least' ? 0 : MOST_FIELDS);
  }

  #value(given: StructuralSchema, fullness: Fullness, room: number): Json | undefined {
    const schema = this.#branched(given);
    if (schema.enum !== undefined) return this.#one(schema.enum);
    if (schema.nullable === true && fullness === 'drawn' && this.#random() < 0.1) return null;
    if (schema['x-kubernetes-int-or-string'] === true) return this.#random() < 0.5 ? this.#number(schema, true) : this.#text(schema);
    switch (schema.type) {
      case 'string':
        return this.#text(schema);
      case 'integer':
      case 'number':
        return this.#number(schema, schema.type === 'integer');
      case 'boolean':
        return fullness === 'most' || this.#random() < 0.5;
      case 'array':
        return this.#list(schema, fullness, room);
      case 'object':
        return this.#object(schema, fullness, room);
      default:
        return this.#text({});
    }
  }

  /** One branch of `oneOf` and `anyOf`, and all of `allOf`, as parts of the schema itself. */
  #branched(schema: StructuralSchema): StructuralSchema {
    const { oneOf, anyOf, allOf, ...rest } = schema;
    if (oneOf === undefined && anyOf === undefined && allOf === undefined) return schema;
    const branches = [oneOf, anyOf].flatMap((of) => (of === undefined || of.length === 0 ? [] : [this.#one(of) as StructuralSchema]));
    return [...branches, ...(allOf ?? [])].map((branch) => this.#branched(branch)).reduce(joined, rest);
  }

  #text(schema: StructuralSchema): Json | undefined {
    const { pattern, format, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
    this.#count += 1;
    if (pattern !== undefined) return textForPattern(pattern, this.#random);
    const known = format === undefined ? undefined : FORMATS[format]?.(this.#count);
    if (known !== undefined) return known;
    const text = `a${this.#count}`.padEnd(minLength, 'z');
    return text.length <= maxLength ? text : text.slice(-maxLength);
  }

  #number(schema: StructuralSchema, isInteger: boolean): number {
    this.#count += 1;
    const step = schema.multipleOf ?? 1;
    // Small positive numbers, where they are allowed: those that people write.
    const { minimum = 1, maximum = Number.POSITIVE_INFINITY } = schema;
    const low = maximum < 1 ? minimum : Math.max(minimum, 1);
    const high = Math.min(maximum, low + 10_000 * step);
    const least = Math.ceil(low / step) * step;
    const greatest = Math.floor(high / step) * step;
    const first = schema.exclusiveMinimum === true && least === minimum ? least + step : least;
    const last = schema.exclusiveMaximum === true && greatest === maximum ? greatest - step : greatest;
    const places = Math.max(0, Math.round((last - first) / step));
    const number = first + (this.#count % (places + 1)) * step;
    // A range of fractions has no whole number in it.
    if (!isInteger && (number > maximum || number < minimum)) return (minimum + maximum) / 2;
    return isInteger ? Math.round(number) : number;
  }

  #list(schema: StructuralSchema, fullness: Fullness, room: number): Json | undefined {
    const { items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
    const wanted = room < 1 ? minItems : Math.floor(this.#random() * 2) + 1;
    const length = Math.min(Math.max(minItems, wanted), maxItems);
    const values: Json[] = [];
    const seen = new Set<string>();
    const keys = schema['x-kubernetes-list-type'] === 'atomic' ? undefined : schema['x-kubernetes-list-map-keys'];
    for (let tries = 0; values.length < length && tries < length + 20; tries += 1) {
      const value = this.#value(items, fullness, Math.floor((room - 1) / Math.max(1, length)));
      if (value === undefined) break;
      const id = JSON.stringify(keys === undefined ? value : keys.map((key) => (value as Readonly<Record<string, Json>>)[key]));
      if (seen.has(id)) continue;
      seen.add(id);
      values.push(value);
    }
    return values.length < minItems ? undefined : values;
  }

  #object(schema: StructuralSchema, fullness: Fullness, room: number): Json | undefined {
    const { properties = {}, additionalProperties, required = [], minProperties = 0 } = schema;
    const object: Record<string, Json> = {};
    const open = additionalProperties === true ? {} : additionalProperties;
    const isFree = schema['x-kubernetes-preserve-unknown-fields'] === true;
    const extra = room < 1 ? minProperties : open === undefined && !isFree ? 0 : Math.max(minProperties, 1);
    const taken = this.#taken(schema, fullness, room);
    const roomOfEach = Math.floor((room - taken.length) / Math.max(1, taken.length + extra));
    for (const name of taken) {
      const value = this.#value(properties[name] ?? {}, fullness, roomOfEach);
      if (value !== undefined) object[name] = value;
      else if (required.includes(name)) return undefined;
    }
    for (let index = 0; index < extra && open !== false; index += 1) {
      const value = this.#value(open ?? {}, fullness, roomOfEach);
      if (value !== undefined) object[`k${index}`] = value;
    }
    return schema['x-kubernetes-embedded-resource'] === true
      ? { apiVersion: 'v1', kind: 'Sample', metadata: { name: 'sample' }, ...object }
      : object;
  }

  /** The fields that a sample has: those that it needs, and as many others as there is room for. */
  #taken({ properties = {}, required = [] }: StructuralSchema, fullness: Fullness, room: number): readonly string[] {
    const names = Object.keys(properties);
    const needed = names.filter((name) => required.includes(name));
    const others = names.filter((name) => !required.includes(name) && (fullness === 'most' || this.#random() < 0.5));
    while (others.length > Math.max(0, room)) others.splice(Math.floor(this.#random() * others.length), 1);
    return [...needed, ...others];
  }

  #one<T>(values: readonly T[]): T | undefined {
    return values[Math.floor(this.#random() * values.length)];
  }
}

/** A branch of a union narrows the schema that it stands in. */
function joined(schema: StructuralSchema, { properties = {}, required = [], not, items, ...narrower }: StructuralSchema): StructuralSchema {
  const own = schema.properties ?? {};
  const kept = Object.entries(own).filter(([name]) => !excludedBy(not).includes(name));
  const narrowed = Object.entries(properties).flatMap(([name, property]) =>
    own[name] === undefined ? [] : [[name, joined(own[name], property)] as const],
  );
  return {
    ...schema,
    ...narrower,
    ...(items === undefined || schema.items === undefined ? {} : { items: joined(schema.items, items) }),
    properties: { ...Object.fromEntries(kept), ...Object.fromEntries(narrowed.filter(([name]) => !excludedBy(not).includes(name))) },
    required: [...new Set([...(schema.required ?? []), ...required])],
  };
}

/** The fields that a branch forbids: `not: { anyOf: [{ required: ['size'] }] }`. */
function excludedBy(not: StructuralSchema | undefined): readonly string[] {
  if (not === undefined) return [];
  return [...(not.required ?? []), ...(not.anyOf ?? []).flatMap(({ required = [] }) => required)];
}

const FORMATS: Readonly<Record<string, (count: number) => string>> = {
  'date-time': (count) => new Date(Date.UTC(2030, 0, 1, 0, 0, count)).toISOString().replace('.000', ''),
  date: (count) => new Date(Date.UTC(2030, 0, 1 + count)).toISOString().slice(0, 10),
  duration: (count) => `${count}s`,
  email: (count) => `a${count}@example.com`,
  hostname: (count) => `a${count}.example.com`,
  ipv4: (count) => `10.0.${count % 256}.1`,
  ipv6: (count) => `fd00::${(count % 65_536).toString(16)}`,
  cidr: (count) => `10.${count % 256}.0.0/16`,
  mac: (count) => `00:00:5e:00:53:${(count % 256).toString(16).padStart(2, '0')}`,
  uri: (count) => `https://example.com/${count}`,
  byte: (count) => btoa(`a${count}`),
  uuid: (count) => `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`,
  uuid3: (count) => `00000000-0000-3000-8000-${String(count).padStart(12, '0')}`,
  uuid4: (count) => `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`,
  uuid5: (count) => `00000000-0000-5000-8000-${String(count).padStart(12, '0')}`,
};

/** mulberry32: small, and good enough to choose between branches. */
function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
