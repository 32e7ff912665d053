import type { WebSocket } from 'ws';
import type { WatchSink } from './watch-sink.js';

/** RFC 6455, 7.4.1: the purpose is fulfilled. */
const NORMAL_CLOSURE = 1000;
/** Bytes that may wait for a client before the watch waits for it. */
const HIGH_WATER_MARK = 64 * 1024;

/** A watch over a WebSocket: a text message for each event, as kube-apiserver sends it. */
export class WebSocketSink implements WatchSink {
  readonly #socket: WebSocket;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    // Without a listener, an error of the connection would end the process; `close` follows it.
    socket.on('error', () => undefined);
  }

  get waiting(): number {
    return this.#socket.bufferedAmount;
  }

  onClose(listener: () => void): void {
    this.#socket.once('close', listener);
  }

  send(frames: readonly Buffer[]): Promise<void> | undefined {
    const socket = this.#socket;
    if (socket.readyState !== socket.OPEN) return undefined;
    const last = frames.length - 1;
    for (const frame of frames.slice(0, last)) socket.send(frame, AS_TEXT);
    const sent = new Promise<void>((resolve) => socket.send(frames[last] ?? '', AS_TEXT, () => resolve()));
    return socket.bufferedAmount <= HIGH_WATER_MARK ? undefined : sent;
  }

  end(): void {
    this.#socket.close(NORMAL_CLOSURE);
  }

  cut(): void {
    this.#socket.terminate();
  }

  /** Half a message would be a fault of the protocol: the connection ends without a closing frame. */
  cutWithin(): void {
    this.#socket.terminate();
  }
}

const AS_TEXT = { binary: false } as const;
