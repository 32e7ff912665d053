import type { JsonObject } from '../contract/index.js';
import { jsonText } from '../values/index.js';

/** Characters that each of the two generations may hold: lists of 50,000 objects of 1 KB find all of theirs, instead of making each anew every time. */
const DEFAULT_LIMIT = 128 * 1024 * 1024;

const TYPE_META = /^\{"kind":"[^"\\]*","apiVersion":"[^"\\]*"(,|\})/;

/**
 * JSON of frozen objects, remembered by identity: a thousand watchers and many lists pay once.
 *
 * Guarantees: two generations of at most `limit` characters each; the older one is forgotten when the younger is full, and an object's text goes with the object.
 */
export class CachedTexts {
  readonly #limit: number;
  #young = new WeakMap<object, string>();
  #old = new WeakMap<object, string>();
  #size = 0;

  constructor(limit: number = DEFAULT_LIMIT) {
    this.#limit = limit;
  }

  /** The text of an object that nobody will change any more. */
  of(object: JsonObject): string {
    const known = this.#young.get(object);
    if (known !== undefined) return known;
    const text = this.#old.get(object) ?? jsonText(object);
    this.#remember(object, text);
    return text;
  }

  /** As an item of a typed list: without kind and apiVersion. */
  ofItem(object: JsonObject): string {
    const text = this.of(object);
    const typeMeta = TYPE_META.exec(text);
    if (typeMeta !== null) return typeMeta[1] === '}' ? '{}' : `{${text.slice(typeMeta[0].length)}`;
    const { kind: _kind, apiVersion: _apiVersion, ...rest } = object;
    return jsonText(rest);
  }

  #remember(object: object, text: string): void {
    this.#size += text.length;
    if (this.#size > this.#limit) {
      this.#old = this.#young;
      this.#young = new WeakMap();
      this.#size = text.length;
    }
    this.#young.set(object, text);
  }
}
