import { SerialMessage } from '@keelson/kubernetes/listening';
import { NoReview } from './errors.js';

/**
 * How finely a body may come. Node makes a buffer of each chunk of a chunked body, and of each record of TLS, which takes some 350 bytes beside its content.
 * Clients send a kilobyte at least; the first pieces are free, since a head, a first record or a proxy may cut one anywhere.
 */
const PIECES = { free: 64, bytesEach: 512 } as const;

/**
 * A request whose body must not come in crumbs: 7 MiB in single bytes are 2.5 GiB in memory.
 *
 * Pieces are counted as Node's parser hands them over. A reader sees them later: those that come while it waits for room lie in the stream, unseen.
 * Errors: NoReview, as the `error` of the stream; the connection ends, as the rest of the body is of no use.
 */
export class ReviewMessage extends SerialMessage {
  #pieces = 0;
  #bytes = 0;

  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (this.destroyed) return false;
    if (chunk !== null) {
      this.#pieces += 1;
      this.#bytes += chunk.length;
      if (this.#pieces > PIECES.free + this.#bytes / PIECES.bytesEach) {
        this.destroy(new NoReview(400, `the body comes in crumbs: ${this.#bytes} bytes in ${this.#pieces} pieces`));
        return false;
      }
    }
    return super.push(chunk, encoding);
  }
}
