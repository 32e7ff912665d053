/** Where to connect, and as what: the name that the certificate is checked against stays the service's own. */
export interface WebhookAddress {
  /** As error messages show it. */
  readonly url: URL;
  readonly host: string;
  readonly port: number;
}

/** Where a URL leads without the network of a cluster. */
export function addressOfUrl(url: URL): WebhookAddress {
  return {
    url,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port),
  };
}
