import { isRecord, webhookUrlOf } from '@keelson/kubernetes/apimachinery';
import type { Construct } from 'constructs';
import { ConstructError } from '../object/index.js';
import { base64Pem } from './ca-bundle.js';

/** The way of the API server to webhooks and conversions without a Service. */
export interface WebhookReach {
  /** Where the process is reached, without the path of a webhook: `https://operator.example.com:9443`. */
  readonly url: string;
  /**
   * Authority of the certificate that is shown at this URL, as PEM or as base64 of PEM, where it is not the process's own: that of a proxy in front of it.
   * @default - the authority of `certificates`, whose certificate is then for the host of the URL
   */
  readonly caBundle?: string | undefined;
}

/** The URL that webhooks are called by, checked. */
export interface WebhookPlace {
  /** Without a slash at its end; the path of a webhook follows. */
  readonly url: string;
  /** A DNS name, or an IP address without brackets. */
  readonly host: string;
  /** Base64 of a PEM bundle; `undefined`: the authority of `certificates`. */
  readonly caBundle: string | undefined;
}

/** @throws ConstructError for a URL that the API server would refuse */
export function webhookPlaceOf(scope: Construct, reach: WebhookReach | undefined): WebhookPlace | undefined {
  if (reach === undefined) return undefined;
  if (!isRecord(reach) || typeof reach.url !== 'string')
    throw new ConstructError(scope, "webhooks.url is missing; write webhooks: { url: 'https://operator.example.com:9443' }");
  const url = webhookUrlOf(reach.url);
  if (typeof url === 'string') throw new ConstructError(scope, `webhooks.url '${withoutUser(reach.url)}' ${url}`);
  const caBundle = reach.caBundle === undefined ? undefined : base64Pem(scope, reach.caBundle, 'webhooks.caBundle');
  return { url: url.text, host: url.host, caBundle };
}

/** A password does not belong into a log of synthesis. */
function withoutUser(url: string): string {
  return url.replace(/\/\/[^/@]*@/, '//…@');
}
