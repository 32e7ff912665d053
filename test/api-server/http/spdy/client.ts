import { constants, createDeflate, createInflate, type Deflate, type Inflate } from 'node:zlib';
import type { ByteTransport } from '../../../../src/api-server/http/spdy/byte-transport.js';
import { DICTIONARY } from '../../../../src/api-server/http/spdy/dictionary.js';

/** Two ends of a connection without a network. What the server sends is kept. */
export class Wire implements ByteTransport {
  readonly received: Buffer[] = [];
  isClosed = false;
  isPaused = false;
  #onData: (chunk: Buffer) => void = () => undefined;
  readonly #onClose: (() => void)[] = [];

  /** From the client. */
  write(bytes: Buffer): void {
    this.#onData(bytes);
  }

  onData(listener: (chunk: Buffer) => void): void {
    this.#onData = listener;
  }

  onClose(listener: () => void): void {
    this.#onClose.push(listener);
  }

  async send(bytes: Uint8Array): Promise<void> {
    this.received.push(Buffer.from(bytes));
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const listener of this.#onClose) listener();
  }
}

/** Frames of a client, as moby/spdystream writes them. */
export class SpdyFrames {
  readonly #deflate: Deflate = createDeflate({ dictionary: DICTIONARY });
  readonly #inflate: Inflate = createInflate({ dictionary: DICTIONARY, finishFlush: constants.Z_SYNC_FLUSH });

  async open(stream: number, headers: Readonly<Record<string, string>>): Promise<Buffer> {
    const block = await this.#compressed(headerBlock(headers));
    return control(1, Buffer.concat([numbers(stream, 0), Buffer.from([0, 0]), block]));
  }

  data(stream: number, text: string, { isLast = false }: { readonly isLast?: boolean } = {}): Buffer {
    const bytes = Buffer.from(text);
    return Buffer.concat([numbers(stream, ((isLast ? 1 : 0) << 24) | bytes.length), bytes]);
  }

  reset(stream: number): Buffer {
    return control(3, numbers(stream, 5));
  }

  ping(id: number): Buffer {
    return control(6, numbers(id));
  }

  /** The headers of a reply; all replies are one zlib stream. */
  async headersOf(reply: Buffer): Promise<Buffer> {
    const pieces: Buffer[] = [];
    return new Promise((resolve, reject) => {
      this.#inflate.once('error', reject);
      const take = (piece: Buffer): number => pieces.push(piece);
      this.#inflate.on('data', take);
      this.#inflate.write(reply.subarray(12), () => {
        this.#inflate.off('data', take);
        resolve(Buffer.concat(pieces));
      });
    });
  }

  #compressed(block: Buffer): Promise<Buffer> {
    const pieces: Buffer[] = [];
    return new Promise((resolve) => {
      const take = (piece: Buffer): number => pieces.push(piece);
      this.#deflate.on('data', take);
      this.#deflate.write(block);
      this.#deflate.flush(constants.Z_SYNC_FLUSH, () => {
        this.#deflate.off('data', take);
        resolve(Buffer.concat(pieces));
      });
    });
  }
}

export function control(kind: number, bytes: Buffer, version = 3): Buffer {
  return Buffer.concat([numbers(((0x8000 | version) * 0x10000 + kind) >>> 0, bytes.length), bytes]);
}

function headerBlock(headers: Readonly<Record<string, string>>): Buffer {
  const entries = Object.entries(headers);
  const text = (value: string): readonly Buffer[] => [numbers(Buffer.byteLength(value)), Buffer.from(value)];
  return Buffer.concat([numbers(entries.length), ...entries.flatMap(([name, value]) => [...text(name), ...text(value)])]);
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
}
