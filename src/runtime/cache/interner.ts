/** Entries of one generation: two of them bound what is kept, a few megabytes at most. */
const GENERATION = 32_768;
/** Longer texts are rarely equal, and what they cost to look up is their length. */
const LONGEST_TEXT = 512;

interface Text {
  readonly text: string;
  readonly hash: number;
}

/**
 * Makes equal parts of objects one part in memory: the Pods of a Deployment differ in a few fields, and share the rest.
 *
 * Bounded: it knows what came last, in two generations of which the older is dropped when the younger is full. What it has forgotten is merely not shared.
 * It changes the objects that it is given, so these must be nobody else's.
 */
export class Interner {
  #texts = new Map<string, Text>();
  #olderTexts = new Map<string, Text>();
  #parts = new Map<number, object>();
  #olderParts = new Map<number, object>();
  #nextHash = 1;
  /** Of what `#shared` returned last. */
  #hash = 0;

  /** Shares what is in the object's fields; the object itself and its metadata are its own, as they carry its identity. */
  share<T extends object>(object: T): T {
    const fields = object as Record<string, unknown>;
    for (const name of Object.keys(fields)) {
      const value = fields[name];
      if (name === 'metadata' && typeof value === 'object' && value !== null) this.#shareFields(value as Record<string, unknown>);
      else this.#replace(fields, name, value);
    }
    return object;
  }

  #shareFields(metadata: Record<string, unknown>): void {
    for (const name of Object.keys(metadata)) {
      const value = metadata[name];
      // Names, uids and versions are like no other: they would only drive out what is.
      if (typeof value === 'object' || name === 'namespace' || name === 'generateName') this.#replace(metadata, name, value);
    }
  }

  #replace(parent: Record<string, unknown>, name: string, value: unknown): void {
    // Even where it compares as equal: of two equal texts one is the shared one.
    parent[name] = this.#shared(value);
  }

  #shared(value: unknown): unknown {
    switch (typeof value) {
      case 'string':
        return this.#text(value);
      case 'number':
        this.#hash = Math.imul(value | 0, 0x9e3779b1) ^ Math.trunc((value % 1) * 0x7fffffff);
        return value;
      case 'object':
        if (value !== null) return Array.isArray(value) ? this.#list(value as unknown[]) : this.#map(value as Record<string, unknown>);
        this.#hash = 0x5bd1e995;
        return value;
      default:
        this.#hash = value === true ? 0x27d4eb2f : 0x165667b1;
        return value;
    }
  }

  #text(text: string): string {
    if (text.length > LONGEST_TEXT) {
      this.#hash = text.length;
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
    let hash = 0x2545f491;
    for (let index = 0; index < list.length; index += 1) {
      list[index] = this.#shared(list[index]);
      hash = mixed(hash, this.#hash);
    }
    return this.#part(list, hash);
  }

  #map(map: Record<string, unknown>): Record<string, unknown> {
    let hash = 0x7f4a7c15;
    for (const name in map) {
      this.#text(name);
      hash = mixed(hash, this.#hash);
      map[name] = this.#shared(map[name]);
      hash = mixed(hash, this.#hash);
    }
    return this.#part(map, hash);
  }

  #part<T extends object>(part: T, hash: number): T {
    this.#hash = hash;
    const known = this.#parts.get(hash) ?? this.#olderParts.get(hash);
    const isEqual = known !== undefined && areEqual(known, part);
    const kept = isEqual ? (known as T) : part;
    if (this.#parts.size >= GENERATION) {
      this.#olderParts = this.#parts;
      this.#parts = new Map();
    }
    this.#parts.set(hash, kept);
    return kept;
  }
}

function mixed(hash: number, part: number): number {
  const sum = Math.imul(hash ^ part, 0x9e3779b1);
  return (sum ^ (sum >>> 15)) | 0;
}

/** One level deep: fields are shared already, so that equal ones are one. The order of fields counts, as it does when they are written. */
function areEqual(left: object, right: object): boolean {
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const names = Object.keys(left);
  const others = Object.keys(right);
  if (names.length !== others.length) return false;
  const a = left as Record<string, unknown>;
  const b = right as Record<string, unknown>;
  return names.every((name, index) => name === others[index] && Object.is(a[name], b[name]));
}
