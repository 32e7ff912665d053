import { addressOfUrl, type WebhookAddress } from './webhook-address.js';
import { webhookPath } from './webhook-path.js';

/** Where a webhook is: `clientConfig` of webhook configurations and of CRD conversions. */
export interface WebhookClientConfig {
  readonly url?: string;
  readonly service?: WebhookService;
  /** Base64 of PEM certificates; absent: the system's roots. */
  readonly caBundle?: string;
}

export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  readonly path?: string;
  /** Default 443. */
  readonly port?: number;
}

/** Where a Service can be reached from this process. */
export interface ServiceAddress {
  readonly host: string;
  readonly port: number;
}

/** Why a Service cannot be reached, in the words of the API server. */
export interface UnreachableService {
  readonly problem: string;
}

/** Stands in for the cluster's network. `undefined` if nothing is known of the Service: the error then names the option `services`. */
export type ServiceResolver = (service: {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}) => ServiceAddress | UnreachableService | undefined;

export interface AddressOptions {
  readonly resolve: ServiceResolver;
  /** The webhook reads it from its URL: `?timeout=10s`. */
  readonly timeoutSeconds: number;
}

/** @returns a text where the webhook cannot be addressed at all. */
export function addressOf({ url, service }: WebhookClientConfig, options: AddressOptions): WebhookAddress | string {
  const timeout = `${options.timeoutSeconds}s`;
  if (service === undefined) {
    if (url === undefined || url === '') return 'webhook configuration must have either service or URL';
    if (!URL.canParse(url)) return `Unparsable URL: parse "${url}": invalid URI for request`;
    const parsed = new URL(url);
    return addressOfUrl(new URL(`${webhookPath(parsed.pathname)}?timeout=${timeout}`, parsed.origin));
  }
  const { namespace, name, path = '/', port = 443 } = service;
  const shown = new URL(`https://${name}.${namespace}.svc:${port}${webhookPath(path)}?timeout=${timeout}`);
  const address = options.resolve({ namespace, name, port }) ?? { problem: unknownService(namespace, name, port) };
  if ('problem' in address) return `Post "${shownUrl(shown, port)}": ${address.problem}`;
  return { url: shown, ...address };
}

/** Go prints the default port too. */
export function shownUrl(url: URL, port: number): string {
  return `https://${url.hostname}:${port}${url.pathname}${url.search}`;
}

function unknownService(namespace: string, name: string, port: number): string {
  return `nothing is known to listen for service ${namespace}/${name} at port ${port}: give the in-process API server its local port (option \`services\`, \`{ '${namespace}/${name}': port }\`), or run its Pods as processes (option \`workloads.containers\`)`;
}
