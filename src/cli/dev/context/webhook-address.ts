import { networkInterfaces } from 'node:os';
import { isIPText, webhookUrlOf } from '@keelson/kubernetes/apimachinery';
import { UsageError } from '../../errors.js';

/** The place at which the API server calls the webhooks of an operator that runs on this machine. */
export interface WebhookAddress {
  /** Without a slash at its end. */
  readonly url: string;
  /** The name or address that the certificate must carry. */
  readonly host: string;
  readonly port: number;
  /** The address of this machine to listen at; `undefined`: all of them, since the host of the URL is not an address of this machine. */
  readonly listenAddress: string | undefined;
}

const HTTPS_PORT = 443;
const FIRST_FREE_PORT = 1024;

/** @throws UsageError for what an API server would not call, and for a port that needs root */
export function webhookAddressOf(given: string): WebhookAddress {
  const wrong = (why: string): UsageError => new UsageError(`keelson dev: --webhook-url ${given}: ${why}`);
  const url = webhookUrlOf(given);
  if (typeof url === 'string') throw wrong(url);
  const { pathname, port: text } = new URL(given);
  if (pathname !== '/') throw wrong('has a path; give the host and the port alone');
  const port = text === '' ? HTTPS_PORT : Number(text);
  if (port < FIRST_FREE_PORT)
    throw wrong(`port ${port} is one that only root may open; give another, for example https://${url.host}:9443`);
  return { url: url.text, host: url.host, port, listenAddress: listenAddressFor(url.host) };
}

function listenAddressFor(host: string): string | undefined {
  if (host === 'localhost') return '127.0.0.1';
  if (!isIPText(host)) return undefined;
  if (/^127\.|^::1$/.test(host)) return host;
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return own.some(({ address }) => address === host) ? host : undefined;
}
