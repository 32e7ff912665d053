import type { SubresourceConnection } from '../../../contract/index.js';
import { badRequest } from '../../../status/index.js';
import {
  MESSAGE_PROTOCOLS,
  type RemoteStreams,
  STREAM_PROTOCOLS,
  streamsOfConnection,
  streamsOfMessages,
  type WantedStreams,
} from './remote-streams.js';

/**
 * The streams that a request for a command, or for a container, asks for.
 *
 * @throws StatusError 400 for no stream at all
 */
export function wantedStreams(query: URLSearchParams): WantedStreams {
  const isTrue = (name: string): boolean => ['1', 'true'].includes((query.get(name) ?? '').toLowerCase());
  const hasTerminal = isTrue('tty');
  const wanted = { hasInput: isTrue('stdin'), hasOutput: isTrue('stdout'), hasErrors: isTrue('stderr') && !hasTerminal, hasTerminal };
  if (!wanted.hasInput && !wanted.hasOutput && !wanted.hasErrors) throw badRequest('you must specify at least 1 of stdin, stdout, stderr');
  return wanted;
}

/** Serves the streams over WebSockets and over SPDY. */
export function remoteConnection(wanted: WantedStreams, serve: (streams: RemoteStreams) => Promise<void>): SubresourceConnection {
  return {
    type: 'connection',
    messages: { protocols: MESSAGE_PROTOCOLS, serve: async (channel) => serve(await streamsOfMessages(channel, wanted)) },
    streams: {
      protocols: STREAM_PROTOCOLS,
      async serve(connection) {
        const streams = await streamsOfConnection(connection, wanted);
        if (streams !== undefined) await serve(streams);
      },
    },
  };
}
