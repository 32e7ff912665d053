import { deepFreeze } from '@keelson/kubernetes/apimachinery';

/** Entries of one generation: two of them bound what is kept, a few megabytes at most. */
const GENERATION = 16_384;
/** Longer texts are rarely equal, and what they cost to look up is their length. */
const LONGEST_TEXT = 512;
/**
 * Parts deeper than this are left as they came: users who write a custom resource may nest it thousands of levels deep, and the stack ends before that. No
 * built-in kind has half as many.
 */
const DEEPEST = 64;
/** Weight of a generation: values, and characters of long texts. Else thousands of dead versions of one large ConfigMap would be kept. */
const HEAVIEST_GENERATION = 4_000_000;
/** A part that weighs more is not shared. */
const HEAVIEST_PART = 100_000;
/** JSON.parse makes equal texts up to this length one by itself. */
const SHORT_TEXT = 10;

interface Text {
  readonly text: string;
  readonly hash: number;
}

/**
 * Makes equal parts of objects one part in memory: the Pods of a Deployment differ in a few fields, and share the rest.
 *
 * Bounded: it knows what came last, in two generations of which the older is dropped when the younger is full, in number or in weight. Forgotten parts are
 * merely not shared. It changes the objects that it is given, so no other code may hold them; parts that are frozen already are copied. Shared parts are frozen
 * when they are made: a change of one object would be one of others.
 */
export class Interner {
  #texts = new Map<string, Text>();
  #olderTexts = new Map<string, Text>();
  #parts = new Map<number, object>();
  #olderParts = new Map<number, object>();
  #nextHash = 1;
  /** The hash of the value that `#shared` returned last. */
  #hash = 0;
  #weight = 0;
  #depth = 0;
  #partsWeight = 0;
  /** Shared fields of the parts under way: a part that is known already is never written to, which would cost more than all else. */
  readonly #fields: unknown[] = [];

  /** Shares what is in the object's fields; the object itself and its metadata are its own, as they carry its identity. All of it is frozen. */
  share<T extends object>(object: T): T {
    const fields = object as Record<string, unknown>;
    for (const name of Object.keys(fields)) {
      const value = fields[name];
      if (name === 'metadata' && typeof value === 'object' && value !== null) this.#shareFields(value as Record<string, unknown>);
      else fields[name] = this.#shared(value);
    }
    return Object.freeze(object);
  }

  #shareFields(metadata: Record<string, unknown>): void {
    for (const name of Object.keys(metadata)) {
      const value = metadata[name];
      // Names, uids and versions are like no other: they would only drive out what is.
      if (typeof value === 'object' || name === 'namespace' || name === 'generateName') metadata[name] = this.#shared(value);
    }
    Object.freeze(metadata);
  }

  #shared(value: unknown): unknown {
    switch (typeof value) {
      case 'string':
        return this.#text(value);
      case 'number':
        this.#weight = 1;
        this.#hash = Math.imul(value | 0, 0x9e3779b1) ^ (Number.isInteger(value) ? 0 : 0x3c6ef372);
        return value;
      case 'object':
        if (value !== null) return this.#part(value);
        this.#weight = 1;
        this.#hash = 0x5bd1e995;
        return value;
      default:
        this.#weight = 1;
        this.#hash = value === true ? 0x27d4eb2f : 0x165667b1;
        return value;
    }
  }

  #part(part: object): object {
    if (this.#depth >= DEEPEST) {
      this.#hash = this.#newHash();
      this.#weight = HEAVIEST_PART + 1;
      return deepFreeze(part);
    }
    this.#depth += 1;
    const shared = Array.isArray(part) ? this.#list(part as unknown[]) : this.#map(part as Record<string, unknown>);
    this.#depth -= 1;
    return shared;
  }

  #text(text: string): string {
    this.#weight = text.length > LONGEST_TEXT ? text.length : 1;
    if (text.length <= SHORT_TEXT || text.length > LONGEST_TEXT) {
      let hash = text.length;
      for (let index = Math.min(text.length, SHORT_TEXT) - 1; index >= 0; index -= 1) hash = Math.imul(hash, 31) + text.charCodeAt(index);
      this.#hash = hash;
      return text;
    }
    let known = this.#texts.get(text);
    if (known === undefined) {
      known = this.#olderTexts.get(text) ?? { text, hash: this.#newHash() };
      if (this.#texts.size >= GENERATION) {
        this.#olderTexts = this.#texts;
        this.#texts = new Map();
      }
      this.#texts.set(known.text, known);
    }
    this.#hash = known.hash;
    return known.text;
  }

  #newHash(): number {
    this.#nextHash = (this.#nextHash + 1) | 0;
    return Math.imul(this.#nextHash, 0x85ebca6b);
  }

  #list(list: unknown[]): unknown[] {
    const from = this.#fields.length;
    let hash = 0x2545f491;
    let weight = 1;
    for (const value of list) {
      this.#fields.push(this.#shared(value));
      hash = mixed(hash, this.#hash);
      weight += this.#weight;
    }
    this.#weight = weight;
    const known = this.#known(hash);
    const isKnown =
      Array.isArray(known) && known.length === list.length && known.every((value, index) => value === this.#fields[from + index]);
    if (isKnown) return this.#end(from, known as unknown[], hash);
    const own = Object.isFrozen(list) ? [...list] : list;
    for (let index = 0; index < own.length; index += 1) own[index] = this.#fields[from + index];
    return this.#end(from, Object.freeze(own) as unknown[], hash);
  }

  /** Names are not in the hash, only compared: other names with the same values are rare, and merely not shared. */
  #map(map: Record<string, unknown>): Record<string, unknown> {
    const from = this.#fields.length;
    let hash = 0x7f4a7c15;
    let weight = 1;
    for (const name in map) {
      this.#fields.push(this.#shared(map[name]));
      hash = mixed(hash, this.#hash);
      weight += this.#weight;
    }
    this.#weight = weight;
    const known = this.#known(hash);
    const isKnown = known !== undefined && !Array.isArray(known) && this.#isEqual(known as Record<string, unknown>, map, from);
    if (isKnown) return this.#end(from, known as Record<string, unknown>, hash);
    const own = Object.isFrozen(map) ? { ...map } : map;
    let at = from;
    for (const name in map) {
      own[name] = this.#fields[at];
      at += 1;
    }
    return this.#end(from, Object.freeze(own), hash);
  }

  /** One level deep: fields are shared already, so that equal ones are one. */
  #isEqual(known: Record<string, unknown>, map: Record<string, unknown>, from: number): boolean {
    let at = from;
    for (const name in map) {
      if (!Object.hasOwn(known, name) || known[name] !== this.#fields[at]) return false;
      at += 1;
    }
    for (const _ in known) at -= 1;
    return at === from;
  }

  #known(hash: number): object | undefined {
    return this.#parts.get(hash) ?? this.#olderParts.get(hash);
  }

  #end<T extends object>(from: number, part: T, hash: number): T {
    this.#fields.length = from;
    this.#hash = hash;
    if (this.#weight > HEAVIEST_PART || this.#parts.get(hash) === part) return part;
    if (this.#parts.size >= GENERATION || this.#partsWeight >= HEAVIEST_GENERATION) {
      this.#olderParts = this.#parts;
      this.#parts = new Map();
      this.#partsWeight = 0;
    }
    this.#partsWeight += this.#weight;
    this.#parts.set(hash, part);
    return part;
  }
}

function mixed(hash: number, part: number): number {
  const sum = Math.imul(hash ^ part, 0x9e3779b1);
  return (sum ^ (sum >>> 15)) | 0;
}
