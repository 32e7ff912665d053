import type { StreamConnection, StreamOfConnection } from '../../contract/index.js';
import type { ByteTransport } from './byte-transport.js';
import {
  CANCEL,
  dataFrame,
  type Frame,
  FrameReader,
  HEADERS,
  PING,
  PROTOCOL_ERROR,
  pingFrame,
  REFUSED_STREAM,
  RST_STREAM,
  replyFrame,
  resetFrame,
  SpdyError,
  SYN_STREAM,
} from './frames.js';
import { HeaderReader } from './header-reader.js';

/** Streams that one connection may have at a time. */
const MOST_STREAMS = 1000;
/** In front of the headers: of a new stream its number, another one's, a priority and a slot; of later headers a number. */
const BEFORE_HEADERS = { [SYN_STREAM]: 10, [HEADERS]: 4 } as const;

export interface SpdyConnectionParts {
  readonly transport: ByteTransport;
  /** The protocol above the streams. */
  readonly protocol: string;
  /** Called with what is not the client's fault. */
  readonly report: (error: unknown) => void;
}

/**
 * The server's end of a connection in SPDY/3.1, as far as Kubernetes uses it: the client opens streams, both send data and end them.
 *
 * Guarantees: frames are handled in their order; the connection is read no further while a listener of a stream is busy. Assumption: the client keeps no windows, as
 * moby/spdystream does not.
 */
export class SpdyConnection implements StreamConnection {
  readonly protocol: string;
  readonly #transport: ByteTransport;
  readonly #reader = new FrameReader();
  readonly #headers = new HeaderReader();
  readonly #streams = new Map<number, SpdyStream>();
  #onStream: (stream: StreamOfConnection) => void = () => undefined;
  #work: Promise<void> = Promise.resolve();
  #hasReplied = false;
  #isOver = false;

  constructor({ transport, protocol, report }: SpdyConnectionParts) {
    this.protocol = protocol;
    this.#transport = transport;
    transport.onData((chunk) => {
      transport.pause();
      this.#work = this.#work
        .then(() => this.#take(chunk))
        .catch((error: unknown) => {
          // A client that breaks the protocol is not reported: the server cannot mend that.
          if (!(error instanceof SpdyError)) report(error);
          this.close();
        })
        .finally(() => transport.resume());
    });
    transport.onClose(() => this.#end());
  }

  onStream(listener: (stream: StreamOfConnection) => void): void {
    this.#onStream = listener;
  }

  onClose(listener: () => void): void {
    this.#transport.onClose(listener);
  }

  close(): void {
    this.#transport.close();
  }

  async #take(chunk: Buffer): Promise<void> {
    for (const frame of this.#reader.take(chunk)) {
      if (this.#isOver) return;
      await this.#handle(frame);
    }
  }

  async #handle(frame: Frame): Promise<void> {
    if (frame.type === 'data') {
      const stream = this.#streams.get(frame.stream);
      if (stream === undefined) return;
      await stream.take(frame.bytes);
      if (frame.isLast) stream.endInput();
      return;
    }
    const { kind, bytes, isLast } = frame;
    switch (kind) {
      case SYN_STREAM:
        return this.#open(bytes, isLast);
      case HEADERS:
        // Read for the sake of the compression alone.
        await this.#headers.read(bytes.subarray(BEFORE_HEADERS[HEADERS]));
        return;
      case RST_STREAM:
        if (bytes.length < 8) throw new SpdyError('a reset without a stream');
        this.#streams.get(bytes.readUInt32BE(0))?.abandon();
        return;
      case PING:
        return this.#transport.send(pingFrame(bytes));
      default:
      // Settings, windows, and that the client will open no more: nothing depends on them.
    }
  }

  async #open(bytes: Buffer, isLast: boolean): Promise<void> {
    if (bytes.length < BEFORE_HEADERS[SYN_STREAM]) throw new SpdyError('a stream without a head');
    const id = bytes.readUInt32BE(0);
    const headers = await this.#headers.read(bytes.subarray(BEFORE_HEADERS[SYN_STREAM]));
    // A client's streams have odd numbers.
    if (id % 2 === 0 || this.#streams.has(id)) return this.#transport.send(resetFrame(id, PROTOCOL_ERROR));
    if (this.#streams.size >= MOST_STREAMS) return this.#transport.send(resetFrame(id, REFUSED_STREAM));
    const stream = new SpdyStream({ id, headers, transport: this.#transport, onOver: () => this.#streams.delete(id) });
    this.#streams.set(id, stream);
    const isFirst = !this.#hasReplied;
    this.#hasReplied = true;
    await this.#transport.send(replyFrame(id, { isFirst }));
    this.#onStream(stream);
    if (isLast) stream.endInput();
  }

  #end(): void {
    this.#isOver = true;
    this.#headers.close();
    for (const stream of [...this.#streams.values()]) stream.abandon();
  }
}

interface SpdyStreamParts {
  readonly id: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly transport: ByteTransport;
  readonly onOver: () => void;
}

class SpdyStream implements StreamOfConnection {
  readonly id: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly #parts: SpdyStreamParts;
  readonly #early: Buffer[] = [];
  #onData: ((bytes: Buffer) => void | Promise<void>) | undefined;
  #onEnd: () => void = () => undefined;
  #hasInput = true;
  #hasOutput = true;

  constructor(parts: SpdyStreamParts) {
    this.id = parts.id;
    this.headers = parts.headers;
    this.#parts = parts;
  }

  onData(listener: (bytes: Buffer) => void | Promise<void>): void {
    this.#onData = listener;
    for (const bytes of this.#early.splice(0)) void listener(bytes);
  }

  onEnd(listener: () => void): void {
    this.#onEnd = listener;
    if (!this.#hasInput) listener();
  }

  async send(bytes: Uint8Array): Promise<void> {
    if (this.#hasOutput && bytes.length > 0) await this.#parts.transport.send(dataFrame(this.id, bytes));
  }

  async end(): Promise<void> {
    if (!this.#hasOutput) return;
    this.#hasOutput = false;
    await this.#parts.transport.send(dataFrame(this.id, Buffer.alloc(0), { isLast: true }));
    this.#forgetIfOver();
  }

  async reset(): Promise<void> {
    if (!this.#hasOutput && !this.#hasInput) return;
    this.#hasOutput = false;
    await this.#parts.transport.send(resetFrame(this.id, CANCEL));
    this.abandon();
  }

  async take(bytes: Buffer): Promise<void> {
    if (!this.#hasInput || bytes.length === 0) return;
    if (this.#onData === undefined) this.#early.push(bytes);
    else await this.#onData(bytes);
  }

  endInput(): void {
    if (!this.#hasInput) return;
    this.#hasInput = false;
    this.#onEnd();
    this.#forgetIfOver();
  }

  /** The client has broken it off. */
  abandon(): void {
    this.#hasOutput = false;
    this.endInput();
    this.#parts.onOver();
  }

  #forgetIfOver(): void {
    if (!this.#hasInput && !this.#hasOutput) this.#parts.onOver();
  }
}
