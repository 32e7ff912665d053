import { goQuote } from '@keelson/kubernetes/apimachinery';
import { shownUrl } from './client-config.js';
import type { WebhookAddress } from './webhook-address.js';

const UNTRUSTED: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** An error of Node's sockets and TLS in the words of Go's, which people search for: `Post "https://…": dial tcp 127.0.0.1:1: connect: connection refused`. */
export function goNetworkError(error: NodeJS.ErrnoException, address: WebhookAddress): string {
  return `Post ${goQuote(shownUrl(address.url, portShown(address)))}: ${causeOf(error, address)}`;
}

function portShown({ url, port }: WebhookAddress): number {
  return url.port === '' ? (url.hostname.endsWith('.svc') ? 443 : port) : Number(url.port);
}

function causeOf(error: NodeJS.ErrnoException, { host, port }: WebhookAddress): string {
  const { code = '', message } = error;
  const peer = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'context deadline exceeded';
  if (code === 'ECONNREFUSED') return `dial tcp ${peer}: connect: connection refused`;
  if (code === 'ENOTFOUND') return `dial tcp: lookup ${host}: no such host`;
  if (code === 'ECONNRESET') return message === 'socket hang up' ? 'EOF' : `read tcp ${peer}: read: connection reset by peer`;
  if (UNTRUSTED.has(code)) return 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return `tls: failed to verify certificate: x509: certificate has expired or is not yet valid: ${message}`;
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `tls: failed to verify certificate: x509: ${message}`;
  return message;
}
