/** Source of all numbers: "SPDY Protocol - Draft 3.1", section 2. */
const VERSION = 3;
const CONTROL = 0x8000;
const HEAD_BYTES = 8;
const FIN = 0x01;

export const SYN_STREAM = 1;
const SYN_REPLY = 2;
export const RST_STREAM = 3;
export const PING = 6;
export const HEADERS = 8;

/** Statuses of a reset. */
export const PROTOCOL_ERROR = 1;
export const REFUSED_STREAM = 3;
export const CANCEL = 5;

export type Frame =
  | { readonly type: 'data'; readonly stream: number; readonly isLast: boolean; readonly bytes: Buffer }
  | { readonly type: 'control'; readonly kind: number; readonly isLast: boolean; readonly bytes: Buffer };

/** The client does not speak SPDY/3. */
export class SpdyError extends Error {
  override readonly name = 'SpdyError';
}

/** Cuts bytes into frames. A chunk is copied once for its frame, not once for each chunk after it. */
export class FrameReader {
  #left: Buffer[] = [];
  #bytes = 0;
  #needed = HEAD_BYTES;

  /** The frames that are whole now. @throws SpdyError for another version of the protocol */
  take(chunk: Buffer): readonly Frame[] {
    this.#left.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < this.#needed) return [];
    let rest = this.#left.length === 1 ? chunk : Buffer.concat(this.#left, this.#bytes);
    const frames: Frame[] = [];
    let end = endOfNext(rest);
    while (rest.length >= end) {
      frames.push(frameOf(rest, rest.subarray(HEAD_BYTES, end)));
      rest = rest.subarray(end);
      end = endOfNext(rest);
    }
    this.#left = rest.length === 0 ? [] : [rest];
    this.#bytes = rest.length;
    this.#needed = end;
    return frames;
  }
}

/** Where the frame that begins `rest` ends, or its head while that is not whole. */
function endOfNext(rest: Buffer): number {
  return rest.length < HEAD_BYTES ? HEAD_BYTES : HEAD_BYTES + rest.readUIntBE(5, 3);
}

function frameOf(head: Buffer, bytes: Buffer): Frame {
  const first = head.readUInt16BE(0);
  const isLast = (head.readUInt8(4) & FIN) !== 0;
  if ((first & CONTROL) === 0) return { type: 'data', stream: head.readUInt32BE(0), isLast, bytes };
  const version = first & ~CONTROL;
  if (version !== VERSION) throw new SpdyError(`a control frame of version ${version}, not ${VERSION}`);
  return { type: 'control', kind: head.readUInt16BE(2), isLast, bytes };
}

export function dataFrame(stream: number, bytes: Uint8Array, { isLast = false }: { readonly isLast?: boolean } = {}): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(stream);
  head.writeUInt8(isLast ? FIN : 0, 4);
  head.writeUIntBE(bytes.length, 5, 3);
  return Buffer.concat([head, bytes]);
}

export function pingFrame(id: Buffer): Buffer {
  return controlFrame(PING, id);
}

export function resetFrame(stream: number, status: number): Buffer {
  return controlFrame(RST_STREAM, numbers(stream, status));
}

/** The beginning of a zlib stream with the dictionary, and (after it) a block of no headers, not compressed, up to the boundary of a byte. */
const ZLIB_HEAD = Buffer.from('78f9e3c6a7c2', 'hex');
const NO_HEADERS = Buffer.from('000400fbff00000000000000ffff', 'hex');

/** Accepts a stream, without headers. All replies of a connection are one zlib stream. */
export function replyFrame(stream: number, { isFirst }: { readonly isFirst: boolean }): Buffer {
  return controlFrame(SYN_REPLY, Buffer.concat([numbers(stream), ...(isFirst ? [ZLIB_HEAD] : []), NO_HEADERS]));
}

function controlFrame(kind: number, bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt16BE(CONTROL | VERSION);
  head.writeUInt16BE(kind, 2);
  head.writeUIntBE(bytes.length, 5, 3);
  return Buffer.concat([head, bytes]);
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
}
