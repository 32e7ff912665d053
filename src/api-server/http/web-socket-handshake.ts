import type { IncomingMessage } from 'node:http';
import { headerOf } from './incoming.js';
import type { ServedRequest } from './served-request.js';
import { handOver, type Upgrade } from './upgrade.js';
import { offeredProtocols } from './web-socket-request.js';
import { WebSocketSink } from './web-socket-sink.js';

const VERSION = '13';
/** Clients send nothing but control frames. */
const MAX_MESSAGE_BYTES = 64 * 1024;

/**
 * Answers the handshake of a WebSocket.
 *
 * Source of the refusals: `golang.org/x/net/websocket`, with which kube-apiserver serves watches. It takes a single protocol, whatever it is, and wants an Origin.
 * @returns undefined if the handshake was refused
 */
export async function acceptWebSocket({ message, reply }: ServedRequest, { socket, head }: Upgrade): Promise<WebSocketSink | undefined> {
  const protocols = offeredProtocols(message);
  const refusal = refusalOf(message, protocols);
  // Most servers never see a WebSocket.
  const { WebSocketServer } = await import('ws');
  if (!reply.canSend) return undefined;
  handOver(reply.response, socket);
  if (refusal !== undefined) {
    reply.answeredElsewhere(refusal.code);
    socket.end(refusal.text);
    return undefined;
  }
  reply.answeredElsewhere(101);
  // Without the token that may be among them.
  if (protocols.length > 0) message.headers['sec-websocket-protocol'] = protocols.join(',');
  else delete message.headers['sec-websocket-protocol'];
  const server = new WebSocketServer({ noServer: true, clientTracking: false, perMessageDeflate: false, maxPayload: MAX_MESSAGE_BYTES });
  return new Promise((resolve) => {
    // A broken connection needs no answer: the sink sees its end.
    socket.once('close', () => resolve(undefined));
    server.handleUpgrade(message, socket, head, (webSocket) => resolve(new WebSocketSink(webSocket)));
  });
}

interface Refusal {
  readonly code: number;
  /** The whole answer. */
  readonly text: string;
}

function refusalOf(message: IncomingMessage, protocols: readonly string[]): Refusal | undefined {
  const badRequest = (rest: string): Refusal => ({ code: 400, text: `HTTP/1.1 400 Bad Request\r\n${rest}` });
  if (!/^[+/\dA-Za-z]{22}==$/.test(headerOf(message, 'sec-websocket-key'))) return badRequest('\r\nmismatch challenge/response');
  if (headerOf(message, 'sec-websocket-version') !== VERSION)
    return badRequest(`Sec-WebSocket-Version: ${VERSION}\r\n\r\nmissing or bad WebSocket Version`);
  if (!/^(?:\/|[a-z][a-z\d+.-]*:)/i.test(headerOf(message, 'origin'))) return { code: 403, text: 'HTTP/1.1 403 Forbidden\r\n\r\n' };
  return protocols.length > 1 ? badRequest('\r\n') : undefined;
}
