import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

/** A request that comes without a socket. */
export interface CarriedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Buffer | undefined;
}

export interface CarriedHead {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: string[];
}

/** The client's side. It hears in the order in which was sent, each in a turn of the event loop of its own. */
export interface CarriedReceiver {
  head(head: CarriedHead): void;
  data(chunk: Buffer): void;
  /** The answer is complete. */
  end(): void;
  /** The connection has broken; nothing comes after it. */
  cut(): void;
}

/**
 * The server's end of a connection without a socket: it carries one request and its answer without HTTP as text, and without waiting for the
 * kernel.
 *
 * Guarantees: what one side sends, the other gets in a later turn of the event loop, in order; a side that breaks off is noticed by the other, after what was
 * sent before. There is no back-pressure: a sender is not held back when the other end takes less.
 */
export class CarriedConnection {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly #request: CarriedIncoming;
  readonly #response: CarriedResponse;
  readonly #receiver: CarriedReceiver;
  #deliveries: (() => void)[] = [];
  #isOver = false;

  constructor(request: CarriedRequest, receiver: CarriedReceiver) {
    this.#receiver = receiver;
    this.#request = new CarriedIncoming(request, () => this.cut());
    this.#response = new CarriedResponse((deliver) => this.#send(() => deliver(receiver)), {
      finished: () => this.#send(() => this.#end()),
      destroyed: () => this.cut(),
    });
    // As much of them as a server of this folder looks at.
    this.request = this.#request as unknown as IncomingMessage;
    this.response = this.#response as unknown as ServerResponse;
  }

  /** The client has gone. */
  abandon(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#deliveries = [];
    setImmediate(() => this.#close());
  }

  #end(): void {
    this.#isOver = true;
    this.#receiver.end();
    this.#response.writableFinished = true;
    this.#close();
  }

  /** The server breaks off. */
  cut(): void {
    this.#response.destroyed = true;
    this.#send(() => {
      this.#isOver = true;
      this.#receiver.cut();
      this.#close();
    });
  }

  #close(): void {
    this.#request.destroy();
    this.#response.close();
  }

  #send(deliver: () => void): void {
    this.#deliveries.push(deliver);
    if (this.#deliveries.length > 1) return;
    const next = (): void => {
      if (this.#isOver) return;
      const [first] = this.#deliveries;
      first?.();
      this.#deliveries.shift();
      if (this.#deliveries.length > 0) setImmediate(next);
    };
    setImmediate(next);
  }
}

class CarriedIncoming extends Readable {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: string[];
  readonly socket: { destroy(): void };

  constructor({ method, path, headers, body }: CarriedRequest, cut: () => void) {
    super();
    this.method = method;
    this.url = path;
    this.rawHeaders = Object.entries(headers).flatMap(([name, value]) => [value].flat().flatMap((each) => [name, each]));
    this.headers = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]));
    this.socket = { destroy: cut };
    if (body !== undefined && body.length > 0) this.push(body);
    this.push(null);
  }

  override _read(): void {
    // All is here.
  }
}

interface Ends {
  readonly finished: () => void;
  readonly destroyed: () => void;
}

class CarriedResponse extends EventEmitter {
  destroyed = false;
  writableFinished = false;
  /** Bytes that are under way. */
  writableLength = 0;
  readonly #send: (deliver: (receiver: CarriedReceiver) => void) => void;
  readonly #ends: Ends;
  #head: CarriedHead | undefined;
  #isClosed = false;

  constructor(send: (deliver: (receiver: CarriedReceiver) => void) => void, ends: Ends) {
    super();
    this.#send = send;
    this.#ends = ends;
  }

  writeHead(statusCode: number, rawHeaders: string[]): void {
    const headers: Record<string, string> = {};
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
      const [name, value] = [(rawHeaders[at] as string).toLowerCase(), rawHeaders[at + 1] as string];
      headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
    }
    this.#head = { statusCode, headers, rawHeaders };
  }

  flushHeaders(): void {
    const head = this.#head;
    if (head === undefined || this.destroyed) return;
    this.#head = undefined;
    this.#send((receiver) => receiver.head(head));
  }

  /** @returns whether more is welcome: always */
  write(chunk: string | Uint8Array, ...[encoding, done]: readonly (string | (() => void) | undefined)[]): boolean {
    this.flushHeaders();
    if (this.destroyed) return true;
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const callback = typeof encoding === 'function' ? encoding : done;
    this.writableLength += bytes.length;
    this.#send((receiver) => {
      this.writableLength -= bytes.length;
      if (bytes.length > 0) receiver.data(bytes);
      if (typeof callback === 'function') callback();
    });
    return true;
  }

  end(chunk?: string | Uint8Array): void {
    if (this.destroyed) return;
    if (chunk === undefined) this.flushHeaders();
    else this.write(chunk);
    this.#ends.finished();
  }

  destroy(): void {
    if (!this.destroyed) this.#ends.destroyed();
  }

  /** For those who listen. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.destroyed = true;
    this.writableLength = 0;
    this.emit('close');
  }
}
