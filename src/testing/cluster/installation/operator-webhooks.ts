import { RUNTIME_CONTRACT } from 'keelson/internal/definition';
import type { OperatorNames } from '../installed-operator.js';

/** How the API server reaches the operator's webhook server: by its Service, or (real binaries, which cannot) by an address of this machine. */
export interface WebhookTarget {
  readonly service: boolean;
  readonly port: number | undefined;
  /** PEM; `undefined`: the server that answers says it. */
  readonly authority: string | undefined;
}

/** `clientConfig` of a webhook or of a conversion. */
export function clientConfig({ service, port, authority }: WebhookTarget, names: OperatorNames, path: string): object {
  const caBundle = authority === undefined ? {} : { caBundle: Buffer.from(authority).toString('base64') };
  // A certificate that the operator issues itself has names, and no addresses.
  if (!service) return { url: `https://${authority === undefined ? 'localhost' : '127.0.0.1'}:${port}${path}`, ...caBundle };
  const { webhookService: name, namespace } = names;
  return { service: { name, namespace, path, port: RUNTIME_CONTRACT.servicePorts.webhook }, ...caBundle };
}
