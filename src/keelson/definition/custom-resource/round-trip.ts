import {
  apiVersionOf,
  canonicalJson,
  deepFreeze,
  errorOf,
  isJsonObject,
  isRecord,
  type Json,
  type JsonObject,
  type StructuralSchema,
} from '@keelson/kubernetes/apimachinery';
import { applyDefaults, type Fullness, prune, Sampler } from '@keelson/kubernetes/structural';
import type { Problem } from '../errors.js';
import type { ConversionModel, CustomResourceModel, CustomResourceVersionModel } from '../model.js';
import { lossBetween } from './loss.js';

/** Samples of each version: the smallest, some with all fields, for the branches of unions, and some that are drawn. */
const PLAN: readonly Fullness[] = ['least', ...Array<Fullness>(4).fill('most'), ...Array<Fullness>(7).fill('drawn')];
/** A schema may allow little of what is drawn: rules are not followed when it is made up. */
const TRIES = 4;
/** The first ones say it. */
const MOST_PROBLEMS = 8;

type Direction = 'toStorage' | 'fromStorage';

const known = new WeakMap<CustomResourceModel, readonly Problem[]>();

/**
 * Sends made-up objects of each version to the other one and back, as the API server would: pruned and with defaults in between.
 *
 * Flow: samples by the schemas and those of the author → there → back → compared. The samples are the same each time.
 * Guarantees: a field that does not come back as it was is a problem, unless it is declared as lossy; so is a function that throws for what the schema admits,
 * and a version of which no sample can be made up. An absent field may come back with a value: defaults do that.
 */
export function roundTripProblems(resource: CustomResourceModel): readonly Problem[] {
  const found =
    known.get(resource) ?? Object.entries(resource.conversions ?? {}).flatMap(([name, pair]) => problemsOf(resource, name, pair));
  known.set(resource, found);
  return found;
}

function problemsOf(resource: CustomResourceModel, name: string, pair: ConversionModel): Problem[] {
  const version = resource.versionList.find((each) => each.name === name);
  const stored = resource.versionList.find((each) => each.name === resource.storageVersion);
  if (version === undefined || stored === undefined) return [];
  const forward = [...authored(resource, version, pair.samples ?? []), ...samplesOf(resource, version)];
  const backward = samplesOf(resource, stored);
  if (forward.length + backward.length === 0)
    return [
      {
        path: `convert.${name}.samples`,
        message: `is missing: no object of ${name} or ${stored.name} can be made up from its schema, so nothing shows whether the conversion keeps it; give some: samples: [{ spec: { ... } }]`,
      },
    ];
  const sides = { resource, version, stored, pair };
  // The first problem of each field and function, by an id.
  const problems = new Map<string, Problem>();
  const there = new Journey('toStorage', sides, problems);
  const back = new Journey('fromStorage', sides, problems);
  for (const object of forward) there.take(object);
  for (const object of backward) back.take(object);
  return [...problems.values()].slice(0, MOST_PROBLEMS);
}

interface Sides {
  readonly resource: CustomResourceModel;
  readonly version: CustomResourceVersionModel;
  readonly stored: CustomResourceVersionModel;
  readonly pair: ConversionModel;
}

/** Objects of one version on their way to the other one and back. */
class Journey {
  readonly #first: Direction;
  readonly #sides: Sides;
  readonly #from: CustomResourceVersionModel;
  readonly #to: CustomResourceVersionModel;
  readonly #problems: Map<string, Problem>;

