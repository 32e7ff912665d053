import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { RequestFacts } from './gatekeeper.js';

/** `''` where it was not sent. */
export function headerOf(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}

/** Path and query, as they were sent. */
export function splitUrl(url: string): [string, string] {
  // A proxy's form, `GET http://host/path`.
  const path = /^https?:\/\/[^/?]*/.test(url) ? url.replace(/^https?:\/\/[^/?]*/, '') || '/' : url;
  const at = path.indexOf('?');
  return at < 0 ? [path, ''] : [path.slice(0, at), path.slice(at + 1)];
}

/** Undefined: an escape is broken. */
export function decodedPath(path: string): string | undefined {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

export function acceptsGzip(request: IncomingMessage): boolean {
  const encodings = headerOf(request, 'accept-encoding');
  return encodings !== '' && encodings.split(',').some((encoding) => encoding.trim() === 'gzip');
}

/** Undefined: the client has shown none. */
export function clientCertificateOf({ socket }: IncomingMessage): RequestFacts['clientCertificate'] {
  if (!('encrypted' in socket)) return undefined;
  const certificate = (socket as TLSSocket).getPeerX509Certificate();
  if (certificate === undefined) return undefined;
  const { raw } = certificate;
  const { authorized, authorizationError } = socket as TLSSocket;
  return authorized ? { raw } : { raw, problem: String(authorizationError) };
}
