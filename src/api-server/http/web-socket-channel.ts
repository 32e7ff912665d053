import type { WebSocket } from 'ws';
import type { Channel } from '../contract/index.js';
import type { ServedRequest } from './served-request.js';
import { handOver, type Upgrade } from './upgrade.js';

/** RFC 6455, 7.4.1: the purpose is fulfilled. */
const NORMAL_CLOSURE = 1000;
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
/** Bytes that may wait for a client before the sender waits for it. */
const HIGH_WATER_MARK = 256 * 1024;

/** Answers the handshake with a protocol of those that the client offers. @returns undefined if the client has gone */
export async function acceptChannel(
  { message, reply }: ServedRequest,
  { socket, head }: Upgrade,
  protocol: string,
): Promise<Channel | undefined> {
  // Most servers never see a WebSocket.
  const { WebSocketServer } = await import('ws');
  if (!reply.canSend) return undefined;
  handOver(reply.response, socket);
  reply.answeredElsewhere(101);
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
  });
  // Named here: `ws` refuses names with a slash, as that of port-forward has one.
  delete message.headers['sec-websocket-protocol'];
  server.on('headers', (headers) => headers.push(`Sec-WebSocket-Protocol: ${protocol}`));
  return new Promise((resolve) => {
    socket.once('close', () => resolve(undefined));
    server.handleUpgrade(message, socket, head, (webSocket) => resolve(channelOver(webSocket, protocol)));
  });
}

function channelOver(socket: WebSocket, protocol: string): Channel {
  const early: Buffer[] = [];
  let listener: ((message: Buffer) => void) | undefined;
  // Without a listener, an error of the connection would end the process; `close` follows it.
  socket.on('error', () => undefined);
  socket.on('message', (data: Buffer) => {
    if (listener === undefined) early.push(data);
    else listener(data);
  });
  return {
    protocol,
    onMessage(next) {
      listener = next;
      for (const message of early.splice(0)) next(message);
    },
    onClose: (called) => {
      socket.once('close', called);
    },
    async send(message) {
      if (socket.readyState !== socket.OPEN) return;
      const sent = new Promise<void>((resolve) => {
        socket.send(message, { binary: true }, () => resolve());
      });
      if (socket.bufferedAmount > HIGH_WATER_MARK) await sent;
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close: () => socket.close(NORMAL_CLOSURE),
  };
}
