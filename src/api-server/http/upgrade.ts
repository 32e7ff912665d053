import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isWebSocketRequest } from './web-socket-request.js';

/** The connection of a request that asks for another protocol: Node's HTTP parser has let go of it. */
export interface Upgrade {
  readonly socket: Duplex;
  /** Bytes that came behind the head of the request. */
  readonly head: Buffer;
}

/** Gives such a connection the HTTP answer of a request that stays with HTTP after all. It is the last one there. */
export function assignTo(socket: Duplex, response: ServerResponse, message: IncomingMessage): void {
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Socket);
  // Otherwise the end of the connection is not seen; what a WebSocket client sends is read later.
  if (!isWebSocketRequest(message)) socket.resume();
  response.once('finish', () => {
    response.detachSocket(socket as Socket);
    (socket as Socket).destroySoon();
    queueMicrotask(() => response.emit('close'));
  });
}

/** The connection belongs to another protocol from here on; the answer counts as closed when the connection is. */
export function handOver(response: ServerResponse, socket: Duplex): void {
  response.detachSocket(socket as Socket);
  socket.once('close', () => response.emit('close'));
}
