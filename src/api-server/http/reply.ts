import type { ServerResponse } from 'node:http';
import { createGzip } from 'node:zlib';
import { sharedGzip } from './shared-gzip.js';
import { Warnings } from './warnings.js';

/** Answers of more bytes are compressed for clients that take gzip. */
const GZIP_THRESHOLD = 128 * 1024;
/** Bytes, roughly, that are handed to the socket at a time. */
const CHUNK = 64 * 1024;
/** After so long the event loop gets a turn, even if the socket takes everything. */
const TURN_MS = 10;
const GZIP_HEADERS = ['Content-Encoding', 'gzip', 'Vary', 'Accept-Encoding'];

export interface Head {
  readonly code: number;
  /** Undefined: none is sent. */
  readonly contentType?: string;
  /** Without `Cache-Control`. Default: `no-cache, private`, if the headers say nothing else. */
  readonly hasNoCacheControl?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** Also where the client takes gzip and the body is large. */
  readonly isNeverCompressed?: boolean;
}

interface ReplyOptions {
  readonly auditId: string;
  readonly acceptsGzip: boolean;
  /** HEAD: no body is sent. */
  readonly isHead: boolean;
}

/** The answer to one request: sent once; what comes after that (a handler that was slower than its time limit) is left out. */
export class Reply {
  readonly warnings: Warnings = new Warnings();
  readonly response: ServerResponse;
  readonly auditId: string;
  /** Called when the code is known, before anything is sent. */
  onHead: () => void = () => undefined;
  readonly #acceptsGzip: boolean;
  readonly #isHead: boolean;
  #code = 0;

  constructor(response: ServerResponse, { auditId, acceptsGzip, isHead }: ReplyOptions) {
    this.response = response;
    this.auditId = auditId;
    this.#acceptsGzip = acceptsGzip;
    this.#isHead = isHead;
  }

  /** 0: nothing was sent. */
  get code(): number {
    return this.#code;
  }

  get isStarted(): boolean {
    return this.#code !== 0;
  }

  /** The connection is there and nothing was sent. */
  get canSend(): boolean {
    return !this.isStarted && !this.response.destroyed;
  }

  async send(head: Head, body: Chunk): Promise<void> {
    if (!this.canSend) return;
    const isCompressible = head.isNeverCompressed !== true && head.headers?.['Content-Encoding'] === undefined;
    if (isCompressible && this.#acceptsGzip && body.length > GZIP_THRESHOLD)
      await (typeof body === 'string' ? this.#sendCompressed(head, [], partsOf(body)) : this.#sendShared(head, body));
    else await this.#sendWhole(head, body);
  }

  /** Sends a body as it is made; as fast as the client takes it, and never more than some milliseconds in one turn of the event loop. */
  async sendPieces(head: Head, pieces: Iterable<string>): Promise<void> {
    if (!this.canSend) return;
    const chunks = chunksOf(pieces);
    const opening: string[] = [];
    let length = 0;
    while (length <= GZIP_THRESHOLD) {
      const next = chunks.next();
      if (next.done) {
        return this.#sendWhole(head, opening.join(''));
      }
      opening.push(next.value);
      length += next.value.length;
    }
    if (this.#acceptsGzip) await this.#sendCompressed(head, opening, chunks);
    else {
      this.#writeHead(head, []);
      await this.#pump(this.response, opening, chunks);
      this.response.end();
    }
  }

  async #sendWhole(head: Head, body: Chunk): Promise<void> {
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
    this.#writeHead(head, this.#isLengthTold(head, length) ? ['Content-Length', String(length)] : []);
    if (length > CHUNK) await this.#pump(this.response, [], partsOf(body));
    this.response.end(length > CHUNK ? undefined : body);
  }

  /** Bytes that others are sent too are compressed once for all of them. */
  async #sendShared(head: Head, body: Uint8Array): Promise<void> {
    const compressed = await sharedGzip(body);
    if (!this.canSend) return;
    this.#writeHead(head, GZIP_HEADERS);
    await this.#pump(this.response, [], partsOf(compressed));
    this.response.end();
  }

  /** As Go: not where the document is the one that the client has, nor the length 0 of what HEAD asks for. */
  #isLengthTold({ code }: Head, length: number): boolean {
    return code !== 304 && !(length === 0 && this.#isHead);
  }

  /** The head of a stream, at once. */
  start(head: Head): void {
    this.#writeHead(head, []);
    this.response.flushHeaders();
  }

  /** The answer is sent by others: the connection goes on in another protocol. */
  answeredElsewhere(code: number): void {
    this.#code = code;
    this.onHead();
  }

  async #sendCompressed(head: Head, opening: readonly Chunk[], chunks: Iterator<Chunk>): Promise<void> {
    this.#writeHead(head, GZIP_HEADERS);
    const gzip = createGzip({ level: 1 });
    gzip.pipe(this.response);
    this.response.once('close', () => gzip.destroy());
    await this.#pump(gzip, opening, chunks);
    gzip.end();
  }

  async #pump(target: Pumped, opening: readonly Chunk[], chunks: Iterator<Chunk>): Promise<void> {
    for (const chunk of opening) await written(target, chunk);
    let turnStart = performance.now();
    for (let next = chunks.next(); !next.done; next = chunks.next()) {
      if (this.response.destroyed) return;
      await written(target, next.value);
      // A socket that drains at once does so without a turn of the event loop.
      if (performance.now() - turnStart < TURN_MS) continue;
      await new Promise((resolve) => setImmediate(resolve));
      turnStart = performance.now();
    }
  }

  #writeHead({ code, contentType, headers = {}, hasNoCacheControl = false }: Head, more: readonly string[]): void {
    this.#code = code;
    this.onHead();
    const fields = ['Audit-Id', this.auditId];
    if (headers['Cache-Control'] === undefined && !hasNoCacheControl) fields.push('Cache-Control', 'no-cache, private');
    if (contentType !== undefined) fields.push('Content-Type', contentType);
    for (const name of Object.keys(headers)) fields.push(name, headers[name] as string);
    for (const warning of this.warnings.headers) fields.push('Warning', warning);
    fields.push(...more);
    this.response.writeHead(code, fields);
    // Node joins the head to what is written first, in its encoding; as UTF-8, bytes above ASCII would be encoded twice.
    if (this.warnings.headers.length > 0) this.response.write('', 'latin1');
  }
}

type Chunk = string | Uint8Array;

interface Pumped {
  readonly destroyed: boolean;
  write(chunk: Chunk): boolean;
  once(event: 'drain' | 'close', listener: () => void): unknown;
  off(event: 'drain' | 'close', listener: () => void): unknown;
}

/** Waits for the other side, if it has more than it wants. */
async function written(target: Pumped, chunk: Chunk): Promise<void> {
  if (target.destroyed || target.write(chunk)) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      target.off('drain', done);
      target.off('close', done);
      resolve();
    };
    target.once('drain', done);
    target.once('close', done);
  });
}

/** For a reader that is slow no more than a part is copied: Node copies texts, and TLS copies all. */
function* partsOf(body: Chunk): Generator<Chunk> {
  for (let start = 0; start < body.length; ) {
    let end = start + CHUNK;
    // A pair of surrogates is one character.
    if (typeof body === 'string' && /[\uD800-\uDBFF]/.test(body.charAt(end - 1))) end += 1;
    yield typeof body === 'string' ? body.slice(start, end) : body.subarray(start, end);
    start = end;
  }
}

function* chunksOf(pieces: Iterable<string>): Generator<string> {
  let chunk = '';
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
