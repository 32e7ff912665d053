import { createHash } from 'node:crypto';
import type { JsonObject } from '../../contract/index.js';
import { readAsYaml } from './protobuf/index.js';

/** A document in its two forms. The tag is that of the JSON, for both: `Vary` keeps them apart. */
export class Published {
  readonly text: string;
  readonly hash: string;
  readonly made: Date;
  readonly #write: (document: JsonObject) => Buffer;
  #protobuf: { readonly bytes: Buffer | undefined } | undefined;

  /** @param write makes the protobuf */
  constructor(text: string, { made, write }: { readonly made: Date; readonly write: (document: JsonObject) => Buffer }) {
    this.text = text;
    this.hash = createHash('sha512').update(text).digest('hex').toUpperCase();
    this.made = made;
    this.#write = write;
  }

  /** Made when the first client asks for it. @returns undefined if the document cannot be written in protobuf */
  get protobuf(): Buffer | undefined {
    this.#protobuf ??= { bytes: this.#made() };
    return this.#protobuf.bytes;
  }

  #made(): Buffer | undefined {
    const document = readAsYaml(this.text);
    return document === undefined ? undefined : this.#write(document);
  }
}
