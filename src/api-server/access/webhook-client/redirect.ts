import { goQuote } from '@keelson/kubernetes/apimachinery';
import { WebhookCallError } from './call-error.js';
import { addressOfUrl, type WebhookAddress } from './webhook-address.js';

/** One request of a call. Those after the first follow redirects. */
export interface Hop {
  readonly address: WebhookAddress;
  readonly method: 'GET' | 'POST';
  readonly text: string;
}

/** Source: Go 1.24 `net/http/client.go`, defaultCheckRedirect. */
const MOST_HOPS = 10;

/**
 * The request to which an answer redirects: 307 and 308 with the review, 301 to 303 as a GET without it. `undefined`: the answer is taken as it is.
 *
 * Source: Go 1.24 `net/http/client.go`, redirectBehavior. The API server adds nothing to it.
 *
 * @param hops requests that were made so far
 * @throws WebhookCallError after too many
 */
export function redirected(
  { address, method, text }: Hop,
  { code, location }: { readonly code: number; readonly location: string },
  hops: number,
): Hop | undefined {
  if (![301, 302, 303, 307, 308].includes(code) || location === '') return undefined;
  if (!URL.canParse(location, address.url.href)) {
    const problem = `failed to parse Location header ${goQuote(location)}: parse ${goQuote(location)}: invalid URI for request`;
    throw new WebhookCallError(`Post ${goQuote(address.url.href)}: ${problem}`);
  }
  if (hops >= MOST_HOPS) throw new WebhookCallError(`Post ${goQuote(location)}: stopped after ${MOST_HOPS} redirects`);
  const url = new URL(location, address.url);
  const next = isSameHost(url, address.url) ? { ...address, url } : addressOfUrl(url);
  return code >= 307 ? { address: next, method, text } : { address: next, method: 'GET', text: '' };
}

function isSameHost(left: URL, right: URL): boolean {
  return left.protocol === right.protocol && left.host === right.host;
}
