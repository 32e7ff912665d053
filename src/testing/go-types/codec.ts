import type { DecodeRun } from './decode-run.js';
import type { WireReader } from './wire-reader.js';

/** How protobuf sends a value: 0 varint, 1 eight bytes, 2 a length and so many bytes. */
export type WireType = 0 | 1 | 2;

/**
 * A Go type: from JSON and protobuf to what `json.Marshal` would write of the value.
 *
 * `undefined` is Go's nil (pointer, slice, map), which is written as null or left out by its owner; `null` is a value that writes itself as null.
 */
export interface Codec {
  readonly goName: string;
  readonly wire: WireType;
  /** Protobuf sends it as a message: one that comes in several parts is their sum. */
  readonly isMessage: boolean;
  decode(value: unknown, run: DecodeRun): unknown;
  /** Go's zero value, a new one each time. */
  zero(): unknown;
  /** Whether `omitempty` leaves this value out. */
  isEmpty(value: unknown): boolean;
  /** Reads a value; for `wire` 2 the reader ends where the value ends. */
  read(reader: WireReader): unknown;
}
