import type { Json } from '../../../../../src/kubernetes/apimachinery/index.js';
import type { Random } from './random.js';
import { copyOf, type JsonObject, mapIn, type Subject } from './subject.js';

/** One request to the server, and what ours needs to know to do the same. */
export interface Write {
  readonly kind: 'create' | 'put' | 'merge patch' | 'json patch' | 'apply';
  readonly apiVersion: string;
  readonly subresource: string;
  readonly manager: string;
  readonly force: boolean;
  /** The whole object as it is to be, or the configuration. */
  readonly object: JsonObject;
  readonly patch?: Json;
}

const APPLIERS = ['applier-a', 'applier-b', 'applier-c', 'kubectl'];
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

export class Writes {
  readonly #random: Random;
  readonly #subject: Subject;
  readonly #name: string;

  constructor(random: Random, subject: Subject, name: string) {
    this.#random = random;
    this.#subject = subject;
    this.#name = name;
  }

  /** A random write to an object as it is now; undefined: there is none. */
  next(live: JsonObject | undefined): Write {
    const random = this.#random;
    if (live === undefined) return random.chance(0.5) ? this.#apply(false) : this.#create();
    if (random.chance(0.55)) return this.#apply(true);
    if (random.chance(0.2)) return this.#put(live, (object) => this.#clientSideApply(object));
    if (random.chance(0.6)) return this.#put(live, (object) => this.#mutate(object));
    return this.#patch(live);
  }

  #configuration(): JsonObject {
    const config = this.#subject.configuration(this.#random);
    const metadata = mapIn(config, 'metadata');
    metadata['name'] = this.#name;
    metadata['namespace'] = 'default';
    return config;
  }

  #place(mayBeSubresource: boolean): Pick<Write, 'apiVersion' | 'subresource'> {
    const random = this.#random;
    const { apiVersions, subresources } = this.#subject;
    return {
      apiVersion: random.one(apiVersions),
      subresource: mayBeSubresource && subresources.length > 0 && random.chance(0.2) ? random.one(subresources) : '',
    };
  }

  #updater(): string {
    return `updater-${this.#random.below(14)}`;
  }

  #create(): Write {
    const place = this.#place(false);
    return {
      kind: 'create',
      ...place,
      manager: this.#updater(),
      force: false,
      object: { ...this.#configuration(), apiVersion: place.apiVersion },
    };
  }

  #apply(exists: boolean): Write {
    const random = this.#random;
    const place = this.#place(exists);
    const object = { ...this.#configuration(), apiVersion: place.apiVersion };
    if (random.chance(0.04)) this.#spoil(object);
    return { kind: 'apply', ...place, manager: random.one(APPLIERS), force: random.chance(0.4), object };
  }

  /** What the server refuses before it merges. */
  #spoil(object: JsonObject): void {
    const spoil = this.#random.one<(object: JsonObject) => void>([
      (config) => {
        mapIn(config, 'metadata')['unknown'] = 1;
      },
      (config) => {
        mapIn(config, 'metadata', 'labels')['a'] = 1;
      },
      (config) => {
        mapIn(config, 'metadata')['finalizers'] = ['example.com/a', 'example.com/a'];
      },
      (config) => {
        mapIn(config, 'metadata')['labels'] = ['a'];
      },
      (config) => {
        mapIn(config, 'metadata')['ownerReferences'] = [{ name: 'x', controller: 'yes' }];
      },
      (config) => {
        mapIn(config, 'metadata')['managedFields'] = [];
      },
    ]);
    spoil(object);
  }

  #put(live: JsonObject, change: (object: JsonObject) => void): Write {
    const random = this.#random;
    const place = this.#place(true);
    const object = { ...copyOf(live), apiVersion: place.apiVersion };
    change(object);
    const metadata = mapIn(object, 'metadata');
    if (random.chance(0.1)) delete metadata['managedFields'];
    else if (random.chance(0.04)) metadata['managedFields'] = random.one<Json>([[], [{}], [{ operation: 'Nothing' }]]);
    return { kind: 'put', ...place, manager: this.#updater(), force: false, object };
  }

  #mutate(object: JsonObject): void {
    if (this.#random.chance(0.9)) this.#subject.mutate(this.#random, object);
  }

  /** What kubectl does without `--server-side`: it notes in an annotation what it applied. */
  #clientSideApply(object: JsonObject): void {
    const config = this.#configuration();
    const { metadata, ...rest } = config;
    overlay(object, { ...rest, apiVersion: object['apiVersion'] as Json, metadata: { ...(metadata as JsonObject) } });
    mapIn(object, 'metadata', 'annotations')[LAST_APPLIED] = JSON.stringify({ ...config, apiVersion: object['apiVersion'] });
  }

  #patch(live: JsonObject): Write {
    const place = this.#place(true);
    const old: JsonObject = { ...copyOf(live), apiVersion: place.apiVersion };
    const object = copyOf(old);
    this.#mutate(object);
    const common = { ...place, manager: this.#updater(), force: false, object };
    if (this.#random.chance(0.5)) return { kind: 'merge patch', ...common, patch: mergePatch(old, object) ?? {} };
    const patch = Object.keys(object)
      .filter((key) => !['apiVersion', 'kind', 'metadata'].includes(key))
      .map((key) => ({ op: 'add', path: `/${key}`, value: object[key] as Json }));
    return { kind: 'json patch', ...common, object: { ...object, metadata: old['metadata'] as Json }, patch };
  }
}

function overlay(object: JsonObject, over: JsonObject): void {
  for (const [key, value] of Object.entries(over)) {
    const mine = object[key];
    if (isObject(mine) && isObject(value)) overlay(mine, value);
    else object[key] = copyOf(value);
  }
}

/** The merge patch that turns one value into another; undefined: they are equal. */
function mergePatch(from: Json | undefined, to: Json | undefined): Json | undefined {
  if (JSON.stringify(from) === JSON.stringify(to)) return undefined;
  if (to === undefined) return null;
  if (!isObject(to)) return to;
  const old = isObject(from) ? from : {};
  const fields = [...new Set([...Object.keys(old), ...Object.keys(to)])].flatMap((key): [string, Json][] => {
    const change = mergePatch(old[key], to[key]);
    return change === undefined ? [] : [[key, change]];
  });
  return Object.fromEntries(fields);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
