import type { ApiEvent, JsonObject, Served } from '../contract/index.js';
import { statusBody } from '../status/index.js';
import { jsonText } from '../values/index.js';
import { resourceVersionOf, type TextOptions } from './answer-text.js';
import type { CachedFrames } from './cached-frames.js';
import { partialText, tableHead, tableRow } from './table.js';

type ObjectEvent = Exclude<ApiEvent, { readonly type: 'ERROR' }>;

export interface FrameOptions extends TextOptions {
  readonly frames: CachedFrames;
  /** Ages in the rows of a Table are counted from it. */
  readonly now: () => Date;
}

/** Frames of the watch on one connection. The columns of a Table are in its first frame only. */
export class WatchFrames {
  readonly #served: Served;
  readonly #options: FrameOptions;
  #isFirst = true;

  constructor(served: Served, options: FrameOptions) {
    this.#served = served;
    this.#options = options;
  }

  /** Undefined: the event has no form that the client accepts, and the stream ends. */
  of(event: ApiEvent): Buffer | undefined {
    if (event.type === 'ERROR') return Buffer.from(frameText(event.type, jsonText(statusBody(event.status))));
    const { type, object } = event;
    const { media, texts } = this.#options;
    const { transformation } = media;
    switch (transformation?.kind) {
      case undefined:
        return this.#shared(event, 'object', () => texts.of(object));
      case 'PartialObjectMetadata': {
        const { version } = transformation;
        return this.#shared(event, `metadata ${version}`, () => partialText(object, version));
      }
      case 'Table':
        return Buffer.from(frameText(type, this.#tableText(object, transformation.version)));
      case 'PartialObjectMetadataList':
        return undefined;
    }
  }

  #shared({ type, object }: ObjectEvent, form: string, textOf: () => string): Buffer {
    const text = (): string => frameText(type, textOf());
    // A bookmark is made for one watch.
    return type === 'BOOKMARK' ? Buffer.from(text()) : this.#options.frames.of(`${type} ${form}`, object, text);
  }

  #tableText(object: JsonObject, version: string): string {
    const { texts, table, now } = this.#options;
    const head = tableHead(this.#served, jsonText({ resourceVersion: resourceVersionOf(object) }), { version, hasColumns: this.#isFirst });
    this.#isFirst = false;
    return `${head}${tableRow(this.#served, object, { texts, options: { ...table, now: now() } })}]}`;
  }
}

function frameText(type: ApiEvent['type'], object: string): string {
  return `{"type":"${type}","object":${object}}\n`;
}
