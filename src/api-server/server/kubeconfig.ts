import { stringify } from 'yaml';

/** The credentials of a client, as PEM. */
export interface ClientCredentials {
  readonly certificate: string;
  readonly privateKey: string;
}

export interface KubeconfigOptions {
  readonly url: string;
  /** PEM; undefined of a server without TLS. */
  readonly certificateAuthority: string | undefined;
  readonly username: string;
  readonly credentials: ClientCredentials | { readonly token: string };
}

/** A kubeconfig with one context, everything inline. */
export function kubeconfigText({ url, certificateAuthority, username, credentials }: KubeconfigOptions): string {
  const user =
    'token' in credentials
      ? { token: credentials.token }
      : { 'client-certificate-data': base64(credentials.certificate), 'client-key-data': base64(credentials.privateKey) };
  return stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'keelson',
          cluster: {
            server: url,
            ...(certificateAuthority === undefined ? {} : { 'certificate-authority-data': base64(certificateAuthority) }),
          },
        },
      ],
      contexts: [{ name: 'keelson', context: { cluster: 'keelson', user: username } }],
      'current-context': 'keelson',
      users: [{ name: username, user }],
    },
    // Not all clients read a folded key.
    { lineWidth: 0 },
  );
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
