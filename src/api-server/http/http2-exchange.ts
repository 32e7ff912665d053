import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders as Http1Headers, IncomingMessage, ServerResponse } from 'node:http';
import { constants, type IncomingHttpHeaders, type OutgoingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { JoinedBytes } from '@keelson/kubernetes/apimachinery';

/** The head of a request, as Node's server gives it: the stream, its headers, flags, and the headers as they came. */
export type Http2Head = [stream: ServerHttp2Stream, headers: IncomingHttpHeaders, flags: number, rawHeaders: readonly string[]];

/**
 * One stream of an HTTP/2 connection, in the form that the rest of this folder serves: an `IncomingMessage` and a `ServerResponse`, as much of them as is
 * looked at.
 *
 * To break the connection means to reset the stream: the others of the connection go on.
 */
export class Http2Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, rawHeaders: readonly string[]) {
    joinUnread(stream);
    this.request = new Http2Request(stream, headers, rawHeaders) as unknown as IncomingMessage;
    this.response = new Http2Response(stream) as unknown as ServerResponse;
  }
}

/**
 * Joins the part of a body that arrives before the request reads it, so that it takes memory by its bytes.
 *
 * Node makes a buffer of each frame, some 140 bytes, and a client may fill the window of a stream with frames of one byte: 256 Ki buffers for each of 100 streams.
 */
function joinUnread(stream: ServerHttp2Stream): void {
  const unread = new JoinedBytes();
  const push = stream.push.bind(stream);
  const handOn = (): void => {
    for (const piece of unread.take()) push(piece);
  };
  stream.push = (chunk: Buffer | null): boolean => {
    if (chunk === null || stream.readableFlowing === true) {
      handOn();
      return push(chunk);
    }
    unread.add(chunk);
    return unread.length < stream.readableHighWaterMark;
  };
  stream.on('resume', handOn);
}

type Listener = (...values: never[]) => void;

class Http2Request {
  readonly method: string;
  readonly url: string;
  readonly httpVersion = '2.0';
  readonly headers: Http1Headers;
  readonly rawHeaders: readonly string[];
  readonly socket: object;
  readonly #stream: ServerHttp2Stream;

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, rawHeaders: readonly string[]) {
    this.#stream = stream;
    this.method = headers[':method'] ?? 'GET';
    this.url = headers[':path'] ?? '/';
    this.headers = http1Headers(stream, headers);
    this.rawHeaders = withoutPseudo(rawHeaders);
    const connection = stream.session?.socket as TLSSocket | undefined;
    this.socket = {
      // A connection that broke meanwhile shows no certificate.
      ...(connection?.encrypted === true && {
        encrypted: true,
        authorized: connection.authorized,
        authorizationError: connection.authorizationError,
        getPeerX509Certificate: () => connection.getPeerX509Certificate(),
      }),
      destroy: () => stream.close(constants.NGHTTP2_INTERNAL_ERROR),
    };
  }

  on(event: string, listener: Listener): this {
    this.#stream.on(event, listener as never);
    return this;
  }

  once(event: string, listener: Listener): this {
    this.#stream.once(event, listener as never);
    return this;
  }

  off(event: string, listener: Listener): this {
    this.#stream.off(event, listener as never);
    return this;
  }

  resume(): this {
    this.#stream.resume();
    return this;
  }
}

/** In HTTP/2 the end of the head says whether a body follows; readers of HTTP/1.1 look for a header that does. */
function http1Headers(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Http1Headers {
  const own = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':')));
  const isChunked = !stream.endAfterHeaders && own['content-length'] === undefined;
  return { host: headers[':authority'], ...own, ...(isChunked && { 'transfer-encoding': 'chunked' }) } as Http1Headers;
}

function withoutPseudo(rawHeaders: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at], rawHeaders[at + 1]];
    if (!name.startsWith(':')) kept.push(name, value);
  }
  return kept;
}

/** Headers about the connection, which a stream does not have. Source: RFC 9113 §8.2.2. */
const OF_CONNECTIONS: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']);

class Http2Response extends EventEmitter {
  /** The last byte is with the connection. */
  writableFinished = false;
  readonly #stream: ServerHttp2Stream;
  #head: OutgoingHttpHeaders | undefined;

  constructor(stream: ServerHttp2Stream) {
    super();
    this.#stream = stream;
    stream.once('finish', () => {
      this.writableFinished = true;
      // The rest of the body is read and thrown away, so that the stream can end.
      stream.resume();
    });
    for (const event of ['close', 'drain', 'error'] as const) stream.on(event, (...values: unknown[]) => this.emit(event, ...values));
  }

  get destroyed(): boolean {
    return this.#stream.destroyed || this.#stream.closed;
  }

  /** Bytes that the client has not taken yet. */
  get writableLength(): number {
    return this.#stream.writableLength;
  }

  writeHead(statusCode: number, rawHeaders: readonly string[]): void {
    const head: Record<string, number | string | string[]> = { ':status': statusCode };
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
      const [name, value] = [(rawHeaders[at] as string).toLowerCase(), rawHeaders[at + 1] as string];
      if (OF_CONNECTIONS.has(name)) continue;
      const known = head[name];
      head[name] = known === undefined ? value : [...(Array.isArray(known) ? known : [String(known)]), value];
    }
    this.#head = head;
  }

  flushHeaders(): void {
    const head = this.#head;
    if (head === undefined || this.destroyed) return;
    this.#head = undefined;
    this.#stream.respond(head);
  }

  /** @returns false if the client takes no more at the moment: `drain` follows */
  write(chunk: string | Uint8Array, ...[encoding, done]: readonly (string | (() => void) | undefined)[]): boolean {
    this.flushHeaders();
    const callback = (typeof encoding === 'function' ? encoding : done) as (() => void) | undefined;
    // A HEAD, a 204 and a 304 have no body: the stream ends with its head.
    if (chunk.length === 0 || !this.#stream.writable) {
      if (callback !== undefined) setImmediate(callback);
      return true;
    }
    return this.#stream.write(chunk, callback);
  }

  end(chunk?: string | Uint8Array): void {
    if (chunk !== undefined) this.write(chunk);
    else this.flushHeaders();
    if (this.#stream.writable) this.#stream.end();
  }

  destroy(): void {
    if (!this.destroyed) this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }
}
