import { GoDecodeError } from './errors.js';

const OVERFLOW = 'proto: integer overflow';
const END = 'unexpected EOF';
const NEGATIVE = 'proto: negative length found during unmarshaling';
/** Go has no end here but its stack, which is larger than JavaScript's. Only the schemas of CRDs nest without end. */
const DEEPEST = 250;

/** Go's `json.Marshal` could not write such a value. */
export const refuse = (text: string): never => {
  throw new GoDecodeError(text);
};

export interface Tag {
  readonly number: number;
  readonly wire: number;
}

/** Reads protobuf's wire format inside given bounds: it never looks beyond them, and never makes more than it is given. */
export class WireReader {
  readonly #bytes: Buffer;
  readonly #end: number;
  readonly #depth: number;
  #at: number;

  constructor(bytes: Buffer, { start = 0, end = bytes.length, depth = 0 }: { start?: number; end?: number; depth?: number } = {}) {
    if (depth > DEEPEST) refuse('proto: exceeded max depth');
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
    this.#depth = depth;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#end;
  }

  /** All that is left, without a copy. */
  rest(): Buffer {
    const rest = this.#bytes.subarray(this.#at, this.#end);
    this.#at = this.#end;
    return rest;
  }

  /** The next field of a message. `message` is its Go name, for the text of an error. */
  tag(message: string): Tag {
    const { value, number, wire } = this.rawTag();
    if (wire === 4) refuse(`proto: ${message}: wiretype end group for non-group`);
    if (number <= 0) refuse(`proto: ${message}: illegal tag ${number} (wire type ${value})`);
    return { number, wire };
  }

  /** A tag that is not checked yet: Go looks at those of map entries only when it skips them. */
  rawTag(): Tag & { readonly value: number | bigint } {
    const value = this.varint();
    const isSmall = typeof value === 'number' && value <= 0x7fffffff;
    const number = isSmall ? value >> 3 : Number(BigInt.asIntN(32, BigInt(value) >> 3n));
    return { value, number, wire: isSmall ? value & 7 : Number(BigInt(value) & 7n) };
  }

  /** An unsigned number of up to 64 bits. */
  varint(): number | bigint {
    // Nearly all are lengths and tags of one byte.
    const first = this.#bytes[this.#at];
    if (first !== undefined && first < 0x80 && this.#at < this.#end) {
      this.#at += 1;
      return first;
    }
    let value = 0;
    for (let factor = 1; factor <= 2 ** 42; factor *= 128) {
      const byte = this.#byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
    let large = BigInt(value);
    for (let shift = 49n; shift < 64n; shift += 7n) {
      const byte = this.#byte();
      large |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, large);
    }
    return refuse(OVERFLOW);
  }

  int32(): number {
    const value = this.varint();
    return typeof value === 'number' && value <= 0x7fffffff ? value : Number(BigInt.asIntN(32, BigInt(value)));
  }

  /** The nearest number that JavaScript has. */
  int64AsNumber(): number {
    const value = this.varint();
    return typeof value === 'number' ? value : Number(BigInt.asIntN(64, value));
  }

  int64(): bigint {
    return BigInt.asIntN(64, BigInt(this.varint()));
  }

  float64(): number {
    if (this.#at + 8 > this.#end) refuse(END);
    const value = this.#bytes.readDoubleLE(this.#at);
    this.#at += 8;
    return value;
  }

  /** A reader of the next length-delimited value. */
  delimited(): WireReader {
    const length = this.#length();
    const start = this.#at;
    this.#at += length;
    return new WireReader(this.#bytes, { start, end: this.#at, depth: this.#depth + 1 });
  }

  /**
   * The next entry of a map: key and value, by the number of the field. Go holds them to the bounds of the message around the entry, but what it skips to
   * those of the entry.
   */
  entry(read: (reader: WireReader, number: 1 | 2) => void): void {
    const length = this.#length();
    const end = this.#at + length;
    while (this.#at < end) {
      const { number, wire } = this.rawTag();
      if (number === 1 || number === 2) read(this, number);
      else {
        this.skip(wire);
        if (this.#at > end) refuse(END);
      }
    }
    this.#at = end;
  }

  text(): string {
    const text = this.#bytes.toString('utf8', this.#at, this.#end);
    this.#at = this.#end;
    return text;
  }

  skip(wire: number): void {
    let groups = 0;
    let current = wire;
    while (true) {
      if (current === 3) groups += 1;
      else if (current === 4) groups -= 1;
      else this.#skipValue(current);
      if (groups < 0) refuse('proto: unexpected end of group');
      if (groups === 0) return;
      current = Number(BigInt(this.varint()) & 7n);
    }
  }

  #skipValue(wire: number): void {
    if (wire === 0) this.varint();
    else if (wire === 1) this.#advance(8);
    else if (wire === 2) this.#advance(this.#length());
    else if (wire === 5) this.#advance(4);
    else refuse(`proto: illegal wireType ${wire}`);
  }

  #advance(length: number): void {
    if (this.#at + length > this.#end) refuse(END);
    this.#at += length;
  }

  #length(): number {
    const length = this.varint();
    if (typeof length === 'bigint' && BigInt.asIntN(64, length) < 0n) refuse(NEGATIVE);
    if (length > this.#end - this.#at) refuse(END);
    return Number(length);
  }

  #byte(): number {
    if (this.#at >= this.#end) refuse(END);
    const byte = this.#bytes[this.#at] ?? 0;
    this.#at += 1;
    return byte;
  }
}

export type FieldReader = (reader: WireReader, wire: number) => void;

/** Calls `fields` for what it knows and skips the rest. */
export function readMessage(reader: WireReader, message: string, fields: (number: number) => FieldReader | undefined): void {
  while (!reader.isAtEnd) {
    const { number, wire } = reader.tag(message);
    const field = fields(number);
    if (field === undefined) reader.skip(wire);
    else field(reader, wire);
  }
}

export function expectWire(found: number, wanted: number, field: string): void {
  if (found !== wanted) refuse(`proto: wrong wireType = ${found} for field ${field}`);
}

/** A field of a message that is written out by hand. */
export interface KnownField {
  /** Go's name. */
  readonly name: string;
  readonly wire: 0 | 2;
  /** For `wire` 2 the reader ends where the value ends. */
  readonly read: (reader: WireReader) => void;
}

/** Reads a message whose fields are known, each of one wire type; of a field that comes twice the last counts. */
export function readKnown(reader: WireReader, message: string, fields: Readonly<Record<number, KnownField>>): void {
  readMessage(reader, message, (number) => {
    const field = fields[number];
    if (field === undefined) return undefined;
    return (inner, wire) => {
      expectWire(wire, field.wire, field.name);
      field.read(wire === 2 ? inner.delimited() : inner);
    };
  });
}
