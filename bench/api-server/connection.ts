import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';

/** How a server is reached. */
export interface Endpoint {
  readonly url: string;
  /** PEM; of a server with TLS. */
  readonly ca?: string | undefined;
  readonly token: string;
}

export interface Exchanged {
  readonly status: number;
  readonly body: Buffer;
}

export interface Content {
  readonly body?: string;
  readonly contentType?: string;
}

/** A connection that takes requests, in either version of HTTP. */
export interface Wire {
  request(method: string, path: string, content?: Content): Promise<Exchanged>;
  close(): void;
}

const CRLF = Buffer.from('\r\n');
const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * One kept-alive HTTP/1.1 connection, one request at a time.
 *
 * Node's own client costs as much as the server that is measured; this one writes a text and looks for the end of the answer.
 */
export class Connection implements Wire {
  readonly #socket: Socket;
  readonly #head: string;
  #received: Buffer[] = [];
  #size = 0;
  /** Bytes that the answer needs, once its head is known; -1: chunked; undefined: no head yet. */
  #expected: { readonly status: number; readonly bodyAt: number; readonly length: number } | undefined;
  #settle: { readonly resolve: (answer: Exchanged) => void; readonly reject: (error: Error) => void } | undefined;

  private constructor(socket: Socket, head: string) {
    this.#socket = socket;
    this.#head = head;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', (error) => this.#settle?.reject(error));
    socket.on('close', () => this.#settle?.reject(new Error('the server closed the connection')));
  }

  static open({ url, ca, token }: Endpoint): Promise<Connection> {
    const { protocol, hostname, port } = new URL(url);
    const to = { host: hostname, port: Number(port) };
    return new Promise((resolve, reject) => {
      const opened = (): void => resolve(new Connection(socket, `Host: ${hostname}\r\nAuthorization: Bearer ${token}\r\n`));
      const socket = protocol === 'https:' ? connectSecure({ ...to, ca, ALPNProtocols: ['http/1.1'] }, opened) : connectPlain(to, opened);
      socket.once('error', reject);
    });
  }

  request(method: string, path: string, { body = '', contentType = 'application/json' }: Content = {}): Promise<Exchanged> {
    const headers = body === '' ? '' : `Content-Type: ${contentType}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#socket.write(`${method} ${path} HTTP/1.1\r\n${this.#head}${headers}\r\n${body}`);
    });
  }

  close(): void {
    this.#settle = undefined;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received.push(chunk);
    this.#size += chunk.length;
    this.#expected ??= headOf(this.#joined());
    if (this.#expected === undefined) return;
    const { status, bodyAt, length } = this.#expected;
    if (length >= 0 ? this.#size < bodyAt + length : !endsChunked(this.#received)) return;
    const body = this.#joined().subarray(bodyAt);
    this.#received = [];
    this.#size = 0;
    this.#expected = undefined;
    this.#settle?.resolve({ status, body: length >= 0 ? body : unchunked(body) });
  }

  #joined(): Buffer {
    if (this.#received.length > 1) this.#received = [Buffer.concat(this.#received)];
    return this.#received[0] ?? Buffer.alloc(0);
  }
}

function headOf(bytes: Buffer): { status: number; bodyAt: number; length: number } | undefined {
  const end = bytes.indexOf(HEAD_END);
  if (end === -1) return undefined;
  const head = bytes.toString('latin1', 0, end).toLowerCase();
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1];
  return { status: Number(head.slice(9, 12)), bodyAt: end + HEAD_END.length, length: length === undefined ? -1 : Number(length) };
}

/** A chunked answer ends with an empty chunk: no JSON ends like this. */
function endsChunked(received: readonly Buffer[]): boolean {
  const tail = Buffer.concat(received.slice(-2)).subarray(-5);
  return tail.toString('latin1') === '0\r\n\r\n';
}

function unchunked(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = bytes.indexOf(CRLF, at);
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    if (!(size > 0)) return Buffer.concat(parts);
    parts.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}