  constructor(first: Direction, sides: Sides, problems: Map<string, Problem>) {
    this.#problems = problems;
    this.#first = first;
    this.#sides = sides;
    const { version, stored } = sides;
    [this.#from, this.#to] = first === 'toStorage' ? [version, stored] : [stored, version];
  }

  take(object: JsonObject): void {
    const there = this.#converted(this.#first, object, this.#to);
    // A version that is not served is left for good: its objects come back no more.
    if (there === undefined || !this.#from.served || !this.#to.served) return;
    const returned = this.#converted(this.#first === 'toStorage' ? 'fromStorage' : 'toStorage', there, this.#from);
    if (returned === undefined) return;
    const lossy = Object.keys(this.#sides.pair.lossy?.[this.#first] ?? {});
    for (const { path, was, is } of lossBetween(object, returned, this.#from.schema)) {
      if (lossy.some((declared) => path === declared || path.startsWith(`${declared}.`) || path.startsWith(`${declared}[`))) continue;
      const example = is === undefined ? `${textOf(was)} is gone` : `${textOf(was)} became ${textOf(is)}`;
      const ways = path.startsWith('metadata.')
        ? 'keep the labels and annotations that the conversion does not use itself'
        : `keep what ${this.#to.name} cannot say in an annotation, or declare it: lossy: { ${this.#first}: { '${path}': 'why' } }`;
      this.#tell(
        `${this.#first} ${path}`,
        this.#first,
        `loses ${path} on the way from ${this.#from.name} to ${this.#to.name} and back: ${example}; ${ways}`,
      );
    }
  }

  #converted(direction: Direction, object: JsonObject, into: CustomResourceVersionModel): JsonObject | undefined {
    let converted: unknown;
    try {
      converted = this.#sides.pair[direction](deepFreeze(object));
    } catch (thrown) {
      const whose =
        direction === this.#first ? `that the schema of ${this.#from.name} admits` : `of ${this.#to.name} that ${this.#first} has made`;
      this.#tell(
        `throws ${direction}`,
        direction,
        `throws for an object ${whose}, and would break each list that holds it: ${String(errorOf(thrown)).slice(0, 200)}; convert it, or narrow the schema; the object has ${textOf(contentOf(object), 300)}`,
      );
      return undefined;
    }
    const json = jsonOf(converted);
    if (json === undefined || (object['spec'] !== undefined && json['spec'] === undefined)) {
      this.#tell(`spec ${direction}`, direction, 'returns no spec; return { spec } and, where there is one, { status }, and not a promise');
      return undefined;
    }
    return settled(json, into.schema);
  }

  #tell(about: string, direction: Direction, message: string): void {
    if (!this.#problems.has(about)) this.#problems.set(about, { path: `convert.${this.#sides.version.name}.${direction}`, message });
  }
}

/** As the API server reads it: without what the schema does not know, and with its defaults. */
function settled(object: JsonObject, schema: StructuralSchema): JsonObject {
  return applyDefaults(schema, prune(schema, object, { isResourceRoot: true })) as JsonObject;
}

/** Made-up objects of a version that its schema admits, with defaults: the same each time; empty where patterns and rules fit none. */
export function samplesOf(resource: CustomResourceModel, version: CustomResourceVersionModel): JsonObject[] {
  const sampler = new Sampler(1);
  const { properties = {}, ...root } = version.schema;
  const { apiVersion: _, kind: __, metadata: ___, ...parts } = properties;
  const schema: StructuralSchema = { ...root, properties: parts };
  const seen = new Set<string>();
  return PLAN.flatMap((fullness) => {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const content = sampler.sample(schema, fullness);
      if (!isJsonObject(content)) continue;
      const object = settled(wholeOf(resource, version, content), version.schema);
      const text = canonicalJson(object);
      if (seen.has(text) || version.problemsOf?.(object).length !== 0) continue;
      seen.add(text);
      return [object];
    }
    return [];
  });
}

function authored(resource: CustomResourceModel, version: CustomResourceVersionModel, samples: readonly unknown[]): JsonObject[] {
  return samples.flatMap((sample) => {
    const content = jsonOf(sample);
    return content === undefined ? [] : [settled(wholeOf(resource, version, content), version.schema)];
  });
}

function wholeOf({ group, kind, scope }: CustomResourceModel, { name }: CustomResourceVersionModel, content: JsonObject): JsonObject {
  const metadata = {
    name: 'sample',
    ...(scope === 'Namespaced' ? { namespace: 'default' } : {}),
    uid: '00000000-0000-4000-8000-000000000000',
    labels: { sample: 'yes' },
    annotations: { 'example.com/kept': 'yes' },
    ...(isJsonObject(content['metadata']) ? content['metadata'] : {}),
  };
  return { ...content, apiVersion: apiVersionOf({ group, version: name }), kind, metadata };
}

/** The value as JSON carries it; `undefined` if it is not an object. */
function jsonOf(value: unknown): JsonObject | undefined {
  if (!isRecord(value)) return undefined;
  const json = JSON.parse(JSON.stringify(value)) as Json;
  return isJsonObject(json) ? json : undefined;
}

function contentOf({ apiVersion: _, kind: __, metadata: ___, ...content }: JsonObject): JsonObject {
  return content;
}

function textOf(value: Json, longest = 60): string {
  const text = JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
