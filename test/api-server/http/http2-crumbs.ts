import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';

const DATA = 0x0;
const HEADERS = 0x1;
const RST_STREAM = 0x3;
const SETTINGS = 0x4;
const WINDOW_UPDATE = 0x8;
const END_STREAM = 0x1;
const END_HEADERS = 0x4;
const ACK = 0x1;
const INITIAL_WINDOW_SIZE = 0x4;
const HEAD_BYTES = 9;
/** The window of a connection, which no setting changes. */
const FIRST_WINDOW = 65_535;

/** A client of HTTP/2 that sends bodies in frames of one byte, which Node's own client would join. It keeps to the windows. Source: RFC 9113. */
export class Http2Crumbs {
  readonly #socket: TLSSocket;
  /** Bytes that each stream may still send; 0 is the connection. */
  readonly #windows = new Map([[0, FIRST_WINDOW]]);
  readonly #answered = new Set<number>();
  #initialWindow = 0;
  #received: Buffer = Buffer.alloc(0);
  #streams = 0;
  #sent = 0;
  #resets = 0;
  #waiting: (() => void)[] = [];

  private constructor(socket: TLSSocket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('drain', () => this.#wake()).on('close', () => this.#wake());
    socket.on('error', () => undefined);
  }

  static async connect(port: number, ca: string): Promise<Http2Crumbs> {
    const socket = connect({ port, host: '127.0.0.1', ca, ALPNProtocols: ['h2'] });
    const client = new Http2Crumbs(socket);
    await once(socket, 'secureConnect');
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    socket.write(frame(SETTINGS, 0, 0));
    await client.#until(() => client.#initialWindow > 0);
    return client;
  }

  /** Opens a stream whose body is still to come. Headers that begin with a colon come first. */
  begin(headers: Readonly<Record<string, string>>): number {
    const stream = 2 * this.#streams + 1;
    this.#streams += 1;
    this.#windows.set(stream, this.#initialWindow);
    this.#socket.write(frame(HEADERS, END_HEADERS, stream, Buffer.concat(Object.entries(headers).map(headerField))));
    return stream;
  }

  /** Sends a part of a body as far as the windows let it, and ends the stream with the last part. */
  async send(stream: number, part: string, isLast: boolean): Promise<void> {
    const bytes = Buffer.from(part);
    for (let at = 0; at < bytes.length; ) {
      await this.#until(() => this.#room(stream) > 0 && !this.#socket.writableNeedDrain);
      const sent = bytes.subarray(at, at + Math.min(this.#room(stream), 10_000));
      at += sent.length;
      this.#sent += sent.length;
      for (const id of [0, stream]) this.#windows.set(id, (this.#windows.get(id) as number) - sent.length);
      this.#socket.write(crumbs(stream, sent, isLast && at === bytes.length));
      this.#wake();
    }
  }

  /** Waits until the connection takes no more, after it has taken its first window. */
  heldBack(): Promise<void> {
    return this.#until(() => this.#sent > FIRST_WINDOW && this.#windows.get(0) === 0);
  }

  /** Waits until the answer to a stream begins. */
  answered(stream: number): Promise<void> {
    return this.#until(() => this.#answered.has(stream));
  }

  close(): void {
    this.#socket.destroy();
  }

  #room(stream: number): number {
    return Math.min(this.#windows.get(0) as number, this.#windows.get(stream) as number);
  }

  async #until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.#socket.destroyed || this.#resets > 0) throw new Error('the server broke off');
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #take(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    while (this.#received.length >= HEAD_BYTES) {
      const end = HEAD_BYTES + this.#received.readUIntBE(0, 3);
      if (this.#received.length < end) break;
      this.#takeFrame(this.#received.subarray(0, end));
      this.#received = this.#received.subarray(end);
    }
    this.#wake();
  }

  #takeFrame(received: Buffer): void {
    const [type, flags, stream] = [received[3], received[4] as number, received.readUInt32BE(5)];
    if (type === RST_STREAM) this.#resets += 1;
    if (type === HEADERS) this.#answered.add(stream);
    if (type === WINDOW_UPDATE) this.#windows.set(stream, (this.#windows.get(stream) as number) + received.readUInt32BE(HEAD_BYTES));
    if (type !== SETTINGS || (flags & ACK) !== 0) return;
    for (let at = HEAD_BYTES; at < received.length; at += 6)
      if (received.readUInt16BE(at) === INITIAL_WINDOW_SIZE) this.#initialWindow = received.readUInt32BE(at + 2);
    this.#socket.write(frame(SETTINGS, ACK, 0));
  }
}

function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

function crumbs(stream: number, bytes: Buffer, isLast: boolean): Buffer {
  const size = HEAD_BYTES + 1;
  const frames = Buffer.alloc(bytes.length * size, frame(DATA, 0, stream, Buffer.from('x')));
  bytes.forEach((byte, index) => {
    frames[index * size + HEAD_BYTES] = byte;
  });
  if (isLast) frames[frames.length - size + 4] = END_STREAM;
  return frames;
}

/** A header as a text, in no table. Source: RFC 7541 §6.2.2. */
function headerField([name, value]: readonly [string, string]): Buffer {
  const text = (given: string): Buffer => Buffer.concat([Buffer.of(given.length), Buffer.from(given)]);
  return Buffer.concat([Buffer.of(0), text(name), text(value)]);
}
