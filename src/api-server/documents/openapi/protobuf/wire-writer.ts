const VARINT = 0;
const FIXED_64 = 1;
const LENGTH_DELIMITED = 2;

/**
 * One message in protobuf's wire format. Fields are to be added in the order of their numbers, as Go writes them; a field that has the zero value of its type
 * is left out, as version 3 of the language has it.
 */
export class WireWriter {
  readonly #parts: Buffer[] = [];

  text(field: number, value: string): void {
    if (value !== '') this.bytes(field, Buffer.from(value));
  }

  texts(field: number, values: readonly string[]): void {
    for (const value of values) this.bytes(field, Buffer.from(value));
  }

  bool(field: number, value: boolean): void {
    if (value) this.#parts.push(tag(field, VARINT), varint(1n));
  }

  int64(field: number, value: number): void {
    if (value !== 0) this.#parts.push(tag(field, VARINT), varint(BigInt.asUintN(64, BigInt(value))));
  }

  double(field: number, value: number): void {
    if (value !== 0) this.alternativeDouble(field, value);
  }

  /** One of several alternatives: that it is there counts, so that it is written although it is false. */
  alternativeBool(field: number, value: boolean): void {
    this.#parts.push(tag(field, VARINT), varint(value ? 1n : 0n));
  }

  /** As {@link alternativeBool}, although it is 0. */
  alternativeDouble(field: number, value: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    this.#parts.push(tag(field, FIXED_64), bytes);
  }

  /** A message inside this one, or a value of a list: it is written even if it is empty. */
  bytes(field: number, value: Buffer): void {
    this.#parts.push(tag(field, LENGTH_DELIMITED), varint(BigInt(value.length)), value);
  }

  finish(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

function tag(field: number, wire: number): Buffer {
  return varint(BigInt((field << 3) | wire));
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}
