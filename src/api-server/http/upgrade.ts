import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isWebSocketRequest } from './web-socket-request.js';

/** The connection of a request that asks for another protocol: Node's HTTP parser has let go of it. */
export interface Upgrade {
  readonly socket: Duplex;
  /** Bytes that came behind the head of the request. */
  readonly head: Buffer;
}

/** An HTTP answer on such a connection, for a request that stays with HTTP after all. It is the last one there. */
export function responseOn(message: IncomingMessage, socket: Duplex): ServerResponse {
  const response = new ServerResponse(message);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Socket);
  // Without a listener, an error of the connection would end the process; `close` follows it.
  socket.on('error', () => undefined);
  // Otherwise the end of the connection is not seen; what a WebSocket client sends is read later.
  if (!isWebSocketRequest(message)) socket.resume();
  response.once('finish', () => {
    response.detachSocket(socket as Socket);
    (socket as Socket).destroySoon();
    queueMicrotask(() => response.emit('close'));
  });
  return response;
}

/** The connection belongs to another protocol from here on; the answer counts as closed when the connection is. */
export function handOver(response: ServerResponse, socket: Duplex): void {
  response.detachSocket(socket as Socket);
  socket.once('close', () => response.emit('close'));
}
