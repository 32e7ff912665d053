import { JoinedBytes } from '../apimachinery/index.js';
import { SerialMessage } from './one-at-a-time.js';

/** Bytes that wait for a reader are joined up to this size. */
const PIECE = 16_384;

/**
 * A request whose body takes memory by its bytes, however finely it comes: Node makes a buffer of some 350 bytes of each chunk of a chunked body, 3 MiB in single
 * bytes are a gigabyte for a server that collects them.
 *
 * Flow: what comes in one read of the connection is joined, and also what comes while other parts wait to be read.
 * Guarantees: no part waits when nothing else is there to be read; what has come is handed on before the end.
 */
export class JoinedMessage extends SerialMessage {
  #joined = new JoinedBytes();
  #isDue = false;

  override push(chunk: Buffer | null): boolean {
    if (chunk === null) {
      this.#handOn();
      return super.push(null);
    }
    this.#joined.add(chunk);
    if (this.#joined.length >= PIECE) return this.#handOn();
    this.#handOnLater();
    return this.readableLength + this.#joined.length < this.readableHighWaterMark;
  }

  override read(size?: number): Buffer | null {
    const part = super.read(size) as Buffer | null;
    if (this.#joined.length > 0) this.#handOnLater();
    return part;
  }

  #handOnLater(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    // Not in the next tick: there is one behind each chunk.
    setImmediate(() => {
      this.#isDue = false;
      if (this.readableLength === 0) this.#handOn();
    });
  }

  #handOn(): boolean {
    let hasRoom = true;
    for (const piece of this.#joined.take()) hasRoom = super.push(Buffer.from(piece.buffer, piece.byteOffset, piece.length));
    return hasRoom;
  }
}
