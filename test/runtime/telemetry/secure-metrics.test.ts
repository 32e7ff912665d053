import { createClient } from '../../../src/runtime/client/index.js';
import { systemClock } from '../../../src/runtime/clock/index.js';
import { Metrics, MetricsServer } from '../../../src/runtime/telemetry/index.js';
import { TestCluster } from '../../../src/testing/index.js';
import { fetched, keptLog } from './fetching.js';
import { metricReaders } from './metric-readers.js';

test('an API server is asked as it wants to be: a ServiceAccount with the role reads, another does not', async () => {
  await using cluster = await TestCluster.start();
  const client = createClient({ connection: cluster.connection });
  const { prometheus, other } = await metricReaders(client);
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
