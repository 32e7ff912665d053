import type { SubresourceConnection } from '../contract/index.js';
import { badRequest, notImplemented } from '../status/index.js';
import type { Stream } from './serve-request.js';
import type { ServedRequest } from './served-request.js';
import { SpdyConnection, transportInside, transportOver } from './spdy/index.js';
import { handOver, type Upgrade } from './upgrade.js';
import { acceptChannel } from './web-socket-channel.js';
import { isWebSocketRequest, offeredProtocols } from './web-socket-request.js';

/** An answer that comes piece by piece, as fast as the client takes it. */
export function textStream({ reply, report }: ServedRequest, source: AsyncIterable<Uint8Array>): Stream {
  const pieces = source[Symbol.asyncIterator]();
  const abandon = (): void => void pieces.return?.();
  return {
    abandon,
    async run() {
      const { response } = reply;
      reply.start({ code: 200, contentType: 'text/plain' });
      response.once('close', abandon);
      try {
        for (let next = await pieces.next(); !next.done && !response.destroyed; next = await pieces.next()) {
          if (!response.write(next.value)) await drained(response);
        }
        response.end();
      } catch (error) {
        // The client has to see that the answer is not whole.
        report(error);
        response.destroy();
      }
    },
  };
}

function drained(response: ServedRequest['reply']['response']): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

/** In front of a protocol of streams: SPDY inside the messages of a WebSocket. Source: apimachinery `pkg/util/portforward`. */
const TUNNEL = 'SPDY/3.1+';
const SPDY = 'SPDY/3.1';
const STREAM_PROTOCOL = 'x-stream-protocol-version';

/** @throws StatusError 400 for a request that asks for no other protocol, or for none that is spoken; 501 on a connection without a socket */
export function connectionStream(request: ServedRequest, connection: SubresourceConnection): Stream {
  const { message, upgrade, report } = request;
  if (String(message.headers.upgrade ?? '') === '') throw badRequest('Upgrade request required');
  if (upgrade === undefined) throw notImplemented('another protocol on a connection without a socket');
  const serve = isWebSocketRequest(message) ? overWebSocket(request, { upgrade, connection }) : overSpdy(request, { upgrade, connection });
  return {
    abandon: () => undefined,
    run: () => serve().catch(report),
  };
}

interface Asked {
  readonly upgrade: Upgrade;
  readonly connection: SubresourceConnection;
}

function overWebSocket(request: ServedRequest, { upgrade, connection }: Asked): () => Promise<void> {
  const { messages, streams } = connection;
  const spoken = [...(messages?.protocols ?? []), ...streams.protocols.map((one) => `${TUNNEL}${one}`)];
  const protocol = agreed(offeredProtocols(request.message), spoken);
  return async () => {
    const channel = await acceptChannel(request, upgrade, protocol);
    if (channel === undefined) return;
    try {
      if (!protocol.startsWith(TUNNEL)) await messages?.serve(channel);
      else {
        const transport = transportInside(channel);
        await streams.serve(new SpdyConnection({ transport, protocol: protocol.slice(TUNNEL.length), report: request.report }));
      }
    } finally {
      channel.close();
    }
  };
}

function overSpdy(request: ServedRequest, { upgrade: { socket, head }, connection: { streams } }: Asked): () => Promise<void> {
  const { message, reply, report } = request;
  if (String(message.headers.upgrade).toLowerCase() !== SPDY.toLowerCase())
    throw badRequest(`unable to upgrade: ${JSON.stringify(message.headers.upgrade)} is not spoken: ask for a WebSocket or ${SPDY}`);
  const offered = String(message.headers[STREAM_PROTOCOL] ?? '')
    .split(',')
    .map((one) => one.trim());
  const protocol = agreed(
    offered.filter((one) => one !== ''),
    streams.protocols,
  );
  return async () => {
    if (!reply.canSend) return;
    handOver(reply.response, socket);
    reply.answeredElsewhere(101);
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${SPDY}\r\nX-Stream-Protocol-Version: ${protocol}\r\n\r\n`,
    );
    const spdy = new SpdyConnection({ transport: transportOver(socket, head), protocol, report });
    try {
      await streams.serve(spdy);
    } finally {
      spdy.close();
    }
  };
}

/** @throws StatusError 400 */
function agreed(offered: readonly string[], spoken: readonly string[]): string {
  const protocol = spoken.find((one) => offered.includes(one));
  if (protocol !== undefined) return protocol;
  throw badRequest(
    `unable to upgrade: unable to negotiate protocol: client supports [${offered.join(' ')}], server accepts [${spoken.join(' ')}]`,
  );
}
