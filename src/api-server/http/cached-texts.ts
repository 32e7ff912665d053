import type { JsonObject } from '../contract/index.js';
import { jsonText } from '../values/index.js';
import { Generations } from './generations.js';

/** Characters that each of the two generations may hold: lists of 50,000 objects of 1 KB find all of theirs, instead of making each anew every time. */
const DEFAULT_LIMIT = 128 * 1024 * 1024;

const TYPE_META = /^\{"kind":"[^"\\]*","apiVersion":"[^"\\]*"(,|\})/;

/** JSON of frozen objects, remembered by identity: a thousand watchers and many lists pay once. See {@link Generations}. */
export class CachedTexts {
  readonly #texts: Generations<string>;

  constructor(limit: number = DEFAULT_LIMIT) {
    this.#texts = new Generations(limit, ({ length }) => length);
  }

  /** The text of an object that will not change any more. */
  of(object: JsonObject): string {
    return this.#texts.of(object, () => jsonText(object));
  }

  /** As an item of a typed list: without kind and apiVersion. */
  ofItem(object: JsonObject): string {
    const text = this.of(object);
    const typeMeta = TYPE_META.exec(text);
    if (typeMeta !== null) return typeMeta[1] === '}' ? '{}' : `{${text.slice(typeMeta[0].length)}`;
    const { kind: _kind, apiVersion: _apiVersion, ...rest } = object;
    return jsonText(rest);
  }
}
