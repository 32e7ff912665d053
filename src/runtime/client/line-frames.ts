import { ResponseTooLargeError } from '../http/index.js';

const NEWLINE = 0x0a;

/**
 * Cuts a stream of bytes into lines.
 *
 * On bytes, not on text: no byte of a longer UTF-8 character is a newline, so that a character which arrives in two chunks is never decoded in halves (H25).
 */
export class LineFrames {
  readonly #maxBytes: number;
  readonly #request: string;
  #parts: Buffer[] = [];
  #bytes = 0;

  /** @param request in words, for messages */
  constructor(request: string, maxBytes: number) {
    this.#request = request;
    this.#maxBytes = maxBytes;
  }

  /** The lines that this chunk completes; empty ones are left out. @throws ResponseTooLargeError for a line beyond the limit, complete or not */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      if (this.#bytes > 0) lines.push(this.#take());
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
    return lines;
  }

  /** Whether a line has begun and not ended. */
  get isTorn(): boolean {
    return this.#bytes > 0;
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > this.#maxBytes) throw new ResponseTooLargeError(this.#request, this.#maxBytes);
    if (part.length > 0) this.#parts.push(part);
  }

  #take(): string {
    const [first] = this.#parts;
    const line =
      this.#parts.length === 1 && first !== undefined ? first.toString('utf8') : Buffer.concat(this.#parts, this.#bytes).toString('utf8');
    this.#parts = [];
    this.#bytes = 0;
    return line;
  }
}
