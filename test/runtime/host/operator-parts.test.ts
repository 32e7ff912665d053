import { TestCluster } from '@keelson/testing';
import { counter, defineController, defineOperator, external, type PartContext, settings } from 'keelson';
import { z } from 'zod';
import { createClient } from '../../../src/runtime/client/index.js';
import { Website } from '../reconcile/website.js';
import { type Fetched, fetched } from '../telemetry/fetching.js';
import { metricReaders } from '../telemetry/metric-readers.js';

const controller = defineController({ name: 'website', for: Website, reconcile: ({ done }) => done() });

test('checks, endpoints and tasks of an operator run in its process: leader tasks once, others on each replica', async () => {
  const ran: string[] = [];
  let quorum = true;
  const work =
    (name: string) =>
    ({ signal }: PartContext): Promise<void> => {
      ran.push(name);
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    };
  const operator = defineOperator({
    name: 'website-operator',
    controllers: [controller],
    checks: {
      etcd: () => {
        if (!quorum) throw new Error('no quorum');
      },
      loop: { on: 'liveness', run: () => undefined },
    },
    endpoints: { backups: { port: 19_999, handle: (request, { now }) => new Response(`${request.method} ${now().getFullYear() > 2000}`) } },
    tasks: { reaper: { run: work('reaper') }, warmer: { on: 'all', run: work('warmer') } },
  });
  const cluster = await TestCluster.start({ operator });
  const settings = { leaseName: 'website-operator' };
  const one = await cluster.startOperator({ settings });
  await cluster.until(() => expect(one.isLeader).toBe(true));
  const two = await cluster.startOperator({ settings });
  await cluster.until(() => expect([...ran].sort()).toEqual(['reaper', 'warmer', 'warmer']));

  const get = async (port: number | undefined, path = ''): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    return `${answer.status} ${await answer.text()}`;
  };
  expect(await get(one.ports.endpoints?.['backups'])).toBe('200 GET true');
  expect(await get(two.ports.endpoints?.['backups'])).toBe('200 GET true');
  expect(await get(one.ports.health, '/readyz/etcd')).toBe('200 ok');
  expect(await get(one.ports.health, '/healthz/loop')).toBe('200 ok');
  quorum = false;
  await cluster.until(async () => expect((await get(one.ports.health, '/readyz')).startsWith('500 ')).toBe(true));
  expect((await get(one.ports.health, '/healthz')).startsWith('200 ')).toBe(true);
  await cluster.close();
});

test('checks, endpoints and tasks have what their parts use: externals counted and given as fakes, settings, metrics', async () => {
  interface Etcd {
    health(signal: AbortSignal): Promise<string>;
    defrag(): Promise<string>;
  }
  const etcd = external<Etcd>();
  const config = settings(z.object({ quorum: z.number().default(2), zone: z.string() }));
  const runs = counter('etcd_defrags_total', 'Defragmentations by replica.', ['on']);
  const told: string[] = [];
  const operator = defineOperator({
    name: 'website-operator',
    controllers: [controller],
    checks: {
      etcd: {
        uses: { etcd, config },
        run: async ({ etcd, config, signal }) => {
          if ((await etcd.health(signal)) !== `${config.quorum}`) throw new Error('no quorum');
        },
      },
    },
    endpoints: {
      members: {
        port: 19_999,
        uses: { etcd, config },
        handle: async (_, { etcd, config, signal }) => new Response(`${config.zone} ${await etcd.health(signal)}`),
      },
    },
    tasks: {
      leader: {
        uses: { etcd, runs },
        run: async ({ etcd, runs }) => {
          told.push(`leader ${await etcd.defrag()}`);
          runs.inc({ on: 'leader' });
        },
      },
      all: {
        on: 'all',
        uses: { config, runs },
        run: ({ config, runs }) => {
          told.push(`all ${config.zone}`);
          runs.inc({ on: 'all' });
        },
      },
    },
  });
  const cluster = await TestCluster.start({ operator });
  const running = await cluster.startOperator({
    externals: { etcd: { health: async () => '2', defrag: async () => 'done' } },
    values: [config.values({ zone: 'a' })],
    settings: { metrics: { port: 0, secure: false } },
  });
  await cluster.until(() => expect([...told].sort()).toEqual(['all a', 'leader done']));
  const get = async (port: number | undefined, path = ''): Promise<string> => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  expect(await get(running.ports.health, '/readyz/etcd')).toBe('ok');
  expect(await get(running.ports.endpoints?.['members'])).toBe('a 2');
  const series = await get(running.ports.metrics, '/metrics');
  expect(series).toContain('keelson_external_calls_total{external="etcd",method="defrag",result="ok"} 1');
  expect(series).toContain('keelson_external_calls_total{external="etcd",method="health",result="ok"} 2');
  expect(series).toContain('etcd_defrags_total{on="leader"} 1');
  expect(series).toContain('etcd_defrags_total{on="all"} 1');
  await cluster.close();
});

test('an external that only a task uses is asked for at the start', async () => {
  const operator = defineOperator({
    name: 'website-operator',
    controllers: [controller],
    tasks: { sweep: { uses: { vault: external<{ sweep(): void }>() }, run: ({ vault }) => vault.sweep() } },
  });
  const cluster = await TestCluster.start({ operator });
  await expect(cluster.startOperator({ externals: {} } as never)).rejects.toThrow('externals are missing: vault');
  await cluster.close();
});

test("metrics of an operator's own are on the secured endpoint: over TLS, for those who may read them", async () => {
  const sweeps = counter('website_sweeps_total', 'Sweeps.', []);
  const operator = defineOperator({
    name: 'website-operator',
    controllers: [controller],
    tasks: { sweep: { uses: { sweeps }, run: ({ sweeps }) => sweeps.inc({}) } },
  });
  const cluster = await TestCluster.start({ operator });
  const running = await cluster.startOperator({ settings: { metrics: { port: 0, secure: true } } });
  const client = createClient({ connection: cluster.connection });
  const { prometheus, other } = await metricReaders(client);
  const read = (token: string): Promise<Fetched> =>
    fetched(`https://127.0.0.1:${running.ports.metrics}/metrics`, {
      rejectUnauthorized: false,
      headers: { authorization: `Bearer ${token}` },
    } as object);
  await cluster.until(async () => {
    const { status, text } = await read(prometheus);
    expect([status, text.match(/^website_sweeps_total .*$/m)?.[0]]).toEqual([200, 'website_sweeps_total 1']);
  });
  for (const [token, status] of [
    [other, 403],
    ['made-up', 401],
  ] as const) {
    const refused = await read(token);
    expect([refused.status, refused.text.includes('website_sweeps_total')]).toEqual([status, false]);
  }
  await expect(fetched(`http://127.0.0.1:${running.ports.metrics}/metrics`)).rejects.toThrow();
  client.close();
  await cluster.close();
});
