import { goBase64Problem } from '@keelson/kubernetes/apimachinery';
import type { Codec } from './codec.js';
import { type DecodeRun, described } from './decode-run.js';
import { refuse, type WireReader } from './wire-reader.js';

/** Codecs of Go's scalars; a named type (`v1.Protocol`) has one of its own, for the name in errors. */
export function scalarCodec(form: 'string' | 'bool' | 'int32' | 'int64' | 'float64' | 'bytes' | 'any', goName: string): Codec {
  switch (form) {
    case 'string':
      return new StringCodec(goName);
    case 'bool':
      return new BoolCodec(goName);
    case 'int32':
    case 'int64':
      return new IntegerCodec(goName, form === 'int32' ? 31 : 63);
    case 'float64':
      return new FloatCodec(goName);
    case 'bytes':
      return new BytesCodec(goName);
    case 'any':
      return new AnyCodec(goName);
  }
}

const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Go replaces half a surrogate pair: it has no UTF-8. */
export function wellFormed(text: string): string {
  return LONE_SURROGATE.test(text) ? text.replace(LONE_SURROGATE, '\ufffd') : text;
}

abstract class ScalarCodec {
  readonly goName: string;

  constructor(goName: string) {
    this.goName = goName;
  }
}

class StringCodec extends ScalarCodec implements Codec {
  readonly wire = 2;

  decode(value: unknown, run: DecodeRun): string {
    if (typeof value === 'string') return wellFormed(value);
    if (value !== null) run.mismatch(value, this.goName);
    return '';
  }

  zero(): string {
    return '';
  }

  isEmpty(value: unknown): boolean {
    return value === '';
  }

  read(reader: WireReader): string {
    return reader.text();
  }
}

class BoolCodec extends ScalarCodec implements Codec {
  readonly wire = 0;

  decode(value: unknown, run: DecodeRun): boolean {
    if (typeof value === 'boolean') return value;
    if (value !== null) run.mismatch(value, this.goName);
    return false;
  }

  zero(): boolean {
    return false;
  }

  isEmpty(value: unknown): boolean {
    return value === false;
  }

  read(reader: WireReader): boolean {
    return Number(reader.varint()) !== 0;
  }
}

/** Beyond 2^53 an int64 is the nearest number that JavaScript has. */
class IntegerCodec extends ScalarCodec implements Codec {
  readonly wire = 0;
  readonly #limit: number;
  readonly #bits: number;

  constructor(goName: string, bits: 31 | 63) {
    super(goName);
    this.#bits = bits;
    this.#limit = 2 ** bits;
  }

  decode(value: unknown, run: DecodeRun): number {
    if (typeof value === 'number' && Number.isInteger(value) && value < this.#limit && value >= -this.#limit) return value + 0;
    if (typeof value === 'bigint' && BigInt.asIntN(this.#bits + 1, value) === value) return Number(value);
    if (value !== null) run.report({ value: described(value, this.goName, true), goName: this.goName });
    return 0;
  }

  zero(): number {
    return 0;
  }

  isEmpty(value: unknown): boolean {
    return value === 0;
  }

  read(reader: WireReader): number {
    return this.#bits === 31 ? reader.int32() : reader.int64AsNumber();
  }
}

class FloatCodec extends ScalarCodec implements Codec {
  readonly wire = 1;

  decode(value: unknown, run: DecodeRun): number {
    if (typeof value === 'number') return value;
    if (typeof value === 'bigint') return Number(value);
    if (value !== null) run.mismatch(value, this.goName);
    return 0;
  }

  zero(): number {
    return 0;
  }

  isEmpty(value: unknown): boolean {
    return value === 0;
  }

  read(reader: WireReader): number {
    const value = reader.float64();
    return Number.isFinite(value)
      ? value
      : refuse(`json: unsupported value: ${value === -Infinity ? '-Inf' : value === Infinity ? '+Inf' : 'NaN'}`);
  }
}

const UNPADDED_BASE64 = /^[A-Za-z0-9+/]*$/;

/** Base64 in JSON. Go also takes a list of numbers for bytes. */
class BytesCodec extends ScalarCodec implements Codec {
  readonly wire = 2;

  decode(value: unknown, run: DecodeRun): string | undefined {
    if (typeof value === 'string') return this.#base64(value, run);
    if (Array.isArray(value)) return Buffer.from(value.map((item, index) => byteOf(item, index, run))).toString('base64');
    if (value !== null) run.mismatch(value, this.goName);
    return undefined;
  }

  #base64(text: string, run: DecodeRun): string {
    if (text.length % 4 === 0 && UNPADDED_BASE64.test(text)) return text;
    const problem = goBase64Problem(text, 'standard');
    if (problem === undefined) return Buffer.from(text, 'base64').toString('base64');
    run.report({ text: `illegal base64 data at input byte ${problem}` });
    return '';
  }

  zero(): undefined {
    return undefined;
  }

  isEmpty(value: unknown): boolean {
    return value === undefined || value === '';
  }

  read(reader: WireReader): string {
    return reader.rest().toString('base64');
  }
}

function byteOf(item: unknown, index: number, run: DecodeRun): number {
  if (typeof item === 'number' && Number.isInteger(item) && item >= 0 && item <= 255) return item;
  run.enter(index);
  if (item !== null) run.mismatch(item, 'uint8');
  run.leave();
  return 0;
}

/** Cells of tables: whatever JSON has. */
class AnyCodec extends ScalarCodec implements Codec {
  readonly wire = 2;

  decode(value: unknown): unknown {
    return value ?? undefined;
  }

  zero(): undefined {
    return undefined;
  }

  isEmpty(value: unknown): boolean {
    return value === undefined;
  }

  read(): never {
    return refuse('proto: an untyped value has no form in protobuf');
  }
}
