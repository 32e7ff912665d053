import { ServiceAccount } from '@keelson/kubernetes/kinds';
import type { ApiClient } from '@keelson/runtime/internal/client';
import { WhyError } from '../errors.js';

/** The shortest that an API server gives. */
const TOKEN_SECONDS = 600;

/**
 * The token that the metrics server is shown: that of the kubeconfig's user, or one of a ServiceAccount that lives for ten minutes.
 *
 * @throws WhyError for a user who has none: a client certificate ends at the API server
 */
export async function readerToken(client: ApiClient, account: readonly [string, string] | undefined): Promise<string> {
  if (account !== undefined) {
    const [namespace, name] = account;
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: TOKEN_SECONDS } };
    const tokens = client.subresource<{ readonly status: { readonly token: string } }>(ServiceAccount, 'token');
    return (await tokens.create({ namespace, name }, request)).status.token;
  }
  const { headers } = await client.connection.access.current();
  const [, token] = /^Bearer (.+)$/.exec(String(headers['authorization'] ?? '')) ?? [];
  if (token !== undefined) return token;
  throw new WhyError(
    `${client.connection.origin}: the user has no token (a client certificate, for example), and the operator knows its readers by their tokens; give --service-account NAMESPACE/NAME of one that may read the journal`,
  );
}
