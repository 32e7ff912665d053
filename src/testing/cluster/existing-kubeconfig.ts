import type { KindInfo } from '@keelson/kubernetes/apimachinery';
import type { ApiClient } from '@keelson/runtime/internal/client';
import type { Access, Connection } from '@keelson/runtime/internal/http';
import { stringify } from 'yaml';
import { type Identity, impersonationOf, serviceAccountKey } from './identity.js';

const SERVICE_ACCOUNT: KindInfo<unknown, 'Namespaced'> = {
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  scope: 'Namespaced',
  subresources: ['token'],
};
const TOKEN_SECONDS = 24 * 3600;

/** A kubeconfig of another user than the connection's own: a ServiceAccount by a token, others by impersonation. */
export async function existingKubeconfig(client: ApiClient, identity: Identity | undefined): Promise<string> {
  const access = await client.connection.access.current();
  return kubeconfigOf(client.connection, access, await userOf(client, access, identity));
}

async function userOf(client: ApiClient, access: Access, identity: Identity | undefined): Promise<object> {
  if (identity === undefined) return credentialsOf(access);
  if (typeof identity === 'object' && 'serviceAccount' in identity) {
    const key = serviceAccountKey(identity.serviceAccount);
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: TOKEN_SECONDS } };
    const answer = await client.subresource<{ readonly status: { readonly token: string } }>(SERVICE_ACCOUNT, 'token').create(key, request);
    return { token: answer.status.token };
  }
  const { user, uid, groups = [], extra } = impersonationOf(identity);
  const impersonation = {
    as: user,
    ...(uid === undefined ? {} : { 'as-uid': uid }),
    ...(groups.length === 0 ? {} : { 'as-groups': groups }),
    ...(extra === undefined ? {} : { 'as-user-extra': extra }),
  };
  return { ...credentialsOf(access), ...impersonation };
}

function credentialsOf({ headers, tls }: Access): object {
  const authorization = String(headers['authorization'] ?? '');
  const [, token] = /^Bearer (.+)$/.exec(authorization) ?? [];
  return {
    ...(token === undefined ? {} : { token }),
    ...(tls.cert === undefined ? {} : { 'client-certificate-data': base64(tls.cert) }),
    ...(tls.key === undefined ? {} : { 'client-key-data': base64(tls.key) }),
  };
}

function kubeconfigOf({ server, namespace }: Connection, { tls }: Access, user: object): string {
  const cluster = {
    server,
    ...(tls.ca === undefined ? {} : { 'certificate-authority-data': base64(tls.ca) }),
    ...(tls.servername === undefined ? {} : { 'tls-server-name': tls.servername }),
    ...(tls.rejectUnauthorized === false ? { 'insecure-skip-tls-verify': true } : {}),
  };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'existing', cluster }],
    users: [{ name: 'user', user }],
    contexts: [{ name: 'existing', context: { cluster: 'existing', user: 'user', namespace } }],
    'current-context': 'existing',
  };
  return stringify(config, { lineWidth: 0 });
}

function base64(material: string | Buffer): string {
  return Buffer.from(material).toString('base64');
}
