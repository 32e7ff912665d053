import type { SubresourceConnection } from '../contract/index.js';
import { badRequest, notImplemented } from '../status/index.js';
import type { Stream } from './serve-request.js';
import type { ServedRequest } from './served-request.js';
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

/** @throws StatusError 400 for a request that asks for no other protocol, or for none that is spoken; 501 for SPDY without WebSockets */
export function connectionStream(request: ServedRequest, connection: SubresourceConnection): Stream {
  const { message, upgrade, report } = request;
  const wanted = String(message.headers.upgrade ?? '');
  if (!isWebSocketRequest(message)) {
    if (wanted === '') throw badRequest('Upgrade request required');
    throw notImplemented(
      `an upgrade to ${JSON.stringify(wanted)}: use a WebSocket (${connection.protocols.join(', ')}), as kubectl does from 1.31 on; it`,
    );
  }
  if (upgrade === undefined) throw notImplemented('a WebSocket on a connection without a socket');
  const offered = offeredProtocols(message);
  const protocol = connection.protocols.find((one) => offered.includes(one));
  if (protocol === undefined)
    throw badRequest(
      `unable to upgrade: unable to negotiate protocol: client supports [${offered.join(' ')}], server accepts [${connection.protocols.join(' ')}]`,
    );
  return {
    abandon: () => undefined,
    async run() {
      const channel = await acceptChannel(request, upgrade, protocol);
      if (channel === undefined) return;
      try {
        await connection.serve(channel);
      } catch (error) {
        report(error);
      } finally {
        channel.close();
      }
    },
  };
}
