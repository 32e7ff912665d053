import { ClusterRole, ClusterRoleBinding, ServiceAccount, type TokenRequest } from '../../../src/kubernetes/kinds/index.js';
import type { ApiClient } from '../../../src/runtime/client/index.js';

/** Tokens of two ServiceAccounts: one that may read `/metrics`, and one that may not. */
export async function metricReaders(client: ApiClient): Promise<{ readonly prometheus: string; readonly other: string }> {
  const namespace = 'default';
  const tokenOf = async (name: string): Promise<string> => {
    await client.create(ServiceAccount, { metadata: { name, namespace } });
    const spec = { audiences: [], expirationSeconds: 3_600 };
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: {}, spec };
    const made = (await client.subresource(ServiceAccount, 'token').create({ name, namespace }, request)) as TokenRequest;
    return made.status?.token ?? '';
  };
  const [prometheus, other] = [await tokenOf('prometheus'), await tokenOf('other')];
  await client.create(ClusterRole, { metadata: { name: 'reader' }, rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }] });
  await client.create(ClusterRoleBinding, {
    metadata: { name: 'reader' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'reader' },
    subjects: [{ kind: 'ServiceAccount', name: 'prometheus', namespace }],
  });
  return { prometheus, other };
}
