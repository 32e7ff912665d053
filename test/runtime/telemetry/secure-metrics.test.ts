import { ClusterRole, ClusterRoleBinding, ServiceAccount, type TokenRequest } from '../../../src/kinds/index.js';
import { createClient } from '../../../src/runtime/client/index.js';
import { systemClock } from '../../../src/runtime/clock/index.js';
import { Metrics, MetricsServer } from '../../../src/runtime/telemetry/index.js';
import { TestCluster } from '../../../src/testing/index.js';
import { fetched, keptLog } from './fetching.js';

test('an API server is asked as it wants to be: a ServiceAccount with the role reads, another does not', async () => {
  await using cluster = await TestCluster.start();
  const client = createClient({ connection: cluster.connection });
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
  const { log, lines } = keptLog();
  const metrics = await Metrics.create({ processMetrics: false });
  const server = new MetricsServer({ port: 0, host: '127.0.0.1', metrics, clock: systemClock, log, secure: { client }, profiles: true });
  const { port } = await server.start();
  const status = async (path: string, token: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetched(`https://127.0.0.1:${port}${path}`, { rejectUnauthorized: false, headers } as object)).status;
  };
  expect(await status('/metrics', prometheus)).toBe(200);
  expect(await status('/metrics', other)).toBe(403);
  expect(await status('/metrics', 'made-up')).toBe(401);
  expect(await status('/debug/pprof/heap', prometheus)).toBe(403);
  expect(lines).toEqual([]);
  await server.stop();
  client.close();
});
