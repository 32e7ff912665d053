import type { ApiEvent, JsonObject, Served } from '../contract/index.js';
import { statusBody } from '../status/index.js';
import { jsonText } from '../values/index.js';
import { resourceVersionOf, type TextOptions } from './answer-text.js';
import { partialText, tableHead, tableRow } from './table.js';

/** Frames of the watch on one connection. The columns of a Table are in its first frame only. */
export class WatchFrames {
  readonly #served: Served;
  readonly #options: TextOptions;
  /** Of the moment: ages are counted from it. */
  readonly #now: () => Date;
  #isFirst = true;

  constructor(served: Served, options: TextOptions, now: () => Date) {
    this.#served = served;
    this.#options = options;
    this.#now = now;
  }

  /** Undefined: the event cannot be told in this form, and the stream ends. */
  of(event: ApiEvent): string | undefined {
    const text = event.type === 'ERROR' ? jsonText(statusBody(event.status)) : this.#objectText(event.object);
    return text === undefined ? undefined : `{"type":"${event.type}","object":${text}}\n`;
  }

  #objectText(object: JsonObject): string | undefined {
    const { media, texts, table } = this.#options;
    const transformation = media.transformation;
    if (transformation === undefined) return texts.of(object);
    switch (transformation.kind) {
      case 'Table': {
        const head = tableHead(this.#served, jsonText({ resourceVersion: resourceVersionOf(object) }), {
          version: transformation.version,
          hasColumns: this.#isFirst,
        });
        this.#isFirst = false;
        return `${head}${tableRow(this.#served, object, { texts, options: { ...table, now: this.#now() } })}]}`;
      }
      case 'PartialObjectMetadata':
        return partialText(object, transformation.version);
      case 'PartialObjectMetadataList':
        return undefined;
    }
  }
}
