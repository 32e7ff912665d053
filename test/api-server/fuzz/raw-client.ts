import { connect, type Socket } from 'node:net';
import { DEADLINE_MS } from '../../deadline.cjs';

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One kept-alive connection that says exactly what it is told to. Of a stream without end it takes the head and leaves. */
export class RawClient {
  readonly #port: number;
  readonly #token: string;
  #socket: Socket | undefined;
  #received: Buffer = Buffer.alloc(0);
  #settle: { readonly resolve: (answer: RawAnswer | 'closed') => void; readonly isStream: boolean } | undefined;

  constructor(port: number, token: string) {
    this.#port = port;
    this.#token = token;
  }

  /** @returns `closed`: the server cut the connection instead of an answer. @throws Error when neither comes */
  async send({ method, path, headers, body }: RawRequest, isStream: boolean): Promise<RawAnswer | 'closed'> {
    const socket = await this.#connected();
    const length = body.length > 0 || method !== 'GET' ? { 'Content-Length': `${body.length}` } : {};
    const all = { Host: 'x', Authorization: `Bearer ${this.#token}`, ...headers, ...length };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    const answered = new Promise<RawAnswer | 'closed'>((resolve) => {
      this.#settle = { resolve, isStream };
    });
    socket.write(Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), body]));
    return withDeadline(answered, () => `${method} ${path} is not answered`);
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #connected(): Promise<Socket> {
    if (this.#socket !== undefined) return Promise.resolve(this.#socket);
    this.#received = Buffer.alloc(0);
    return new Promise((resolve, reject) => {
      const socket = connect(this.#port, '127.0.0.1', () => resolve(socket));
      this.#socket = socket;
      socket.setNoDelay(true);
      socket.on('error', reject);
      socket.on('data', (chunk: Buffer) => this.#take(socket, chunk));
      socket.on('close', () => {
        if (this.#socket !== socket) return;
        this.#socket = undefined;
        this.#done('closed');
      });
    });
  }

  #done(answer: RawAnswer | 'closed'): void {
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.resolve(answer);
  }

  #take(socket: Socket, chunk: Buffer): void {
    if (this.#socket !== socket) return;
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const head = headOf(this.#received);
    if (head === undefined || this.#settle === undefined) return;
    const body = bodyOf(head, this.#received);
    const isStream = this.#settle.isStream && head.status === 200;
    if (body === undefined && !isStream) return;
    this.#received = Buffer.alloc(0);
    if (body === undefined || head.headers['connection'] === 'close') this.close();
    this.#done({ status: head.status, headers: head.headers, body: body ?? '' });
  }
}

interface AnswerHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly end: number;
}

function headOf(bytes: Buffer): AnswerHead | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [line = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((text) => [text.slice(0, text.indexOf(':')).toLowerCase(), text.slice(text.indexOf(':') + 1).trim()]),
  );
  return { status: Number(line.slice(9, 12)), headers, end: end + 4 };
}

/** Undefined: there is more to come. */
function bodyOf({ headers, end, status }: AnswerHead, bytes: Buffer): string | undefined {
  if (status === 204 || status === 304) return '';
  const length = headers['content-length'];
  if (length !== undefined) return bytes.length >= end + Number(length) ? bytes.toString('utf8', end, end + Number(length)) : undefined;
  if (headers['transfer-encoding'] === undefined) return '';
  if (bytes.toString('latin1', bytes.length - 5) !== '0\r\n\r\n') return undefined;
  return unchunked(bytes.subarray(end)).toString('utf8');
}

function unchunked(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    if (!(size > 0)) return Buffer.concat(parts);
    parts.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}

/**
 * Sends bytes in pieces, then ends its side or breaks off, and waits until the server has closed the connection.
 *
 * @returns what the server has said. @throws Error when it keeps the connection
 */
export function sendBytes(port: number, { pieces, breaksOff }: { pieces: readonly Buffer[]; breaksOff: boolean }): Promise<string> {
  const closed = new Promise<string>((resolve) => {
    const received: Buffer[] = [];
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    // Writing to a server that has already refused is an error of the socket, and no error here.
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => received.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(received).toString('latin1')));
    void (async () => {
      for (const piece of pieces) await new Promise<void>((written) => socket.write(piece, () => written()));
      if (breaksOff) socket.destroy();
      else socket.end();
    })();
  });
  return withDeadline(closed, () => 'the connection is not closed');
}

async function withDeadline<T>(promise: Promise<T>, message: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(message())), DEADLINE_MS);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
