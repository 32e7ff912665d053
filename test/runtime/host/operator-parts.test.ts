import { defineController, defineOperator, type PartContext } from 'keelson';
import { TestCluster } from 'keelson/testing';
import { Website } from '../reconcile/website.js';

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
