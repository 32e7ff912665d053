import type { Duplex } from 'node:stream';
import type { Channel } from '../../contract/index.js';

/** Bytes both ways, over any carrier. */
export interface ByteTransport {
  onData(listener: (chunk: Buffer) => void): void;
  onClose(listener: () => void): void;
  /** Settles when the other end takes more. */
  send(bytes: Uint8Array): Promise<void>;
  /** Stops and goes on with what comes in. */
  pause(): void;
  resume(): void;
  close(): void;
}

/** A connection that belongs to the protocol alone. */
export function transportOver(socket: Duplex, head: Buffer): ByteTransport {
  // Without a listener, an error of the connection would end the process; `close` follows it.
  socket.on('error', () => undefined);
  return {
    onData(listener) {
      if (head.length > 0) listener(head);
      socket.on('data', listener);
    },
    onClose: (listener) => {
      socket.once('close', listener);
      socket.once('end', () => socket.end());
    },
    send: (bytes) =>
      new Promise((resolve) => {
        if (socket.destroyed || socket.writableEnded || socket.write(bytes)) resolve();
        else {
          const done = (): void => {
            socket.off('drain', done).off('close', done);
            resolve();
          };
          socket.on('drain', done).on('close', done);
        }
      }),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close: () => socket.end(),
  };
}

/** Messages of a WebSocket, whose bounds mean nothing. */
export function transportInside(channel: Channel): ByteTransport {
  return {
    onData: (listener) => channel.onMessage(listener),
    onClose: (listener) => channel.onClose(listener),
    send: (bytes) => channel.send(bytes),
    pause: () => channel.pause(),
    resume: () => channel.resume(),
    close: () => channel.close(),
  };
}
