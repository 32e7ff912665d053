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
  decode(value: unknown, run: DecodeRun): unknown;
  /** Go's zero value, a new one each time. */
  zero(): unknown;
  /** Whether `omitempty` leaves this value out. */
  isEmpty(value: unknown): boolean;
  /** Reads a value that comes in one piece; for `wire` 2 the reader ends where the value ends. */
  read(reader: WireReader): unknown;
  /**
   * Begins a value that protobuf sends as a message: several of one field are parts of one value. To read the parts apart and then once more together would
   * double the work with every level.
   */
  draft?(): Draft;
}

/** A message of which more may come. */
export interface Draft {
  add(reader: WireReader): void;
  value(): unknown;
}

/** The message that a reader holds, whole. */
export function readWhole(draft: Draft, reader: WireReader): unknown {
  draft.add(reader);
  return draft.value();
}
