import { request } from 'node:https';
import type { KubeApiServerCluster } from '@keelson/testing';
import { ServiceAccount } from 'keelson/kinds';

export interface Scrape {
  readonly cluster: KubeApiServerCluster;
  readonly port: number;
  /** `namespace/name` of a ServiceAccount. */
  readonly account: string;
}

/** What a secured metrics endpoint answers to an account. */
export async function scrape({ cluster, port, account }: Scrape): Promise<{ readonly status: number; readonly text: string }> {
  const [namespace = '', name = ''] = account.split('/');
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const answer = await cluster.client.subresource(ServiceAccount, 'token').create({ namespace, name }, body);
  const { token } = (answer as unknown as { readonly status: { readonly token: string } }).status;
  const options = { host: '127.0.0.1', port, path: '/metrics', rejectUnauthorized: false, agent: false as const };
  return new Promise((resolve, reject) => {
    request({ ...options, headers: { authorization: `Bearer ${token}` } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    })
      .on('error', reject)
      .end();
  });
}
