import { createHash } from 'node:crypto';
import type { JsonObject } from '../../contract/index.js';
import { readAsYaml } from './protobuf/index.js';

/** A document in its two forms, each as bytes that all its readers share. The tag is that of the JSON, for both: `Vary` keeps them apart. */
export class Published {
  readonly json: Buffer;
  readonly hash: string;
  readonly made: Date;
  readonly #write: (document: JsonObject) => Buffer;
  #protobuf: { readonly bytes: Buffer | undefined } | undefined;

  /** @param write makes the protobuf */
  constructor(text: string, { made, write }: { readonly made: Date; readonly write: (document: JsonObject) => Buffer }) {
    this.json = Buffer.from(text);
    this.hash = createHash('sha512').update(this.json).digest('hex').toUpperCase();
    this.made = made;
    this.#write = write;
  }

  /** Made when the first client asks for it. @returns undefined if the document cannot be written in protobuf */
  get protobuf(): Buffer | undefined {
    this.#protobuf ??= { bytes: this.#made() };
    return this.#protobuf.bytes;
  }

  #made(): Buffer | undefined {
    const document = readAsYaml(this.json.toString());
    return document === undefined ? undefined : this.#write(document);
  }
}
