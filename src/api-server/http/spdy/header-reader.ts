import { constants, createInflate, type Inflate } from 'node:zlib';
import { DICTIONARY } from './dictionary.js';
import { SpdyError } from './frames.js';

/** Most bytes of the headers of one stream. */
const MOST_BYTES = 64 * 1024;

/** Reads the headers of streams: all of a connection are one zlib stream. One call at a time. */
export class HeaderReader {
  readonly #inflate: Inflate = createInflate({ dictionary: DICTIONARY, finishFlush: constants.Z_SYNC_FLUSH });
  #failure: Error | undefined;
  #fail: (error: Error) => void = () => undefined;

  constructor() {
    this.#inflate.on('error', (error) => {
      this.#failure = error;
      this.#fail(error);
    });
  }

  /** @throws SpdyError for what is not a block of headers */
  async read(compressed: Buffer): Promise<ReadonlyMap<string, string>> {
    return parsed(await this.#inflated(compressed));
  }

  close(): void {
    this.#inflate.destroy();
  }

  #inflated(compressed: Buffer): Promise<Buffer> {
    const inflate = this.#inflate;
    const pieces: Buffer[] = [];
    let bytes = 0;
    return new Promise<Buffer>((resolve, reject) => {
      if (this.#failure !== undefined) reject(this.#failure);
      const take = (piece: Buffer): void => {
        bytes += piece.length;
        if (bytes <= MOST_BYTES) pieces.push(piece);
        else reject(new SpdyError(`more than ${MOST_BYTES} bytes of headers`));
      };
      this.#fail = (error) => reject(new SpdyError(`headers that are not compressed as SPDY/3 has it: ${error.message}`));
      inflate.on('data', take);
      inflate.write(compressed, () => {
        inflate.off('data', take);
        resolve(Buffer.concat(pieces));
      });
    });
  }
}

/** A number of pairs, then names and values with their lengths. */
function parsed(block: Buffer): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  let at = 0;
  const number = (): number => {
    if (at + 4 > block.length) throw new SpdyError('headers that end too early');
    at += 4;
    return block.readUInt32BE(at - 4);
  };
  const text = (): string => {
    const length = number();
    if (at + length > block.length) throw new SpdyError('headers that end too early');
    at += length;
    return block.toString('utf8', at - length, at);
  };
  for (let left = number(); left > 0; left -= 1) {
    const name = text().toLowerCase();
    headers.set(name, text());
  }
  return headers;
}
