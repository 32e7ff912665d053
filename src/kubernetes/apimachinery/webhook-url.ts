/** A place that the API server may call, in the form in which it is written into manifests. */
export interface WebhookUrl {
  /** Without a slash at its end, so that a path can follow. */
  readonly text: string;
  /** A DNS name in its ASCII form, or an IP address without brackets. */
  readonly host: string;
}

/**
 * Reads the URL of a webhook, as the API server takes it.
 *
 * Source: apiserver, `pkg/util/webhook/validation.go`, `ValidateWebhookURL`.
 *
 * @returns the URL, or a text with the reason why the API server would not call it
 */
export function webhookUrlOf(given: string): WebhookUrl | string {
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    return 'is not a URL; write it as https://operator.example.com:9443';
  }
  const { protocol, username, password, hostname, search, hash, origin, pathname } = url;
  if (protocol !== 'https:') return `has the scheme ${protocol.slice(0, -1)}; the API server calls webhooks by https alone`;
  if (username !== '' || password !== '') return 'holds a user or a password, which the API server refuses; take it out';
  if (hash !== '' || given.includes('#')) return 'has a fragment, which the API server refuses; take it out';
  if (search !== '' || given.includes('?')) return 'has a query, which the API server refuses; take it out';
  return { text: `${origin}${pathname.replace(/\/+$/, '')}`, host: hostname.replace(/^\[|\]$/g, '') };
}
