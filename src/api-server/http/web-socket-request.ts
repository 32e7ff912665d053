import type { IncomingMessage } from 'node:http';
import { headerOf } from './incoming.js';

const PROTOCOL_HEADER = 'sec-websocket-protocol';
const BEARER_PREFIX = 'base64url.bearer.authorization.k8s.io.';
const CONNECTION_UPGRADE = /(?:^|.*,\s*)upgrade(?:$|\s*,)/;

/** Source: apimachinery `pkg/util/httpstream/wsstream`. */
export function isWebSocketRequest(message: IncomingMessage): boolean {
  return (
    headerOf(message, 'upgrade').toLowerCase() === 'websocket' && CONNECTION_UPGRADE.test(headerOf(message, 'connection').toLowerCase())
  );
}

/** The token among the protocols of a WebSocket request: a browser can send no header. */
export type ProtocolToken = { readonly token: string } | { readonly problem: string };

/**
 * Finds the token that a WebSocket request carries as a protocol.
 *
 * Source: apiserver `pkg/authentication/request/websocket/protocol.go`.
 * @returns undefined if the request is not for a WebSocket, or carries none
 */
export function protocolTokenOf(message: IncomingMessage): ProtocolToken | undefined {
  if (!isWebSocketRequest(message)) return undefined;
  const protocols = protocolsOf(message);
  const tokens = protocols.filter((protocol) => protocol.startsWith(BEARER_PREFIX));
  const [token] = tokens;
  if (token === undefined) return undefined;
  if (tokens.length > 1) return { problem: 'multiple base64.bearer.authorization tokens specified' };
  const encoded = token.slice(BEARER_PREFIX.length);
  if (!/^[\w-]*$/.test(encoded)) return { problem: 'invalid base64.bearer.authorization token encoding' };
  // The client needs one that can be answered.
  if (protocols.length === 1) return { problem: 'missing additional subprotocol' };
  return { token: Buffer.from(encoded, 'base64url').toString('utf8') };
}

/** The protocols that a client offers, without its token. */
export function offeredProtocols(message: IncomingMessage): readonly string[] {
  return protocolsOf(message).filter((protocol) => !protocol.startsWith(BEARER_PREFIX));
}

function protocolsOf(message: IncomingMessage): string[] {
  const header = headerOf(message, PROTOCOL_HEADER);
  return header === '' ? [] : header.split(',').map((protocol) => protocol.trim());
}
